#include "symbol_versions.hpp"

#include "session/base/cell_names.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <algorithm>

namespace xcpp_session {
namespace {

// _ZN4__c1…: a name of a cell's namespace.
bool is_of_a_cell(llvm::StringRef name) {
    if (!name.consume_front("_ZN")) return false;
    name.consume_front("K");
    std::size_t length = 0;
    if (name.consumeInteger(10, length)) return false;
    return unit_of_namespace_name(name.take_front(length)) > 0;
}

// The virtual table of a class, its type information, and the name in that.
bool is_table(llvm::StringRef name) {
    return name.starts_with("_ZTV") || name.starts_with("_ZTT") || name.starts_with("_ZTI") ||
           name.starts_with("_ZTS");
}

bool holds_any_of(const llvm::Constant* table, const std::vector<llvm::Function*>& functions) {
    if (const auto* function = llvm::dyn_cast<llvm::Function>(table))
        return std::find(functions.begin(), functions.end(), function) != functions.end();
    return !llvm::isa<llvm::GlobalValue>(table) &&
           std::any_of(table->op_begin(), table->op_end(), [&](const llvm::Use& part) {
               return holds_any_of(llvm::cast<llvm::Constant>(part), functions);
           });
}

}  // namespace

void SymbolVersions::share_variables(llvm::Module& module,
                                     const std::vector<std::string>& internal_variables) {
    internal_variables_.insert(internal_variables.begin(), internal_variables.end());
    for (auto& variable : module.globals()) {
        const llvm::StringRef name = variable.getName();
        if (variable.isDeclaration()) continue;
        const bool of_a_function = variable.hasInternalLinkage() && !variable.isConstant() &&
                                   (name.starts_with("_ZZ") || name.starts_with("_ZGVZ"));
        if (!of_a_function && internal_variables_.count(name.str()) == 0) continue;
        variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
        if (shared_.insert(name.str()).second) continue;
        variable.setInitializer(nullptr);
        variable.setConstant(false);
        variable.setComdat(nullptr);
    }
}

void SymbolVersions::rename_redefined(llvm::Module& module, int unit) {
    rename_known(module, unit);
    std::vector<llvm::Function*> missing;
    for (auto& function : module)
        if (function.isDeclaration() && !function.use_empty() && is_of_a_cell(function.getName()) &&
            defined_.count(function.getName().str()) == 0)
            missing.push_back(&function);
    for (auto& function : module)
        if (!function.isDeclaration() && !function.hasLocalLinkage())
            defined_.insert(function.getName().str());
    for (auto* function : missing) stand_in_for(*function);
}

void SymbolVersions::rename_known(llvm::Module& module, int unit) {
    std::vector<llvm::Function*> again;
    for (auto& function : module) {
        const std::string name = function.getName().str();
        if (function.isDeclaration()) {
            if (const auto newer = renamed_.find(name); newer != renamed_.end())
                function.setName(newer->second);
        } else if (function.hasExternalLinkage() && defined_.count(name) > 0) {
            again.push_back(&function);
        }
    }
    for (auto* function : again) {
        const std::string name = function->getName().str(),
                          newer = name + ".r" + std::to_string(unit);
        function->setName(newer);
        renamed_[name] = newer;
        if (stand_ins_.count(name) > 0) patches_.push_back({target_of(name), newer});
    }
    share_tables(module, again);
}

// clang emits the tables of a class with a key function (a virtual member that is defined outside
// of it) in every unit that uses the class: the first ones count. Where the unit defines a virtual
// member once more, the linker refuses the second table: objects would go on calling the old
// member.
void SymbolVersions::share_tables(llvm::Module& module,
                                  const std::vector<llvm::Function*>& redefined) {
    for (auto& table : module.globals()) {
        if (table.isDeclaration() || !table.hasExternalLinkage() || !is_table(table.getName()))
            continue;
        if (defined_.insert(table.getName().str()).second ||
            holds_any_of(table.getInitializer(), redefined))
            continue;
        table.setLinkage(llvm::GlobalValue::AvailableExternallyLinkage);
        table.setComdat(nullptr);
    }
}

void SymbolVersions::stand_in_for(llvm::Function& function) {
    auto& module = *function.getParent();
    auto& context = module.getContext();
    const std::string name = function.getName().str();
    auto* pointer = llvm::PointerType::getUnqual(context);
    auto* target =
        new llvm::GlobalVariable(module, pointer, false, llvm::GlobalValue::ExternalLinkage,
                                 llvm::ConstantPointerNull::get(pointer), target_of(name));
    function.setDSOLocal(false);
    function.setSubprogram(nullptr);  // a declaration's debug information does not fit a body
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", &function));
    auto* found = llvm::BasicBlock::Create(context, "found", &function);
    auto* absent = llvm::BasicBlock::Create(context, "absent", &function);
    auto* address = builder.CreateLoad(pointer, target);
    address->setVolatile(true);  // a later cell sets it
    builder.CreateCondBr(builder.CreateIsNull(address), absent, found);

    builder.SetInsertPoint(found);
    std::vector<llvm::Value*> arguments;
    for (auto& argument : function.args()) arguments.push_back(&argument);
    auto* call = builder.CreateCall(function.getFunctionType(), address, arguments);
    call->setCallingConv(function.getCallingConv());
    call->setAttributes(function.getAttributes());
    call->setTailCallKind(llvm::CallInst::TCK_MustTail);
    if (function.getReturnType()->isVoidTy())
        builder.CreateRetVoid();
    else
        builder.CreateRet(call);

    builder.SetInsertPoint(absent);
    auto report = module.getOrInsertFunction(
        "xcpp_not_defined",
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false));
    builder.CreateCall(report, {builder.CreateGlobalString(name)});
    builder.CreateUnreachable();
    function.removeFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::Async);
    function.addFnAttr(llvm::Attribute::NoInline);
    stand_ins_.insert(name);
    defined_.insert(name);
}

}  // namespace xcpp_session
