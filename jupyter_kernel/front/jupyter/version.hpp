#pragma once

namespace xcpp_front {
constexpr const char* version = "0.1.0";
constexpr const char* protocol_version = "5.3";  // of Jupyter's messages
}  // namespace xcpp_front
