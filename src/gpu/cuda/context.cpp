#include "context.hpp"

#include "wait.hpp"

#include "lanes/base/error.hpp"

#include <dlfcn.h>
#include <unistd.h>
#include <cstdio>
#include <map>

namespace lanes::gpu::cuda {

namespace {

constexpr unsigned stream_after_copies =
    0;  // CU_STREAM_DEFAULT: in order with the copies, which are in the stream that has no name

// Only a forked process can use the GPU again after a fault. The session of the Jupyter kernel can
// continue in one; false in a program, and in a process that a cell forked.
bool session_continues_in_fork() {
    auto* const ask = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "xcpp_continue_in_fork"));
    return ask && ask() == 0;
}

}  // namespace

std::shared_ptr<Context> Context::of_gpu(int number) {
    static std::mutex mutex;
    static std::map<int, std::shared_ptr<Context>> contexts;
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<Context>& context = contexts[number];
    if (!context) {
        try {
            context = std::make_shared<Context>(number);
        } catch (...) {
            contexts.erase(number);
            throw;
        }
    }
    return context;
}

Context::Context(int number) : number_(number) { open(driver()); }

void Context::open(const Driver& d) {
    const std::string operation = "Device::gpu(" + std::to_string(number_) + ")";
    int count = 0;
    if (const Result result = d.count(&count); result != 0)
        throw Error(operation + ": " + d.error_text(result) + ". " + advice_for(result));
    if (number_ >= count)
        throw Error(operation + ": the driver sees " + std::to_string(count) +
                    (count == 1 ? " GPU" : " GPUs") +
                    ", counted from 0. Use a smaller number, and look at CUDA_VISIBLE_DEVICES.");
    const auto require_now = [&](Result result) {
        if (result != 0)
            throw Error(operation + ": " + d.error_text(result) + ". " + advice_for(result));
    };
    require_now(d.device(&device_, number_));
    require_now(d.retain_context(&context_, device_));
    require_now(d.set_context(context_));
    require_now(d.create_stream(&stream_, stream_after_copies));
    read_limits(d);
    process_ = getpid();
    kept_ = std::make_unique<KeptProcess>("GPU memory");
    failed_.clear();
    staging_.reset();
    pinned_.clear();
    recording_ = false;
    ++generation_;
}

void Context::read_limits(const Driver& d) {
    const auto ask = [&](DeviceAttribute attribute) {
        int value = 0;
        d.attribute(&value, attribute, device_);
        return static_cast<unsigned>(value);
    };
    char name[256] = "";
    d.name(name, sizeof name, device_);
    name_ = name;
    architecture_ = "sm_" + std::to_string(ask(DeviceAttribute::architecture_major)) +
                    std::to_string(ask(DeviceAttribute::architecture_minor));
    limits_.threads_per_block = ask(DeviceAttribute::threads_per_block);
    limits_.block = {ask(DeviceAttribute::block_x), ask(DeviceAttribute::block_y),
                     ask(DeviceAttribute::block_z)};
    limits_.grid = {ask(DeviceAttribute::grid_x), ask(DeviceAttribute::grid_y),
                    ask(DeviceAttribute::grid_z)};
    limits_.shared_bytes_per_block = ask(DeviceAttribute::shared_bytes_per_block);
    limits_.shared_bytes_per_block_optin = ask(DeviceAttribute::shared_bytes_per_block_optin);
    limits_.constant_bytes = ask(DeviceAttribute::constant_bytes);
    limits_.multiprocessors = ask(DeviceAttribute::multiprocessors);
    d.total_memory(&limits_.memory_bytes, device_);
}

bool Context::is_alive(std::uint64_t generation) const {
    return generation == generation_ && process_ == getpid() && failed_.empty();
}

const Driver& Context::use() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    const bool forked = process_ != getpid();
    if (!forked && !failed_.empty())
        throw Error("Device " + name_ + ": it cannot be used by this process any more, because " +
                    failed_ + " failed. " +
                    (continues_in_fork_ ? "The next cell can use it again."
                                        : "Restart the Jupyter kernel or the program."));
    const Driver& d = driver();
    if (forked) {
        open(d);
    } else if (const Result result = d.set_context(context_); result != 0) {
        throw Error("Device " + name_ + ": " + d.error_text(result) + ". " + advice_for(result));
    }
    return d;
}

