// How each function of the runtime begins and ends.
#pragma once

#include "runtime.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <exception>
#include <new>

namespace lanes::cuda_runtime {

// Runs the body under the lock. After a CUDA kernel failed, returns its error instead; an exception
// becomes an error code with an explanation.
template <class Body>
cudaError_t call(const void* caller, const char* function, Body body,
                 cudaError_t if_thrown = cudaErrorInvalidValue) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    if (runtime.sticky) {
        // Who looks at the result of any later call, looks at the error.
        const auto& ignored = runtime.manifest().ignored;
        const std::string place = place_of(caller).text();
        if (std::find(ignored.begin(), ignored.end(), place) == ignored.end()) runtime.looked_at();
        return runtime.sticky;
    }
    try {
        return body(runtime);
    } catch (const Error& error) {
        return runtime.fail(if_thrown, caller, function, error.what());
    } catch (const std::bad_alloc&) {
        return runtime.fail(cudaErrorMemoryAllocation, caller, function,
                            "the machine has no memory left. Use smaller arrays");
    } catch (const std::exception& error) {
        return runtime.fail(cudaErrorUnknown, caller, function, error.what());
    }
}

}  // namespace lanes::cuda_runtime
