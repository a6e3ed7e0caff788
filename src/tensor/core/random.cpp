#include "tensor_impl.hpp"

namespace lanes {

namespace tensor {

// One per thread, so that no lock is needed.
Rng& random_generator() {
    thread_local Rng rng(0);
    return rng;
}

}  // namespace tensor

void manual_seed(std::uint64_t seed) { tensor::random_generator() = Rng(seed); }

}  // namespace lanes
