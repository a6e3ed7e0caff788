// Shift-Tab and ?name: signatures, types, comments, and where a name comes from.
#include "completion.hpp"

#include "completion_ask.hpp"
#include "completion_context.hpp"
#include "cppreference.hpp"
#include "session/base/cell_names.hpp"
#include "session/clang/diagnostics/diagnostics.hpp"
#include "session/text/magics.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <regex>
#include <set>

namespace xcpp_session {
namespace {

namespace path = llvm::sys::path;

struct Entry {
    std::string signature;
    std::string comment;
    std::string place;
    std::vector<std::string> members;
    std::string link = {};  // to a page about it
};

constexpr std::size_t most_overloads = 12;

clang::PrintingPolicy policy_of(const clang::ASTContext& context) {
    clang::PrintingPolicy policy = context.getPrintingPolicy();
    policy.TerseOutput = true;
    policy.PolishForDeclaration = true;
    policy.SuppressInitializers = false;
    policy.SuppressInlineNamespace = true;
    policy.SuppressUnwrittenScope = true;
    policy.adjustForCPlusPlus();
    return policy;
}

// The library's __x and _Tp are x and Tp to its users.
std::string without_underscores(const std::string& text) {
    static const std::regex reserved("\\b(__+|_(?=[A-Z]))(?=\\w)");
    return std::regex_replace(text, reserved, "");
}

std::string where(const clang::ASTContext& context, const clang::NamedDecl& declaration) {
    const clang::SourceManager& sources = context.getSourceManager();
    const clang::PresumedLoc place =
        sources.getPresumedLoc(sources.getExpansionLoc(declaration.getLocation()));
    if (place.isInvalid()) return {};
    const llvm::StringRef file = place.getFilename();
    const std::string line = std::to_string(place.getLine());
    if (file == asked_file_name) return "this cell";
    if (find_magic(file)) return {};  // the library declares it for such cells
    if (cell_of_file_name(file) > 0) return file.str() + ", line " + line;
    // "bits/stl_vector.h": the folder says which library it is, if it is not the compiler's
    // version: "12/iostream".
    const llvm::StringRef folder = path::filename(path::parent_path(file));
    const bool names_library = !folder.empty() && !llvm::isDigit(folder[0]);
    return (names_library ? folder.str() + "/" : "") + path::filename(file).str() + ":" + line;
}

std::string print(const clang::NamedDecl& declaration, const clang::PrintingPolicy& policy) {
    std::string text;
    llvm::raw_string_ostream out(text);
    if (const auto* value = llvm::dyn_cast<clang::ValueDecl>(&declaration);
        value && !llvm::isa<clang::FunctionDecl>(declaration) &&
        !llvm::isa<clang::EnumConstantDecl>(declaration)) {
        value->getType().print(out, policy, value->getName());
    } else if (const auto* tag = llvm::dyn_cast<clang::TagDecl>(&declaration)) {
        out << tag->getKindName() << ' ';
        tag->printQualifiedName(out, policy);
        if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag))
            clang::printTemplateArgumentList(out, special->getTemplateArgs().asArray(), policy);
        if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(tag);
            record && record->hasDefinition() && record->getNumBases() > 0) {
            const char* separator = " : ";
            for (const clang::CXXBaseSpecifier& base : record->bases()) {
                out << separator << base.getType().getAsString(policy);
                separator = ", ";
            }
        }
    } else if (const auto* template_class =
                   llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration)) {
        template_class->getTemplateParameters()->print(out, template_class->getASTContext(),
                                                       policy);
        out << template_class->getTemplatedDecl()->getKindName() << ' ';
        template_class->printQualifiedName(out, policy);
    } else if (llvm::isa<clang::NamespaceDecl>(declaration)) {
        out << "namespace ";
        declaration.printQualifiedName(out, policy);
    } else {
        declaration.print(out, policy);
    }
    out.flush();
    return without_generated_names(without_underscores(text));
}

// Public members of a class, each once.
std::vector<std::string> members_of(const clang::NamedDecl& declaration,
                                    const clang::PrintingPolicy& policy) {
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration);
    if (const auto* template_class = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration))
        record = template_class->getTemplatedDecl();
    std::vector<std::string> members;
    if (!record || !record->hasDefinition()) return members;
    for (const clang::Decl* member : record->getDefinition()->decls()) {
        const auto* named = llvm::dyn_cast<clang::NamedDecl>(member);
        if (!named || named->isImplicit() || named->getAccess() != clang::AS_public ||
            !named->getDeclName())
            continue;
        if (llvm::isa<clang::FunctionDecl>(named) || llvm::isa<clang::FieldDecl>(named) ||
            llvm::isa<clang::FunctionTemplateDecl>(named))
            members.push_back(print(*named, policy));
    }
    return members;
}

