#pragma once

namespace xcpp_wire {
constexpr const char* version = "0.1.0";  // of the Jupyter kernel
}
