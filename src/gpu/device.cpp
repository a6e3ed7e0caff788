#include "lanes/gpu/device.hpp"

#include "backend.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/workers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <ostream>
#include <utility>
#include <vector>

namespace lanes {

namespace {

constexpr const char* choices =
    "Use simulator, simulator:sm_80 (or another architecture), cuda:0 (or another number) or best.";

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

// The number after "cuda:" or "gpu:"; 0 if there is none.
int gpu_number(const std::string& name, const std::string& what) {
    const std::size_t colon = name.find(':');
    if (colon == std::string::npos) return 0;
    int number = -1;
    const char* const first = name.data() + colon + 1;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(first, last, number);
    if (first == last || end != last || error != std::errc() || number < 0)
        throw Error(what, " '", name, "', which names no GPU by its number. ", choices);
    return number;
}

// For machine_line() in base.
[[maybe_unused]] const bool device_is_named = detail::set_device_name([]() -> std::string {
    const Device device = Device::best();
    return device.is_simulator() ? "CUDA simulator" : device.name();
});

// what: how the error message begins, which says where the name came from.
Device device_of(const std::string& name, const std::string& what) {
    if (name == "cpu") return Device::cpu();
    if (name == "simulator") return Device::simulator();
    if (starts_with(name, "simulator:")) return Device::simulator(name.substr(10));
    if (name == "cuda" || name == "gpu" || starts_with(name, "cuda:") || starts_with(name, "gpu:"))
        return Device::gpu(gpu_number(name, what));
    if (name == "best") return Device::best();
    throw Error(what, " '", name, "', which is no device. ", choices);
}

struct Scopes {
    std::mutex mutex;
    std::vector<std::pair<const DeviceScope*, Device>> open;
};

Scopes& scopes() {
    // Never freed: a scope may outlive the static objects of this file.
    static auto* const all = new Scopes;
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

Device::Device(std::shared_ptr<gpu::Backend> backend) : backend_(std::move(backend)) {}

Device Device::best() {
    {
        const std::lock_guard<std::mutex> lock(scopes().mutex);
        if (!scopes().open.empty()) return scopes().open.back().second;
    }
    const char* set = std::getenv("LANES_DEVICE");
    const std::string choice = set ? set : "";
    if (choice.empty() || choice == "best") return has_gpu() ? gpu(0) : simulator();
    const Device device = device_of(choice, "Device::best: LANES_DEVICE is");
    if (device.is_cpu())
        throw Error("Device::best: LANES_DEVICE is 'cpu', which runs no CUDA kernels. ", choices);
    return device;
}

Device::Device(const char* name) : Device(std::string(name)) {}

Device::Device(const std::string& name) : Device(device_of(name, "Device: the name is")) {}

Device Device::cpu() { return Device(gpu::cpu_backend()); }

std::vector<Device> Device::all() {
    std::vector<Device> devices{cpu()};
    for (int number = 0; number < gpu::cuda_device_count(); ++number)
        devices.push_back(gpu(number));
    devices.push_back(simulator());
    return devices;
}

Device Device::gpu(int number) {
    if (number < 0)
        throw Error("Device::gpu: number ", number, " is negative. GPUs are counted from 0.");
    return Device(gpu::make_cuda_backend(number));
}

Device Device::simulator(const std::string& architecture) {
    return Device(gpu::make_simulator_backend(architecture, Checks()));
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
    return Device(gpu::make_simulator_backend(architecture(), checks));
}

bool Device::is_cpu() const { return backend_->is_cpu(); }

std::string Device::id() const { return backend_->id(); }

std::size_t Device::free_bytes() const { return backend_->free_bytes(); }

bool Device::is_simulator() const { return backend_->is_simulator(); }

const std::string& Device::name() const { return backend_->name(); }

const std::string& Device::architecture() const { return backend_->architecture(); }

const DeviceLimits& Device::limits() const { return backend_->limits(); }

const Checks& Device::checks() const { return backend_->checks(); }

std::string Device::description() const {
    std::string text = name() + ", " + architecture();
    if (is_cpu()) {
        const int cores = num_workers();
        return text + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
    }
    if (!is_simulator())
        return text + ", " + std::to_string(limits().multiprocessors) + " multiprocessors, " +
               std::to_string(limits().memory_bytes >> 30) + " GiB";
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
    return backend_ == other.backend_ || backend_->shares_memory_with(*other.backend_) ||
           other.backend_->shares_memory_with(*backend_);
}

std::ostream& operator<<(std::ostream& out, const Device& device) { return out << device.id(); }

}  // namespace lanes
