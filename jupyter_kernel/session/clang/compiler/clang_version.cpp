#include "clang_version.hpp"

#include "clang/Basic/Version.h"

namespace xcpp_session {

std::string clang_version() { return clang::getClangFullVersion(); }

}  // namespace xcpp_session
