// Words of CUDA that the simulator does not know. Looked for only in a text that does not compile: whoever gives one of these names to a thing of their own
// may.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

// "cell.cu:3: tex2D: …" with a sentence what to do instead, one line each; "" where the text uses none.
std::string unsupported_words(const std::string& text, const std::string& name);

}  // namespace lanes::gpu::simulator
