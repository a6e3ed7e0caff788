#include "runtime.hpp"

#include "gpu/simulator/object/elf.hpp"
#include "gpu/whole_program/build.hpp"
#include "lanes/base/error.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace lanes::cuda_runtime {

namespace {

using gpu::whole_program::DeviceUnit;
using gpu::whole_program::Launchable;

std::size_t rounded_to_pages(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

void protect(const Allocation& allocation, int access) {
    if (allocation.kind == Allocation::Kind::device && allocation.bytes > 0)
        mprotect(allocation.first, rounded_to_pages(allocation.bytes), access);
}

void at_exit(int status, void*) { Runtime::get().report_at_exit(status); }

gpu::whole_program::Manifest read_manifest() {
    const char* path = std::getenv(gpu::whole_program::manifest_variable);
    std::ifstream file(path ? path : "", std::ios::binary);
    if (!path || !file) {
        std::fputs("This program was compiled by tools/run-cu. Start it with tools/run-cu.\n",
                   stderr);
        std::exit(2);
    }
    return gpu::whole_program::manifest_of({std::istreambuf_iterator<char>(file), {}});
}

// Before main(): the program may fail before its first CUDA function.
__attribute__((constructor)) void begin() { Runtime::get(); }

}  // namespace

Runtime& Runtime::get() {
    // Never destroyed: it is used until the program ends.
    static auto& runtime = *new Runtime();
    return runtime;
}

Runtime::Runtime() : manifest_(read_manifest()) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed notebook or run-cu leaves no program behind
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a notebook shows lines as they come
    on_exit(at_exit, nullptr);
    install_crash_handler();
}

const Device& Runtime::device() {
    if (!device_) {
        const Device best = Device::best();
        device_ = std::make_unique<Device>(manifest_.fast ? best.fast() : best);
    }
    return *device_;
}

// --- Memory

Allocation& Runtime::allocate(Allocation::Kind kind, std::size_t bytes, const void* caller,
                              const char* function) {
    Allocation allocation{kind, nullptr, bytes, nullptr, caller, function};
    if (kind == Allocation::Kind::device || on_simulator()) {
        allocation.memory = device().backend()->allocate(bytes, 1);
        allocation.first = static_cast<unsigned char*>(allocation.memory->address());
    } else {
        void* const pages = mmap(nullptr, rounded_to_pages(std::max<std::size_t>(bytes, 1)),
                                 PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) throw Error("no memory is left for ", bytes, " bytes");
        device().backend()->pin(pages, bytes);
        allocation.first = static_cast<unsigned char*>(pages);
    }
    // What the host writes is not observed: it counts as set.
    if (kind != Allocation::Kind::device && on_simulator()) allocation.memory->fill_zero();
    if (on_simulator()) protect(allocation, PROT_NONE);
    return allocations_[reinterpret_cast<std::uintptr_t>(allocation.first)] = allocation;
}

void Runtime::free(unsigned char* first, const void* caller) {
    const auto found = allocations_.find(reinterpret_cast<std::uintptr_t>(first));
    Allocation& allocation = found->second;
    if (!allocation.memory) {
        device().backend()->unpin(first);
        munmap(first, rounded_to_pages(std::max<std::size_t>(allocation.bytes, 1)));
    }
    allocation.memory.reset();
    freed_.emplace_back(allocation, caller);
    allocations_.erase(found);
}

void Runtime::free_all() {
    while (!allocations_.empty()) free(allocations_.begin()->second.first, nullptr);
}

Allocation* Runtime::find(const void* address) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    auto next = allocations_.upper_bound(value);
    if (next == allocations_.begin()) return nullptr;
    Allocation& allocation = std::prev(next)->second;
    const std::uintptr_t offset = value - reinterpret_cast<std::uintptr_t>(allocation.first);
    // One past the end belongs to it, too: loops end there.
    return offset <= allocation.bytes ? &allocation : nullptr;
}

const std::pair<Allocation, const void*>* Runtime::find_freed(const void* address) const {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    for (auto at = freed_.rbegin(); at != freed_.rend(); ++at)
        if (value - reinterpret_cast<std::uintptr_t>(at->first.first) < at->first.bytes)
            return &*at;
    return nullptr;
}

HostAccess::HostAccess(Allocation* only) : only_(only) {
    Runtime& runtime = Runtime::get();
    if (!runtime.on_simulator()) return;
    if (only_)
        protect(*only_, PROT_READ | PROT_WRITE);
    else
        for (const auto& [address, allocation] : runtime.allocations())
            protect(allocation, PROT_READ | PROT_WRITE);
}

HostAccess::~HostAccess() {
    Runtime& runtime = Runtime::get();
    if (!runtime.on_simulator()) return;
    if (only_)
        protect(*only_, PROT_NONE);
    else
        for (const auto& [address, allocation] : runtime.allocations())
            protect(allocation, PROT_NONE);
}

// --- CUDA kernels and variables

gpu::Module& Runtime::module(const DeviceUnit& unit, bool fast) {
    Compiled& compiled = compiled_[&unit];
    auto& wanted = compiled.modules[fast];
    if (!wanted) {
        const Device used = fast ? device().fast() : device();
        wanted =
            used.backend()->compile(gpu::whole_program::program_text(unit, used.architecture()));
    }
    const auto& other = compiled.modules[!fast];
    if (other && compiled.fast != fast)
        for (const gpu::Variable& variable : gpu::read_declarations(unit.text).variables) try {
                const auto from = other->variable(variable.qualified_name());
                std::vector<unsigned char> value(from->bytes());
                from->download(0, value.data(), value.size());
                wanted->variable(variable.qualified_name())->upload(0, value.data(), value.size());
            } catch (const Error&) {
                continue;  // no CUDA kernel uses it
            }
    compiled.fast = fast;
    return *wanted;
}

