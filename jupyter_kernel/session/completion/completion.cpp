#include "completion.hpp"

#include "completion_ask.hpp"
#include "completion_context.hpp"
#include "session/base/cell_names.hpp"
#include "session/diagnostics/diagnostics.hpp"
#include "session/diagnostics/hints.hpp"
#include "session/text/magic_lines.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace xcpp_session {
namespace {

constexpr std::size_t most_matches = 500;

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

bool starts_with_any_case(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), text.begin(),
                                                      [](unsigned char a, unsigned char b) {
                                                          return std::tolower(a) == std::tolower(b);
                                                      });
}

std::string type_of(const clang::CodeCompletionResult& result) {
    if (result.Kind == clang::CodeCompletionResult::RK_Macro) return "statement";
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration) return "keyword";
    switch (result.CursorKind) {
        case CXCursor_FunctionDecl:
        case CXCursor_CXXMethod:
        case CXCursor_FunctionTemplate:
        case CXCursor_Constructor:
        case CXCursor_ConversionFunction:
            return "function";
        case CXCursor_Namespace:
        case CXCursor_NamespaceAlias:
            return "module";
        case CXCursor_ParmDecl:
            return "param";
        case CXCursor_FieldDecl:
            return "property";
        case CXCursor_StructDecl:
        case CXCursor_ClassDecl:
        case CXCursor_UnionDecl:
        case CXCursor_EnumDecl:
        case CXCursor_ClassTemplate:
        case CXCursor_ClassTemplatePartialSpecialization:
        case CXCursor_TypedefDecl:
        case CXCursor_TypeAliasDecl:
        case CXCursor_TypeAliasTemplateDecl:
        case CXCursor_TemplateTypeParameter:
            return "class";
        default:
            return "instance";
    }
}

// "(const int &value) -> void"
std::string signature_of(clang::Sema& sema, const clang::CodeCompletionContext& context,
                         clang::CodeCompletionResult& result) {
    clang::CodeCompletionTUInfo info(std::make_shared<clang::GlobalCodeCompletionAllocator>());
    const clang::CodeCompletionString* text =
        result.CreateCodeCompletionString(sema, context, info.getAllocator(), info, false);
    if (!text) return {};
    std::string signature, type;
    bool behind_name = false;
    for (const clang::CodeCompletionString::Chunk& chunk : *text) {
        if (chunk.Kind == clang::CodeCompletionString::CK_TypedText)
            behind_name = true;
        else if (chunk.Kind == clang::CodeCompletionString::CK_ResultType)
            type = chunk.Text;
        else if (chunk.Kind == clang::CodeCompletionString::CK_Optional)
            continue;
        else if (behind_name && chunk.Text)
            signature += chunk.Text;
    }
    if (!type.empty()) signature += signature.empty() ? type : " -> " + type;
    return signature;
}

struct Ranked {
    unsigned priority;
    Match match;
    bool own = false;         // declared by a cell
    bool well_known = false;  // of std
};

bool is_own(const clang::CodeCompletionResult& result) {
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration) return false;
    const clang::DeclContext* context = result.Declaration->getDeclContext();
    if (context->isFunctionOrMethod()) return true;
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context->getRedeclContext());
    return space && space->isInline() && unit_of_namespace_name(space->getName()) > 0;
}

// Names of cells first, then as clang ranks them. Of those that clang ranks alike the well-known
// ones of std come first: there are more names in std than are shown.
void sort_by_relevance(std::vector<Ranked>& ranked) {
    for (Ranked& one : ranked) one.well_known = !header_of_std_name(one.match.text).empty();
    std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        // own and well_known: true comes first
        return std::tie(b.own, a.priority, b.well_known, a.match.text) <
               std::tie(a.own, b.priority, a.well_known, b.match.text);
    });
}

// "Colour::crimson": enumerators of an enum class are written with its name.
std::string qualified(const clang::CodeCompletionResult& result, const std::string& name) {
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration || !result.Qualifier ||
        result.QualifierIsInformative || !llvm::isa<clang::EnumConstantDecl>(result.Declaration))
        return name;
    std::string qualifier;
    llvm::raw_string_ostream stream(qualifier);
    result.Qualifier->print(stream, result.Declaration->getASTContext().getPrintingPolicy());
    return without_generated_names(qualifier) + name;
}

// clang offers these only as patterns of several words.
constexpr const char* keywords[] = {
    "auto",     "bool",      "break",    "case",    "catch",       "char",    "class",
    "const",    "constexpr", "continue", "default", "delete",      "do",      "double",
    "else",     "enum",      "explicit", "false",   "float",       "for",     "if",
    "inline",   "int",       "long",     "mutable", "namespace",   "new",     "noexcept",
    "nullptr",  "operator",  "override", "private", "protected",   "public",  "return",
    "short",    "signed",    "sizeof",   "static",  "static_cast", "struct",  "switch",
    "template", "this",      "throw",    "true",    "try",         "typedef", "typename",
    "unsigned", "using",     "virtual",  "void",    "while"};

// The class's own name among its members is no member to anybody.
bool is_own_class_name(const clang::CodeCompletionResult& result) {
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration) return false;
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(result.Declaration);
    return record && record->isInjectedClassName();
}

// p.na, where p is a pointer: "->" belongs there, for an object "." in the place of "->".
std::string other_access(const clang::CodeCompletionResult& result) {
    return result.FixIts.empty() ? std::string() : result.FixIts.front().CodeToInsert;
}

