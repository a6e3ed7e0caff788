// What the session holds: which declaration a name stands for now, and which it stood for before.
//
// clang refuses to define a thing twice. Here each cell's declarations live in a namespace of their
// own, and what they replace is taken out of clang's lookup tables as soon as the new one is
// declared. Old callers keep the old one, objects of an old type stay usable.
#pragma once

#include "session/split/cell.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CompilerInstance;
class DeclContext;
class FunctionDecl;
class IdentifierInfo;
class MacroInfo;
class NamedDecl;
class NamespaceDecl;
class Sema;
}  // namespace clang

namespace xcpp_session {

struct HeldName {
    std::string name, type, kind;  // kind: "variable", "function", "type", "template", "namespace"
    int cell = 0;
    const clang::NamedDecl* declaration = nullptr;
};

class SessionNames : public Names {
public:
    explicit SessionNames(clang::CompilerInstance& compiler);
    ~SessionNames() override;
    SessionNames(const SessionNames&) = delete;
    SessionNames& operator=(const SessionNames&) = delete;

    NameKind kind_of(const std::vector<std::string_view>& path) const override;
    std::optional<Macro> macro(std::string_view name) const override;
    std::string cell_namespace(std::string_view name) const override;
    bool is_function(std::string_view name) const;
    std::string cell_space(std::string_view name) const override;
    bool macro_gives_way(std::string_view name, bool called) const override;

    // A function that keeps its identity when it is defined again (a member, an extern "C"
    // function, a specialisation): clang forgets that it has a body.
    void undefine(std::vector<std::string_view> path) const;

    // Headers are read again: namespaces that they have opened are replaced as those of cells are.
    // is_own: says of a file that it is one of the user's; empty: no header is.
    void read_again(std::function<bool(const std::string& file)> is_own) {
        is_own_ = std::move(is_own);
    }
    // Functions that those files defined: an overload that is gone from a header must not be called
    // any more.
    void forget_functions_of(const std::vector<std::string>& files);
    // What must stand before the text of a cell that opens an older namespace again; empty for any
    // other name. See cell_namespace.
    std::string old_namespace(std::string_view name) const;
    // A cell has declared it, or a file that is_own says yes to.
    bool is_the_users(std::string_view name,
                      const std::function<bool(const std::string& file)>& is_own) const;
    // A function at global scope without a body, a class with such members, an extern variable: a
    // library holds it.
    bool is_only_declared(std::string_view name) const;

    // Which cell is the newest run of the notebook's cell that ran as this one: a function that an
    // earlier run of a cell defined is replaced by one of the same name even if its parameters are
    // others. It was corrected, and is not an overload.
    void ask_for_newest_runs(std::function<int(int cell)> newest_run_of) {
        newest_run_of_ = std::move(newest_run_of);
    }

    // Has a cell given the name a meaning and a using-directive another one, as `count` after
    // `using namespace std`? Then the next unit means the cell's.
    bool prefer_own(std::string_view name);
    // While the compiler is inside the cell's namespace: those names are found there.
    void show_preferred();

    // unit: counts what was ever compiled (a cell may be several units); cell: its number as the
    // user sees it.
    void begin_unit(int unit, int cell);
    // While the compiler is inside the cell's namespace: what was declared since the last call
    // replaces what had its name.
    void declared();
    // While the compiler is at the beginning of a namespace that earlier cells have opened, after
    // a using-directive that names theirs. What they put into it is found in it, until it is
    // declared again; but for namespaces that are opened inside of it: clang would go on with the
    // old one.
    void reopened(const std::vector<std::string>& inner_namespaces);
    // Steps are numbered from 1 on. A variable is initialised once xcpp_step of the next number was
    // called; one with a constant initialiser already at the step before.
    void step(int step) { step_ = step; }
    // The cell ended by an exception after `done` steps: its later variables go, what they replaced
    // comes back.
    void withdraw_after(int done);

    std::vector<HeldName> held() const;
    // What this unit has defined although an earlier cell had, and the number of that cell.
    std::vector<std::pair<std::string, int>> replaced() const;
    // Is what the unit declared under that name still in use?
    bool holds(const std::string& name, int unit) const;

    // Functions that an earlier cell only declared, and their definitions in this unit.
    struct LateDefinition {
        const clang::FunctionDecl *declared, *defined;
    };
    std::vector<LateDefinition> late_definitions() const;
    // Functions that cells have declared and nothing has defined: a library may hold them.
    std::vector<clang::FunctionDecl*> only_declared() const;

private:
    struct CurrentDeclaration {
        clang::NamedDecl* declaration;
        int unit, cell;
        int step = 0;
    };
    struct Listener;
    struct Hidden {
        clang::NamedDecl* declaration;
        clang::NamedDecl* by;
        int unit, cell;
    };

    clang::Sema& sema() const;
    clang::IdentifierInfo& identifier(std::string_view name) const;
    const clang::MacroInfo* macro_info(std::string_view name) const;
    const std::vector<CurrentDeclaration>& live(std::string_view name) const;
    // What the path means; null if it means nothing.
    clang::NamedDecl* find(const std::vector<std::string_view>& path) const;
    bool is_corrected_by(const CurrentDeclaration& older, const clang::NamedDecl* newer) const;
    void replace_older(clang::NamedDecl* newer, clang::NamespaceDecl* space);
    void inherit_defaults(clang::NamedDecl* newer) const;
    void hide_global(clang::NamedDecl* newer);
    std::vector<clang::NamedDecl*> globals(std::string_view name) const;
    clang::NamespaceDecl* own_namespace(std::string_view name) const;
    std::string older_namespace(std::string_view name) const;
    void replace_own_namespace(clang::NamespaceDecl* newer);
    void remove_global(clang::NamedDecl* declaration);
    bool is_in_file(const clang::NamedDecl* declaration,
                    const std::function<bool(const std::string& file)>& is_own) const;
    void forget_functions_in(const clang::DeclContext* context,
                             const std::function<bool(const clang::NamedDecl*)>& meant);
    void undefine_global(std::string_view name) const;
    void merge_namespaces(clang::NamespaceDecl* newer, clang::NamespaceDecl* older);
    void merge_again(clang::NamespaceDecl* newer);
    void declared_in(const clang::NamespaceDecl* space, const clang::NamedDecl* newer);
    void spread(clang::NamespaceDecl* newer);

    clang::CompilerInstance& compiler_;
    std::function<bool(const std::string& file)> is_own_;
    std::function<int(int cell)> newest_run_of_;
    int unit_ = 0, cell_ = 0, step_ = 0;
    std::map<std::string, std::vector<CurrentDeclaration>>
        live_;  // by name as written; several for overloads
    std::map<std::string, std::vector<clang::FunctionDecl*>>
        c_functions_;  // extern "C": one function, even if a variable had its name meanwhile
    std::vector<std::string> preferred_;
    std::set<const clang::NamedDecl*> seen_;  // of this cell
    std::map<std::string, std::vector<clang::NamespaceDecl*>>
        generations_;  // namespaces that were replaced, by their path: "p::q"
    std::set<const clang::DeclContext*> reopened_;  // by this cell
    std::unique_ptr<Listener> listener_;
    std::vector<Hidden> hidden_;  // by this cell
};

}  // namespace xcpp_session