gpu::Module& Runtime::present_module(const DeviceUnit& unit) {
    return module(unit, compiled_[&unit].fast);
}

CudaKernelHandle* Runtime::cuda_kernel(const void* function) {
    if (const auto found = cuda_kernels_.find(function); found != cuda_kernels_.end())
        return &found->second;
    const Symbol symbol = symbol_at(function);
    for (const DeviceUnit& unit : manifest_.units)
        for (const Launchable& launchable : unit.launchables)
            if (launchable.symbol == symbol.name && symbol.belongs_to(unit)) {
                CudaKernelHandle handle;
                handle.entry = module(unit, false).entry(launchable.expression);
                handle.unit = &unit;
                handle.expression = launchable.expression;
                return &cuda_kernels_.emplace(function, std::move(handle)).first->second;
            }
    return nullptr;
}

gpu::Entry& Runtime::entry_to_launch(CudaKernelHandle& handle) {
    constexpr double long_enough = 3;  // seconds
    const bool fast = handle.checked_seconds > long_enough && !handle.blocks_wait;
    gpu::Module& compiled = module(*handle.unit, fast);
    if (!fast) return *handle.entry;
    if (!handle.without_checks) {
        std::fflush(stdout);
        if (std::isfinite(handle.checked_seconds))
            std::fprintf(
                stderr,
                "%s: %.0f s of checks found nothing wrong with it; further launches of it are "
                "not checked.\n",
                handle.expression.c_str(), handle.checked_seconds);
        handle.without_checks = compiled.entry(handle.expression);
    }
    return *handle.without_checks;
}

std::shared_ptr<gpu::Memory> Runtime::variable(const void* symbol, std::string* name) {
    const Symbol found = symbol_at(symbol);
    if (found.name.empty())
        throw Error(
            "this is no __device__ or __constant__ variable of the program. Give the "
            "variable itself, not its name in quotes and not a pointer");
    std::string qualified = gpu::simulator::demangled(found.name);
    const std::string unnamed = "(anonymous namespace)::";
    for (std::size_t at; (at = qualified.find(unnamed)) != std::string::npos;)
        qualified.erase(at, unnamed.size());
    if (name) *name = qualified;
    for (const DeviceUnit& unit : manifest_.units) try {
            if (found.belongs_to(unit)) return present_module(unit).variable(qualified);
        } catch (const Error&) {
            continue;  // not in this file
        }
    throw Error(qualified,
                " is used by no CUDA kernel of the program, so the compiler left it out");
}

void Runtime::count(const LaunchReport& launch) {
    ++report_.launches;
    report_.loads += launch.counters.global_loads;
    report_.stores += launch.counters.global_stores;
}

// --- Errors

void Runtime::say(const std::string& text) {
    std::fflush(stdout);
    std::fputs(text.c_str(), stderr);
    report_.findings += text;
}

cudaError_t Runtime::fail(cudaError_t error, const void* caller, const std::string& function,
                          const std::string& explanation) {
    last = error;
    const Place place = place_of(caller);
    std::string why = gpu::whole_program::in_cuda_words(explanation);
    if (!why.empty() && why.back() == '.') why.pop_back();
    say((place.line > 0 ? place.text() : "the program") + ": " + function + ": " + why + ". (" +
        error_name(error) + ")" + shown_line(place) + "\n");
    const auto& ignored = manifest_.ignored;
    if (std::find(ignored.begin(), ignored.end(), place.text()) != ignored.end() ||
        function.find("<<<") != std::string::npos)
        unseen_.emplace_back(caller, function + " failed with " + error_name(error));
    return error;
}

void Runtime::note(const std::string& message, const void* caller) {
    const Place place = place_of(caller);
    say(message + "\n" +
        (place.line > 0 ? "launched in " + place.text() + shown_line(place) + "\n" : ""));
}

void Runtime::fault(cudaError_t error, const std::string& message, const void* caller) {
    any_finding = true;
    sticky = last = error;
    note(message, caller);
    unseen_.emplace_back(caller, std::string("a CUDA kernel failed with ") + error_name(error));
}

void Runtime::report_at_exit(int status) {
    std::fflush(nullptr);
    for (const auto& [caller, what] : unseen_)
        say(place_text(caller) + ": " + what +
            ", and the program never looked at the error. Compare the results of CUDA's functions "
            "with cudaSuccess; after a launch, ask cudaGetLastError() and "
            "cudaDeviceSynchronize().\n");
    if (status == 0 && !any_finding) {
        std::map<std::string, std::pair<std::size_t, std::size_t>> left;  // count, bytes
        for (const auto& [address, allocation] : allocations_) {
            auto& at = left[place_text(allocation.caller) + ": " + allocation.function];
            ++at.first;
            at.second += allocation.bytes;
        }
        for (const auto& [place, at] : left) {
            const bool pinned = place.find("Host") != std::string::npos;
            say(place + ": " + std::to_string(at.second) + " bytes" +
                (at.first > 1 ? " in " + std::to_string(at.first) + " allocations" : "") +
                " were never freed. Call " + (pinned ? "cudaFreeHost" : "cudaFree") +
                " when they are no longer needed.\n");
        }
    }
    if (!manifest_.report.empty())
        std::ofstream(manifest_.report, std::ios::binary) << gpu::whole_program::to_bytes(report_);
    std::fflush(nullptr);
    if (any_finding && !unseen_.empty() && status == 0) _exit(1);
}

}  // namespace lanes::cuda_runtime
