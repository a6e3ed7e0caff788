// Local variables that may be read before they have a value: the compiler names the places, and the
// instrumented text looks there.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

// The text with `sum` as `LANES_USE(sum)` wherever the compiler's log has warned of it; the text
// itself where it has not. Lines stay what they are.
std::string with_watched_uses(const std::string& text, const std::string& name,
                              const std::string& log);

}  // namespace lanes::gpu::simulator
