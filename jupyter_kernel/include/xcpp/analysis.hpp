// For a library that analyses functions of cells. The configuration names its file ("analysis"),
// and the session loads it when it is first asked, by %references or by xcpp_references (capi.h).
//
// Such a library defines xcpp_analyse. It reads the syntax tree of the session, so it is compiled
// with the headers of the same clang and linked with the same shared library.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class NamedDecl;
class VarDecl;
}  // namespace clang

namespace xcpp {

// A name that cells have declared, and what it stands for now. A name of overloads comes once for
// each.
struct CellName {
    std::string name;
    const clang::NamedDecl* declaration = nullptr;
};

// A declaration or directive of a cell that ran.
struct CellDeclaration {
    int unit = 0;  // counts what was ever compiled: its declarations are in the namespace __c<unit>
    int cell = 0;  // the number of the cell, as the user sees it
    unsigned line = 0;  // of the cell
    std::vector<std::string> redefines,
        names;  // what it defines again by a qualified name ("A", "f" of `int A::f()`), and
                // declares
    std::string text;
};

struct AnalysisInput {
    clang::ASTContext& context;
    std::string name;               // what was asked for
    const void* address = nullptr;  // of the function that is meant; null: all of that name
    std::vector<CellName> names;
    const std::vector<CellDeclaration>& declarations;  // in the order in which they ran

    // The number N of the file name "In[N]", of the namespace "__cN"; 0 for any other.
    std::function<int(std::string_view file)> cell_of_file_name;
    std::function<int(std::string_view name)> unit_of_namespace_name;
    // Is the file a header of the user's own, which counts as part of cells?
    std::function<bool(const std::string& file)> is_own_header;
    // Where the machine code of a function of a cell is; null if there is none.
    std::function<const void*(const clang::FunctionDecl*)> address_of;
    // The session takes initialisers that have run out of the syntax tree. Null if there was none.
    std::function<clang::Expr*(const clang::VarDecl*)> detached_initialiser;
};

}  // namespace xcpp

// False if no cell holds the name. report: JSON, for those who call xcpp_references.
extern "C" __attribute__((visibility("default"))) bool xcpp_analyse(
    const xcpp::AnalysisInput& input, std::string& report);