void Context::set_last_launch(const std::string& cuda_kernel) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    std::snprintf(last_launch_, sizeof last_launch_, "%s", cuda_kernel.c_str());
}

void Context::upload(DeviceAddress to, const void* from, std::size_t bytes) {
    require_no_capture("Buffer::upload");
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    const Driver& d = use();
    if (is_pinned(from, bytes)) {
        require(d.copy_to_device_async(to, from, bytes, stream_), "Buffer::upload");
        wait("Buffer::upload");
        return;
    }
    require(staging(d).upload(d, stream_, to, from, bytes), "Buffer::upload");
}

void Context::download(void* to, DeviceAddress from, std::size_t bytes) {
    require_no_capture("Buffer::download");
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    const Driver& d = use();
    if (is_pinned(to, bytes)) {
        require(d.copy_to_host_async(to, from, bytes, stream_), "Buffer::download");
        wait("Buffer::download");
        return;
    }
    require(staging(d).download(d, stream_, to, from, bytes), "Buffer::download");
    set_last_launch("");
}

Staging& Context::staging(const Driver& d) {
    if (!staging_) staging_ = std::make_unique<Staging>(d, context_);
    return *staging_;
}

bool Context::is_pinned(const void* start, std::size_t bytes) const {
    const auto* first = static_cast<const char*>(start);
    for (const auto& [begin, size] : pinned_) {
        const auto* pinned = static_cast<const char*>(begin);
        if (first >= pinned && first + bytes <= pinned + size) return true;
    }
    return false;
}

void Context::pin(void* start, std::size_t bytes) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    require(use().pin(start, bytes, 0), "PinnedBuffer");
    pinned_[start] = bytes;
}

void Context::unpin(void* start) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (pinned_.erase(start) > 0 && is_alive(generation_)) use().unpin(start);
}

void Context::begin_capture() {
    const Driver& d = use();
    require_no_capture("CapturedStep");
    // Memory is allocated meanwhile, which the stricter modes do not allow.
    constexpr int relaxed = 2;
    require(d.begin_capture(stream_, relaxed), "CapturedStep");
    recorder_ = std::this_thread::get_id();
    recording_ = true;
}

GraphHandle Context::end_capture(bool keep) {
    GraphHandle graph = nullptr;
    recording_ = false;
    const Driver& d = use();
    const Result result = d.end_capture(stream_, &graph);
    if (keep) require(result, "CapturedStep");
    if (keep || graph == nullptr) return graph;
    d.destroy_graph(graph);
    return nullptr;
}

void Context::require_no_capture(const std::string& operation) const {
    require_launches_allowed(operation);
    LANES_REQUIRE(!recording_, operation,
                  ": it waits for the GPU, but a CapturedStep only records here what the GPU will "
                  "do. Move it out of the step.");
}

void Context::require_launches_allowed(const std::string& operation) const {
    LANES_REQUIRE(!recording_ || recorder_ == std::this_thread::get_id(), operation,
                  ": another thread records a CapturedStep on ", name_,
                  " and would record this, too. Use the GPU in one thread until the second call of "
                  "the step has ended.");
}

void Context::wait(const std::string& operation) {
    const Driver& d = use();
    require(wait_for(d, stream_), operation);
    require(d.synchronize(), operation);  // what is in no stream, which takes no time of its own
    set_last_launch("");
}

void Context::require(Result result, const std::string& operation) {
    if (result == 0) return;
    const bool was_interrupted = result == interrupted_wait;
    if (!was_interrupted && !is_sticky(result))
        throw Error(operation + ": " + driver().error_text(result) + ". " + advice_for(result));
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    failed_ = operation;
    continues_in_fork_ = session_continues_in_fork();
    std::string text = operation + ": ";
    if (was_interrupted)
        text += "interrupted while the GPU ran a CUDA kernel, which cannot be stopped alone.";
    else
        text += driver().error_text(result) + ". " + advice_for(result);
    if (last_launch_[0] != '\0')
        text += std::string(
                    " It may come from a CUDA kernel that was started before; the last one was ") +
                last_launch_ + ".";
    text += continues_in_fork_
                ? " The Jupyter kernel continues in a new process: variables and functions are "
                  "kept, what was on the GPU is lost, and the next cell can use the GPU."
                : " After this error the driver refuses everything in this process: restart the "
                  "Jupyter kernel or the program.";
    throw Error(text);
}

}  // namespace lanes::gpu::cuda
