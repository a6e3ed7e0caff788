#pragma once

#include "wire/version.hpp"

namespace xcpp_front {
using xcpp_wire::version;
constexpr const char* protocol_version = "5.3";  // of Jupyter's messages
}  // namespace xcpp_front
