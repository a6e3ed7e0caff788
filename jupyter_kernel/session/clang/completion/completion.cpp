#include "completion.hpp"

#include "completion_ask.hpp"
#include "completion_context.hpp"
#include "completion_match.hpp"
#include "session/base/cell_names.hpp"
#include "session/clang/diagnostics/diagnostics.hpp"
#include "session/clang/diagnostics/hints_names.hpp"
#include "session/text/magic_lines.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <tuple>

namespace xcpp_session {
namespace {

constexpr std::size_t most_matches = 1500;   // as many as std has names
constexpr std::size_t most_described = 100;  // with signature and documentation, which take time

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

std::string type_of(const clang::CodeCompletionResult& result) {
    if (result.Kind == clang::CodeCompletionResult::RK_Macro) return "statement";
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration) return "keyword";
    const clang::NamedDecl* declaration = result.Declaration;
    if (declaration->isFunctionOrFunctionTemplate()) return "function";
    if (llvm::isa<clang::NamespaceDecl, clang::NamespaceAliasDecl>(declaration)) return "module";
    if (llvm::isa<clang::ParmVarDecl>(declaration)) return "param";
    if (llvm::isa<clang::FieldDecl>(declaration)) return "property";
    const bool is_type =
        llvm::isa<clang::TypeDecl, clang::ClassTemplateDecl, clang::TypeAliasTemplateDecl>(
            declaration);
    return is_type ? "class" : "instance";
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
    bool corrected;  // p.na, where p is a pointer: "->" belongs there, or "." in the place of "->"
    Score score;
    bool own;                // declared by a cell
    unsigned priority;       // clang's: smaller is better, and best is what has the expected type
    std::size_t popularity;  // the place of a name of std in popular_names
    bool standard;           // C or C++ has it, and not this library alone
    std::string name;
    clang::CodeCompletionResult result;
};

// Names of std by how often programs use them. clangd counts references in its index of the
// project; a notebook has no index.
constexpr std::array popular_names = {
    "cout",        "endl",          "string",   "vector",     "size_t",      "move",
    "map",         "pair",          "function", "unique_ptr", "make_unique", "shared_ptr",
    "make_shared", "unordered_map", "set",      "array",      "sort",        "min",
    "max",         "to_string",     "thread",   "mutex",      "lock_guard",  "atomic",
    "async",       "future",        "swap",     "make_pair",  "tuple",       "optional",
    "string_view", "cin",           "cerr",     "forward",    "accumulate",  "find",
    "transform",   "copy",          "fill",     "iota",       "chrono",      "this_thread",
    "sqrt",        "abs",           "pow",      "exp",        "log",         "runtime_error",
    "exception",   "ostream",       "ifstream", "ofstream",   "getline",     "stringstream",
    "deque",       "list",          "queue",    "stack",      "variant",     "unordered_set",
    "mt19937",     "numeric_limits"};

bool is_own(const clang::CodeCompletionResult& result) {
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration) return false;
    const clang::DeclContext* context = result.Declaration->getDeclContext();
    if (context->isFunctionOrMethod() || is_in_asked_text(*result.Declaration)) return true;
    if (llvm::isa<clang::EnumDecl>(context)) context = context->getParent();  // an enumerator
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context->getRedeclContext());
    return space && space->isInline() && unit_of_namespace_name(space->getName()) > 0;
}

std::size_t popularity_of(const clang::CodeCompletionResult& result, const std::string& name) {
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration ||
        !result.Declaration->isInStdNamespace())
        return popular_names.size();
    return static_cast<std::size_t>(std::find(popular_names.begin(), popular_names.end(), name) -
                                    popular_names.begin());
}

