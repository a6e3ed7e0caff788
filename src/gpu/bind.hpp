// Arguments put against the signature before anything is launched.
#pragma once

#include "backend.hpp"

#include <string>
#include <vector>

namespace lanes::gpu {

// `launch`: how messages begin. Throws Error that says which argument does not fit and what is
// wanted.
std::vector<BoundArgument> bind_arguments(const std::string& launch, const Device& device,
                                          const Signature& signature,
                                          const std::vector<Argument>& arguments);

// Sizes as the compiled function has them: a reading of the text that is wrong must not become a
// launch. `sizes` may be empty: nothing is known then.
void check_sizes(const std::string& launch, const std::vector<BoundArgument>& bound,
                 const std::vector<std::size_t>& sizes);

}  // namespace lanes::gpu
