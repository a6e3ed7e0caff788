// Local variables that may be read before they are set: the compiler's warnings name the places,
// and the instrumented code checks them.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

// The text with `LANES_USE(sum)` for `sum` wherever the compiler's log warns about it; the
// unchanged text if there is no warning. Line numbers do not change.
std::string with_watched_uses(const std::string& text, const std::string& name,
                              const std::string& log);

}  // namespace lanes::gpu::simulator
