#include "initialisers.hpp"

#include "session/base/cell_names.hpp"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <vector>

namespace xcpp_session {
namespace {

// "__cxx_global_var_init.12" -> 12. clang numbers them as it meets the variables: in the order of
// the source.
long emission_order(const llvm::Function& function) {
    const auto [stem, number] = function.getName().rsplit('.');
    long order = 0;
    return number.empty() || number.getAsInteger(10, order) ? 0 : order;
}

// Static members of templates, variable templates and inline variables of headers: their order is
// open, so they come first.
bool belongs_to_template(const llvm::Constant* variable) {
    const auto* value = llvm::dyn_cast_or_null<llvm::GlobalValue>(
        variable ? variable->stripPointerCasts() : nullptr);
    if (!value) return false;
    const std::string name = llvm::demangle(value->getName().str());
    return unit_of_namespace_name(name.substr(0, name.find("::"))) == 0 ||
           name.find('<') != std::string::npos;
}

void collect_calls(llvm::Function& unit, std::vector<llvm::Function*>& found) {
    for (auto& instruction : llvm::instructions(unit))
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call && call->getCalledFunction())
            found.push_back(call->getCalledFunction());
}

}  // namespace

void gather_initialisers(llvm::Module& module, const std::string& name) {
    std::vector<llvm::Function*> early, in_order;
    if (auto* list = module.getNamedGlobal("llvm.global_ctors")) {
        if (auto* entries = llvm::dyn_cast_or_null<llvm::ConstantArray>(
                list->hasInitializer() ? list->getInitializer() : nullptr)) {
            for (const auto& use : entries->operands()) {
                auto* entry = llvm::cast<llvm::ConstantStruct>(use);
                auto* function =
                    llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts());
                auto* variable =
                    llvm::dyn_cast<llvm::GlobalValue>(entry->getOperand(2)->stripPointerCasts());
                if (!function || function->isDeclaration()) continue;
                if (variable && variable->isDeclarationForLinker())
                    continue;  // an earlier cell has it, and has initialised it
                if (function->getName().starts_with("_GLOBAL__sub_I_"))
                    collect_calls(*function, in_order);
                else if (belongs_to_template(variable))
                    early.push_back(function);
                else
                    in_order.push_back(function);
            }
        }
        list->eraseFromParent();
    }
    std::sort(in_order.begin(), in_order.end(),
              [](const auto* a, const auto* b) { return emission_order(*a) < emission_order(*b); });

    auto& context = module.getContext();
    auto* entry =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                               llvm::GlobalValue::ExternalLinkage, name, module);
    entry->setUWTableKind(llvm::UWTableKind::Async);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
    for (const auto* list : {&early, &in_order})
        for (llvm::Function* initialiser : *list) {
            initialiser->setSection("");
            initialiser->addFnAttr(
                llvm::Attribute::NoInline);  // inlined here it would lose its lines
            initialiser->addFnAttr("disable-tail-calls",
                                   "true");  // as would a call that replaces its frame
            builder.CreateCall(initialiser);
        }
    builder.CreateRetVoid();
}

}  // namespace xcpp_session
