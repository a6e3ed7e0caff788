// Where cppreference.com describes a name of the standard library.
#pragma once

#include <string>

namespace clang {
class NamedDecl;
}

namespace xcpp_session {

// The page, or a search if it is not one of the common names; "" for a name that is not of std.
std::string cppreference_link(const clang::NamedDecl& declaration);

}  // namespace xcpp_session
