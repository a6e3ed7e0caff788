// Streams and events. Everything is carried out at once and in order, so a stream is only a name,
// and an event the time of its record.
#include "call.hpp"

#include <optional>

struct CUstream_st {};
struct CUevent_st {
    std::optional<std::chrono::steady_clock::time_point> recorded;
};

namespace lanes::cuda_runtime {

namespace {

template <class Handle>
class Handles {
public:
    Handle* add() {
        all_.push_back(std::make_unique<Handle>());
        return all_.back().get();
    }
    void require(const Handle* handle, const char* what) const {
        if (std::none_of(all_.begin(), all_.end(),
                         [&](const auto& known) { return known.get() == handle; }))
            throw Error("this is no ", what, " that exists. Was it created, and not destroyed?");
    }
    void remove(const Handle* handle) {
        all_.erase(std::remove_if(all_.begin(), all_.end(),
                                  [&](const auto& known) { return known.get() == handle; }),
                   all_.end());
    }

private:
    std::vector<std::unique_ptr<Handle>> all_;
};

Handles<CUstream_st>& streams() {
    static Handles<CUstream_st> all;
    return all;
}
Handles<CUevent_st>& events() {
    static Handles<CUevent_st> all;
    return all;
}

void require_stream(cudaStream_t stream) {
    if (stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread)
        streams().require(stream, "stream");
}

cudaError_t create_stream(cudaStream_t* stream, const void* caller, const char* function) {
    return call(caller, function, [&](Runtime&) {
        *stream = streams().add();
        return cudaSuccess;
    });
}

// Most functions here have nothing to do but to look at their handles.
template <class Body>
cudaError_t handled(const void* caller, const char* function, Body body) {
    return call(
        caller, function,
        [&](Runtime&) {
            body();
            return cudaSuccess;
        },
        cudaErrorInvalidResourceHandle);
}

}  // namespace

}  // namespace lanes::cuda_runtime

using namespace lanes::cuda_runtime;  // NOLINT: the functions below are CUDA's

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return create_stream(stream, LANES_CALLER, "cudaStreamCreate");
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return create_stream(stream, LANES_CALLER, "cudaStreamCreateWithFlags");
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    return create_stream(stream, LANES_CALLER, "cudaStreamCreateWithPriority");
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return handled(LANES_CALLER, "cudaStreamDestroy", [&] {
        streams().require(stream, "stream");
        streams().remove(stream);
    });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return handled(LANES_CALLER, "cudaStreamSynchronize", [&] { require_stream(stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return handled(LANES_CALLER, "cudaStreamQuery", [&] { require_stream(stream); });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return handled(LANES_CALLER, "cudaStreamWaitEvent", [&] {
        require_stream(stream);
        events().require(event, "event");
    });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
    callback(stream, Runtime::get().sticky, data);
    return Runtime::get().sticky;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
    function(data);
    return Runtime::get().sticky;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    return handled(LANES_CALLER, "cudaEventCreate", [&] { *event = events().add(); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return handled(LANES_CALLER, "cudaEventRecord", [&] {
        require_stream(stream);
        events().require(event, "event");
        event->recorded = std::chrono::steady_clock::now();
    });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return handled(LANES_CALLER, "cudaEventSynchronize", [&] { events().require(event, "event"); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return handled(LANES_CALLER, "cudaEventQuery", [&] { events().require(event, "event"); });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    return handled(LANES_CALLER, "cudaEventElapsedTime", [&] {
        events().require(begin, "event");
        events().require(end, "event");
        if (!begin->recorded || !end->recorded)
            throw lanes::Error("an event was never recorded. Call cudaEventRecord for both");
        *milliseconds =
            std::chrono::duration<float, std::milli>(*end->recorded - *begin->recorded).count();
    });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return handled(LANES_CALLER, "cudaEventDestroy", [&] {
        events().require(event, "event");
        events().remove(event);
    });
}