Completions complete_code(clang::CompilerInstance& compiler, const ParseText& parse,
                          const CompletionContext& context, std::string_view code) {
    std::map<std::string, Ranked> exact, any_case, mended;
    std::string access;  // of the mended ones
    ask_compiler(
        compiler, parse, context,
        [&](clang::Sema& sema, const clang::CodeCompletionContext& kind,
            clang::CodeCompletionResult* results, unsigned count) {
            for (unsigned i = 0; i < count; ++i) {
                clang::CodeCompletionResult& result = results[i];
                if (result.Hidden || result.Availability == CXAvailability_NotAccessible ||
                    result.Availability == CXAvailability_NotAvailable)
                    continue;
                const std::string name = name_of(result);
                if (name.empty() || !starts_with_any_case(name, context.prefix) ||
                    is_internal_name(name) || is_own_class_name(result))
                    continue;
                if (is_reserved_name(name) && !is_reserved_name(context.prefix) &&
                    context.prefix != "_")
                    continue;
                if (!std::all_of(name.begin(), name.end(), [](unsigned char c) {
                        return std::isalnum(c) || c == '_' || c >= 0x80;
                    }))
                    continue;
                if (!result.FixIts.empty()) access = other_access(result);
                auto& found = !result.FixIts.empty()              ? mended
                              : starts_with(name, context.prefix) ? exact
                                                                  : any_case;
                const auto place = found.find(name);
                if (place != found.end() && place->second.priority <= result.Priority) continue;
                // Texts are dear: with thousands of names the first signatures are enough.
                const bool named = result.Kind == clang::CodeCompletionResult::RK_Declaration ||
                                   result.Kind == clang::CodeCompletionResult::RK_Macro;
                const bool with_signature = named && found.size() < most_matches;
                found[name] = {result.Priority,
                               {qualified(result, name), type_of(result),
                                with_signature ? signature_of(sema, kind, result) : std::string()},
                               is_own(result)};
            }
        });
    if (!context.prefix.empty() && !context.after_access)
        for (const char* keyword : keywords)
            if (starts_with(keyword, context.prefix))
                exact.emplace(keyword, Ranked{clang::CCP_Keyword, {keyword, "keyword", {}}});
    std::size_t start = context.start;
    const std::string_view typed = access == "->" ? "." : "->";
    if (exact.empty() && any_case.empty() && !mended.empty() && start >= typed.size() &&
        code.substr(start - typed.size(), typed.size()) == typed) {
        start -= typed.size();
        for (auto& [name, entry] : mended) entry.match.text = access + name;
        exact = std::move(mended);
    }
    std::vector<Ranked> ranked;
    for (auto& [name, entry] : exact.empty() ? any_case : exact) ranked.push_back(entry);
    sort_by_relevance(ranked);
    if (ranked.size() > most_matches) ranked.resize(most_matches);
    Completions completions{{}, start, context.end};
    for (Ranked& entry : ranked) completions.matches.push_back(std::move(entry.match));
    return completions;
}

bool is_header(llvm::StringRef name) {
    const llvm::StringRef extension = llvm::sys::path::extension(name);
    return extension.empty() || extension == ".h" || extension == ".hpp" || extension == ".hh" ||
           extension == ".hxx" || extension == ".cuh";
}

Completions complete_include(clang::CompilerInstance& compiler, const CompletionContext& context) {
    const std::size_t slash = context.prefix.rfind('/');
    const std::string folder =
        slash == std::string::npos ? "" : context.prefix.substr(0, slash + 1);
    const std::string start = context.prefix.substr(folder.size());
    std::set<std::string> names;
    const auto list = [&](llvm::StringRef base) {
        std::error_code error;
        const std::string path = folder.empty() ? base.str() : base.str() + "/" + folder;
        for (llvm::sys::fs::directory_iterator entry(path, error), end; entry != end && !error;
             entry.increment(error)) {
            const std::string name = llvm::sys::path::filename(entry->path()).str();
            if (!starts_with(name, start) || name[0] == '.') continue;
            const bool is_folder = llvm::sys::fs::is_directory(entry->path());
            if (is_folder)
                names.insert(folder + name + "/");
            else if (is_header(name))
                names.insert(folder + name);
        }
    };
    if (!context.angled) list(".");
    const clang::HeaderSearch& search = compiler.getPreprocessor().getHeaderSearchInfo();
    for (auto directory = search.search_dir_begin(); directory != search.search_dir_end();
         ++directory)
        if (directory->isNormalDir()) list(directory->getName());
    Completions completions{{}, context.start, context.end};
    for (const std::string& name : names) completions.matches.push_back({name, "path", {}});
    if (completions.matches.size() > most_matches) completions.matches.resize(most_matches);
    return completions;
}

}  // namespace

Completions complete(clang::CompilerInstance& compiler, const ParseText& parse,
                     std::string_view code, std::size_t cursor) {
    const CompletionContext context = completion_context(code, cursor);
    if (context.asked == AskedFor::code) return complete_code(compiler, parse, context, code);
    if (context.asked == AskedFor::include) return complete_include(compiler, context);
    Completions completions{{}, context.start, context.end};
    if (context.asked == AskedFor::magic)
        for (const std::string& name : magic_names())
            if (starts_with(name, context.prefix))
                completions.matches.push_back({name, "magic", {}});
    return completions;
}

}  // namespace xcpp_session
