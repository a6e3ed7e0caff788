#pragma once

#include <string>

namespace xcpp_session {

// "Debian clang version 19.1.7 (3~deb12u1)": the one that compiles the cells.
std::string clang_version();

}  // namespace xcpp_session