// What begins with the typed text comes before what only contains its letters. Then names of cells,
// then as clang ranks them.
void sort_by_relevance(std::vector<Ranked>& ranked) {
    std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        // fit, own, points and standard: the larger one comes first
        return std::tie(a.corrected, b.score.fit, b.own, b.score.points, a.priority, a.popularity,
                        b.standard, a.name) < std::tie(b.corrected, a.score.fit, a.own,
                                                       a.score.points, b.priority, b.popularity,
                                                       a.standard, b.name);
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

// The text that clang is asked about stands in a function, where it does not offer these.
constexpr const char* keywords[] = {"catch", "inline", "namespace", "template"};

// The class's own name among its members is not a member for the user.
bool is_own_class_name(const clang::CodeCompletionResult& result) {
    if (result.Kind != clang::CodeCompletionResult::RK_Declaration) return false;
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(result.Declaration);
    return record && record->isInjectedClassName();
}

bool is_of_asked_text(const clang::CodeCompletionResult& result,
                      const clang::Preprocessor& preprocessor) {
    if (result.Kind == clang::CodeCompletionResult::RK_Declaration)
        return is_in_asked_text(*result.Declaration);
    if (result.Kind != clang::CodeCompletionResult::RK_Macro) return false;
    const clang::MacroInfo* macro = preprocessor.getMacroInfo(result.Macro);
    return macro && is_in_asked_text(macro->getDefinitionLoc(), preprocessor.getSourceManager());
}

// Names that only the session's own text can use: macros, names of cells, and functions and
// variables of the global namespace, from headers that the session has read. The standard library
// is not among them.
bool is_of_session(const clang::CodeCompletionResult& result) {
    if (result.Kind == clang::CodeCompletionResult::RK_Macro || is_own(result)) return true;
    return result.Kind == clang::CodeCompletionResult::RK_Declaration &&
           (result.Declaration->isFunctionOrFunctionTemplate() ||
            llvm::isa<clang::VarDecl, clang::EnumConstantDecl>(result.Declaration)) &&
           result.Declaration->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

bool is_offered(const clang::CodeCompletionResult& result, const std::string& name,
                const CompletionContext& context, const clang::Preprocessor& preprocessor) {
    if (result.Hidden || result.Availability == CXAvailability_NotAccessible ||
        result.Availability == CXAvailability_NotAvailable)
        return false;
    if (name.empty() || is_internal_name(name) || is_own_class_name(result)) return false;
    const bool of_text = is_of_asked_text(result, preprocessor);
    if (context.isolated && !of_text && is_of_session(result)) return false;
    // A library declares reserved names for its magic because they are meant to be used.
    if (is_reserved_name(name) && !is_reserved_name(context.prefix) && context.prefix != "_" &&
        !(context.isolated && of_text))
        return false;
    return std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
}

std::vector<Ranked> candidates(const clang::Preprocessor& preprocessor,
                               const clang::CodeCompletionResult* results, unsigned count,
                               const CompletionContext& context,
                               clang::CodeCompletionContext::Kind kind) {
    std::vector<Ranked> found;
    const auto add = [&](const clang::CodeCompletionResult& result) {
        const std::string name = name_of(result);
        if (!is_offered(result, name, context, preprocessor)) return;
        if (const auto score = match_score(context.prefix, name))
            found.push_back({!result.FixIts.empty(), *score, is_own(result), result.Priority,
                             popularity_of(result, name), !header_of_std_name(name).empty(), name,
                             result});
    };
    std::for_each(results, results + count, add);
    if (!context.prefix.empty() && kind == clang::CodeCompletionContext::CCC_Statement)
        for (const char* keyword : keywords)
            if (starts_with(keyword, context.prefix)) add(clang::CodeCompletionResult(keyword));
    return found;
}

Match described(clang::Sema& sema, const clang::CodeCompletionContext& kind, Ranked& entry) {
    const auto what = entry.result.Kind;
    const bool declaration = what == clang::CodeCompletionResult::RK_Declaration;
    Match match{qualified(entry.result, entry.name), type_of(entry.result), {}, {}};
    if (declaration || what == clang::CodeCompletionResult::RK_Macro)
        match.signature = signature_of(sema, kind, entry.result);
    if (declaration)
        match.documentation = comment_of(sema.getASTContext(), *entry.result.Declaration);
    return match;
}

Completions complete_code(clang::CompilerInstance& compiler, const ParseText& parse,
                          const CompletionContext& context, std::string_view code) {
    Completions best{{}, context.start, context.end};
    const auto take = [&](clang::Sema& sema, const clang::CodeCompletionContext& kind,
                          clang::CodeCompletionResult* results, unsigned count) {
        std::vector<Ranked> found =
            candidates(sema.getPreprocessor(), results, count, context, kind.getKind());
        sort_by_relevance(found);
        Completions completions{{}, context.start, context.end};
        std::set<std::string> names;
        for (Ranked& entry : found) {
            // Corrected ones come last, and count only if there are no others.
            if (names.size() == most_matches || (entry.corrected && !found.front().corrected))
                break;
            if (!names.insert(entry.name).second) continue;  // an overload
            completions.matches.push_back(
                names.size() <= most_described
                    ? described(sema, kind, entry)
                    : Match{qualified(entry.result, entry.name), type_of(entry.result), {}, {}});
            if (!entry.corrected) continue;
            const std::string& access = entry.result.FixIts.front().CodeToInsert;
            const llvm::StringRef typed = access == "->" ? "." : "->";
            if (!llvm::StringRef(code).take_front(context.start).ends_with(typed)) return;
            completions.start = context.start - typed.size();
            completions.matches.back().text = access + entry.name;
        }
        // A parser that tries a text twice (is it an expression or a declaration?) comes by twice;
        // the fuller answer is the right one.
        if (completions.matches.size() >= best.matches.size()) best = std::move(completions);
    };
    ask_compiler(compiler, parse, context, take);
    return best;
}

bool is_header(llvm::StringRef name) {
    const llvm::StringRef headers[] = {"", ".h", ".hpp", ".hh", ".hxx", ".cuh"};
    return llvm::is_contained(headers, llvm::sys::path::extension(name));
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
    for (const std::string& name : names) completions.matches.push_back({name, "path", {}, {}});
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
                completions.matches.push_back({name, "magic", {}, {}});
    return completions;
}

}  // namespace xcpp_session