std::string print_macro(const clang::Preprocessor& preprocessor, const clang::IdentifierInfo& name,
                        const clang::MacroInfo& macro) {
    std::string text = "#define " + name.getName().str();
    if (macro.isFunctionLike()) {
        text += "(";
        for (const clang::IdentifierInfo* parameter : macro.params())
            text += (text.back() == '(' ? "" : ", ") + parameter->getName().str();
        text += ")";
    }
    for (const clang::Token& token : macro.tokens()) {
        if (token.hasLeadingSpace() || &token == &*macro.tokens_begin()) text += " ";
        text += preprocessor.getSpelling(token);
    }
    return text;
}

void add_declaration(std::vector<Entry>& entries, std::set<std::string>& seen,
                     const clang::NamedDecl& found, int detail) {
    clang::ASTContext& context = found.getASTContext();
    const clang::NamedDecl& declaration = *found.getUnderlyingDecl();
    const clang::PrintingPolicy policy = policy_of(context);
    Entry entry{
        print(declaration, policy),
        comment_of(context, declaration),
        llvm::isa<clang::NamespaceDecl>(declaration) ? std::string() : where(context, declaration),
        {},
        cppreference_link(found)};
    if (!seen.insert(entry.signature).second) return;
    if (detail > 0) entry.members = members_of(declaration, policy);
    entries.push_back(std::move(entry));
}

std::string escaped(const std::string& text) {
    std::string result;
    llvm::raw_string_ostream out(result);
    llvm::printHTMLEscaped(text, out);
    return result;
}

Inspection write(const std::vector<Entry>& entries, int detail) {
    Inspection inspection;
    inspection.found = !entries.empty();
    const std::size_t shown =
        detail > 0 ? entries.size() : std::min(entries.size(), most_overloads);
    for (std::size_t i = 0; i < shown; ++i) {
        const Entry& entry = entries[i];
        inspection.text += (i > 0 ? "\n" : "") + entry.signature + "\n";
        inspection.html += "<pre>" + escaped(entry.signature) + "</pre>";
        if (!entry.comment.empty()) {
            inspection.text += "    " + entry.comment + "\n";
            inspection.html += "<p>" + escaped(entry.comment) + "</p>";
        }
        if (!entry.place.empty()) {
            inspection.text += "    declared in " + entry.place + "\n";
            inspection.html += "<p><small>declared in " + escaped(entry.place) + "</small></p>";
        }
        for (const std::string& member : entry.members) inspection.text += "    " + member + "\n";
        // Overloads share a page: the link follows the last one.
        if (entry.link.empty() || (i + 1 < shown && entries[i + 1].link == entry.link)) continue;
        inspection.text += "    " + entry.link + "\n";
        inspection.html += "<p><a href=\"" + entry.link + "\">" + entry.link + "</a></p>";
    }
    if (const std::size_t more = entries.size() - shown)
        inspection.text += "\nand " + std::to_string(more) + " more; ?? shows all\n";
    return inspection;
}

}  // namespace

Inspection inspect(clang::CompilerInstance& compiler, const ParseText& parse, std::string_view code,
                   std::size_t cursor, int detail) {
    const CompletionContext context = inspection_context(code, cursor);
    std::vector<Entry> entries;
    std::set<std::string> seen;
    ask_compiler(
        compiler, parse, context,
        [&](clang::Sema& sema, const clang::CodeCompletionContext&,
            clang::CodeCompletionResult* results, unsigned count) {
            for (unsigned i = 0; i < count; ++i) {
                const clang::CodeCompletionResult& result = results[i];
                if (result.Hidden || name_of(result) != context.prefix) continue;
                if (result.Kind == clang::CodeCompletionResult::RK_Declaration) {
                    add_declaration(entries, seen, *result.Declaration, detail);
                } else if (result.Kind == clang::CodeCompletionResult::RK_Macro) {
                    const clang::Preprocessor& preprocessor = sema.getPreprocessor();
                    if (const clang::MacroInfo* macro = preprocessor.getMacroInfo(result.Macro))
                        entries.push_back(
                            {print_macro(preprocessor, *result.Macro, *macro), {}, {}, {}});
                }
            }
        });
    return write(entries, detail);
}

}  // namespace xcpp_session
