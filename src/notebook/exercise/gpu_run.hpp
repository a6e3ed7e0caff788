// Runs an answer that launches CUDA kernels: on the simulator with all its checks, and then on the
// GPU if there is one.
#pragma once

#include "judge.hpp"

#include "lanes/gpu/device.hpp"
#include "lanes/gpu/trace.hpp"

#include <exception>
#include <optional>
#include <vector>

namespace lanes::notebook {

// How the CUDA kernel must be launched: the number of blocks and of threads per block, in any
// dimensions.
struct LaunchRule {
    std::size_t blocks, threads;
    std::string says = "the assignment asks for ";  // the start of the sentence in messages
};

// Fails the check if nothing was launched, or with another shape.
void judge_launches(Judge& judge, const LaunchTrace& trace, const LaunchRule& rule);

// Calls the answer once on each device and gives its result to `compare`. Rule: LaunchRule, or a
// type with a function judge_launches of its own beside it.
template <class Rule = LaunchRule, class F, class G>
void run_on_devices(Judge& judge, const Rule& rule, F&& answer, G&& compare) {
    std::vector<Device> devices{Device::simulator()};
    if (Device::has_gpu()) devices.push_back(Device::gpu());
    for (const Device& device : devices) {
        const DeviceScope scope(device);
        const LaunchTrace trace;
        std::optional<decltype(answer())> result;
        std::exception_ptr thrown;
        try {
            result.emplace(answer());
        } catch (const std::exception&) {
            thrown = std::current_exception();
        }
        if (!thrown || !trace.launches().empty())
            judge_launches(judge, trace, rule);  // a wrong shape explains what went wrong after it
        judge.call([&] {
            if (thrown) std::rethrow_exception(thrown);
        });
        compare(*result);
    }
}

}  // namespace lanes::notebook
