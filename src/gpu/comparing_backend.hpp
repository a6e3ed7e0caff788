// A device whose launches run on a second one as well, from the same inputs; what the two leave in
// the buffers must agree.
#pragma once

#include "backend.hpp"

#include <memory>

namespace lanes::gpu {

// Memory is the device's own; the reference gets copies for each launch. The reference runs first:
// a simulator says more about a wrong CUDA kernel.
std::shared_ptr<Backend> make_comparing_backend(std::shared_ptr<Backend> device,
                                                std::shared_ptr<Backend> reference);

}  // namespace lanes::gpu
