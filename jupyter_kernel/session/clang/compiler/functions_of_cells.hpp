// The functions that cells hold, with the names by which a user may mean them.
#pragma once

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace xcpp_session {

class SessionNames;

struct FunctionOfCell {
    const clang::FunctionDecl* declaration = nullptr;
    std::string name;       // "shapes::area"
    std::string full_name;  // with the arguments of templates: "twice<int>"
    std::string signature;  // "twice<int>(int)"
};

// Functions and members of classes and namespaces; of templates what was instantiated.
std::vector<FunctionOfCell> functions_of_cells(const SessionNames& names);

}  // namespace xcpp_session
