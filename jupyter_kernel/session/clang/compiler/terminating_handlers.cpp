#include "terminating_handlers.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace xcpp_session {
namespace {

bool calls(const llvm::BasicBlock& block, llvm::StringRef name) {
    return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const auto* callee = call ? call->getCalledFunction() : nullptr;
        return callee && callee->getName() == name;
    });
}

// Whether what follows, perhaps after destructors, is std::terminate and no handler of the user.
bool leads_to_terminate(const llvm::BasicBlock& pad) {
    llvm::SmallVector<const llvm::BasicBlock*, 8> waiting = {&pad};
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
    while (!waiting.empty()) {
        const llvm::BasicBlock& block = *waiting.pop_back_val();
        if (!seen.insert(&block).second || calls(block, "__cxa_begin_catch")) continue;
        if (calls(block, "__clang_call_terminate")) return true;
        for (const llvm::BasicBlock* next : llvm::successors(&block))
            if (!next->isLandingPad()) waiting.push_back(next);
    }
    return false;
}

}  // namespace

void mark_terminating_handlers(llvm::Module& module) {
    auto* const no_types = llvm::ConstantArray::get(
        llvm::ArrayType::get(llvm::PointerType::getUnqual(module.getContext()), 0), {});
    for (auto& function : module)
        for (auto& block : function) {
            llvm::LandingPadInst* pad = block.getLandingPadInst();
            if (!pad || !leads_to_terminate(block)) continue;
            for (unsigned i = 0; i < pad->getNumClauses(); ++i)
                if (pad->isCatch(i) && pad->getClause(i)->isNullValue())
                    pad->setOperand(i, no_types);
        }
}

}  // namespace xcpp_session
