// Checks the arguments of a launch against the signature before anything is launched.
#pragma once

#include "backend.hpp"

#include <string>
#include <vector>

namespace lanes::gpu {

// launch: how messages begin. Throws Error that says which argument does not fit and what is
// expected.
std::vector<BoundArgument> bind_arguments(const std::string& launch, const Device& device,
                                          const Signature& signature,
                                          const std::vector<Argument>& arguments);

// Compares with the sizes in the compiled function, so that a signature that was parsed wrongly
// never leads to a launch. sizes may be empty: then nothing is known.
void check_sizes(const std::string& launch, const std::vector<BoundArgument>& bound,
                 const std::vector<std::size_t>& sizes);

}  // namespace lanes::gpu
