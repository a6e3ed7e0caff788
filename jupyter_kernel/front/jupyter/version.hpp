#pragma once

namespace xcpp_front {
constexpr const char* version = "0.1.0";
}
