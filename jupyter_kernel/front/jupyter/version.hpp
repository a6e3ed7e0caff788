#pragma once

namespace xcpp_front {
constexpr const char* protocol_version = "5.3";  // of Jupyter's messages
}
