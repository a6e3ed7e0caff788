#include "lanes/gpu/device.hpp"

#include "backend.hpp"
#include "comparing_backend.hpp"
#include "lanes/base/error.hpp"

#include "lanes/base/workers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

namespace lanes {

namespace {

constexpr const char* choices =
    "Say simulator, simulator:sm_80 (or another architecture), gpu:0 (or another number) or best.";

// The number behind "gpu:".
int gpu_number(const std::string& choice) {
    int number = -1;
    const char *first = choice.data() + 4, *last = choice.data() + choice.size();
    const auto [end, error] = std::from_chars(first, last, number);
    if (first == last || end != last || error != std::errc() || number < 0)
        throw Error("Device::best: LANES_DEVICE is '", choice,
                    "', which names no GPU by its number. ", choices);
    return number;
}

struct Scopes {
    std::mutex mutex;
    std::vector<std::pair<const DeviceScope*, Device>> open;
};

Scopes& scopes() {
    static auto* const all =
        new Scopes;  // never freed: a scope may outlive this file's own statics
    return *all;
}

}  // namespace

DeviceScope::DeviceScope(const Device& device) {
    const std::lock_guard<std::mutex> lock(scopes().mutex);
    scopes().open.emplace_back(this, device);
}

DeviceScope::~DeviceScope() {
    const std::lock_guard<std::mutex> lock(scopes().mutex);
    auto& open = scopes().open;
    open.erase(std::find_if(open.begin(), open.end(),
                            [&](const auto& scope) { return scope.first == this; }));
}

Device::Device(std::shared_ptr<gpu::Backend> backend, bool compared)
    : backend_(std::move(backend)), compared_(compared) {}

Device Device::best() {
    {
        const std::lock_guard<std::mutex> lock(scopes().mutex);
        if (!scopes().open.empty()) return scopes().open.back().second;
    }
    const char* set = std::getenv("LANES_DEVICE");
    const std::string choice = set ? set : "";
    if (choice == "simulator") return simulator();
    if (choice.compare(0, 10, "simulator:") == 0) return simulator(choice.substr(10));
    if (choice == "gpu") return gpu(0);
    if (choice.compare(0, 4, "gpu:") == 0) return gpu(gpu_number(choice));
    if (!choice.empty() && choice != "best")
        throw Error("Device::best: LANES_DEVICE is '" + choice + "', which is no device. " +
                    choices);
    return has_gpu() ? gpu(0) : simulator();
}

Device Device::gpu(int number) {
    if (number < 0)
        throw Error("Device::gpu: number ", number, " is negative. GPUs are counted from 0.");
    return {gpu::make_cuda_backend(number), false};
}

Device Device::simulator(const std::string& architecture) {
    return {gpu::make_simulator_backend(architecture, Checks()), false};
}

bool Device::has_gpu() { return why_no_gpu().empty(); }

std::string Device::why_no_gpu() {
    try {
        gpu::make_cuda_backend(0);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

Device Device::fast() const { return with(Checks::off()); }

Device Device::with(const Checks& checks) const {
    if (!is_simulator()) return *this;
    return {gpu::make_simulator_backend(architecture(), checks), false};
}

Device Device::compared() const {
    if (is_simulator() || compared_) return *this;
    return {gpu::make_comparing_backend(backend_,
                                        gpu::make_simulator_backend(architecture(), Checks())),
            true};
}

bool Device::is_simulator() const { return backend_->is_simulator(); }

const std::string& Device::name() const { return backend_->name(); }

const std::string& Device::architecture() const { return backend_->architecture(); }

const DeviceLimits& Device::limits() const { return backend_->limits(); }

const Checks& Device::checks() const { return backend_->checks(); }

std::string Device::description() const {
    std::string text = name() + ", " + architecture();
    if (!is_simulator()) {
        text += ", " + std::to_string(limits().multiprocessors) + " multiprocessors, " +
                std::to_string(limits().memory_bytes >> 30) + " GiB";
        return text + (compared_ ? ", compared with the simulator" : "");
    }
    const int workers = num_workers();
    text += ", " + std::to_string(workers) + (workers == 1 ? " worker" : " workers");
    if (!checks().any()) return text + ", no checks (fast)";
    text += ", checks:";
    for (const auto& [on, what] :
         {std::pair(checks().bounds, " bounds"), std::pair(checks().races, " races"),
          std::pair(checks().uninitialised, " uninitialised"),
          std::pair(checks().counters, " counters")})
        if (on) text += what;
    return text + ", " + std::to_string(checks().schedules) +
           (checks().schedules == 1 ? " schedule" : " schedules");
}

void Device::synchronize() const { backend_->synchronize(); }

bool Device::shares_memory_with(const Device& other) const {
    return backend_->shares_memory_with(*other.backend_) ||
           other.backend_->shares_memory_with(*backend_);
}

}  // namespace lanes
