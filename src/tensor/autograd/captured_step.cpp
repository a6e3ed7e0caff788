#include "lanes/tensor/captured_step.hpp"

#include "gpu/backend.hpp"
#include "gpu/trace_log.hpp"
#include "tensor/core/capture.hpp"
#include "tensor/core/kernels.hpp"
#include "tensor/core/tensor_impl.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/autograd.hpp"

#include <utility>

namespace lanes {

namespace {

// The copy that a CUDA graph reads.
Tensor fixed_copy(const Tensor& x, const Device& device) {
    return Tensor::empty(x.shape(), device, x.dtype());
}

bool same_kind(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && a.dtype() == b.dtype();
}

}  // namespace

struct CapturedStep::Impl {
    Function function;
    bool warm = false;  // the function has run once: CUDA kernels are compiled and loaded

    // what the graph uses; the order matters for the destructor: the graph goes first
    std::unique_ptr<tensor::Capture> capture;
    Tensor x;
    Tensor y;
    Tensor result;
    std::unique_ptr<gpu::CapturedGraph> recording;

    void record(const Device& device, const Tensor& like_x, const Tensor& like_y);
};

void CapturedStep::Impl::record(const Device& device, const Tensor& like_x, const Tensor& like_y) {
    x = fixed_copy(like_x, device);
    y = fixed_copy(like_y, device);
    capture = std::make_unique<tensor::Capture>(device);
    gpu::Backend& backend = *device.backend();
    backend.begin_capture();
    try {
        const tensor::CaptureScope scope(*capture);
        result = function(x, y);
        if (capture->counts()) {
            Tensor counter = capture->counter();
            tensor::kernels_of(device).count_up(counter);
        }
    } catch (...) {
        backend.cancel_capture();
        x = y = result = Tensor();
        capture.reset();
        throw;
    }
    recording = backend.end_capture();
}

CapturedStep::CapturedStep(Function function) : impl_(std::make_unique<Impl>()) {
    LANES_REQUIRE(function, "CapturedStep: the function is empty. Give a lambda.");
    impl_->function = std::move(function);
}
CapturedStep::~CapturedStep() = default;
CapturedStep::CapturedStep(CapturedStep&&) noexcept = default;
CapturedStep& CapturedStep::operator=(CapturedStep&&) noexcept = default;

bool CapturedStep::is_captured() const { return impl_->recording != nullptr; }

Tensor CapturedStep::operator()(const Tensor& x, const Tensor& y) {
    Impl& step = *impl_;
    tensor::require_same_device(x, y, "CapturedStep");
    LANES_REQUIRE(!grad_enabled() || (!x.requires_grad() && !y.requires_grad()),
                  "CapturedStep: its arguments of shape ", x.shape(), " and ", y.shape(),
                  " require gradients, but the step works on copies. Pass x.detach().");
    const Device& device = x.device();
    const bool fits = !step.x.defined() ||
                      (step.x.device() == device && same_kind(step.x, x) && same_kind(step.y, y));
    const bool is_traced = !step.recording && gpu::any_trace_is_open();
    if (!device.backend()->can_record() || !step.warm || !fits || is_traced) {
        step.warm = true;
        return step.function(x, y);
    }
    if (!step.recording) step.record(device, x, y);
    step.x.copy_(x);
    step.y.copy_(y);
    step.recording->replay();
    return step.result;
}

}  // namespace lanes
