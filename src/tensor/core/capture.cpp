#include "capture.hpp"

#include "lanes/base/error.hpp"

namespace lanes::tensor {

namespace {

thread_local Capture* current = nullptr;

}  // namespace

Capture* current_capture() { return current; }

CaptureScope::CaptureScope(Capture& capture) : use_(capture.pool()) { current = &capture; }
CaptureScope::~CaptureScope() { current = nullptr; }

Capture::Capture(const Device& device)
    : device_(device), pool_(device), counter_(Tensor::zeros({1}, device, DType::int32)) {}

Tensor Capture::counter() {
    counts_ = true;
    return counter_;
}

void require_no_capture(const Tensor& x, const char* operation) {
    LANES_REQUIRE(current == nullptr || x.device() != current->device(), operation,
                  ": it copies values between a tensor of shape ", x.shape(), " on ",
                  x.device().id(),
                  " and the CPU inside a CapturedStep, which only records what the GPU will do. "
                  "Let the step return the tensor, and read it outside.");
}

}  // namespace lanes::tensor
