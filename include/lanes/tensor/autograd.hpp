// Gradients by reverse mode: each operation on a tensor that requires gradients records how its
// gradient is computed; backward() goes through these records from the last to the first.
//
//   auto w = lanes::Tensor::of({1, 2, 3}).requires_grad_();
//   auto loss = lanes::sum(w * w);
//   loss.backward();                          // w.grad() is 2 w; a second backward() adds to it
//   {
//       const lanes::NoGrad no_grad;          // nothing is recorded while it exists
//       w.add_(w.grad(), -0.1f);
//   }
//   w.zero_grad();
//   const lanes::DetectAnomaly anomaly;       // an Error names the operation that makes a NaN
#pragma once

#include "lanes/tensor/tensor.hpp"

#include <functional>

namespace lanes {

// Whether operations of this thread are recorded for backward().
bool grad_enabled();

// While an object exists, operations of this thread are not recorded.
class NoGrad {
public:
    NoGrad();
    ~NoGrad();
    NoGrad(const NoGrad&) = delete;
    NoGrad& operator=(const NoGrad&) = delete;

private:
    bool before_;
};

// While an object exists, the result of each operation of this thread and each gradient is searched
// for NaN. The first operation that makes one throws an Error with its name. This is slow.
class DetectAnomaly {
public:
    DetectAnomaly();
    ~DetectAnomaly();
    DetectAnomaly(const DetectAnomaly&) = delete;
    DetectAnomaly& operator=(const DetectAnomaly&) = delete;

private:
    bool before_;
};

// While an object exists, backward() of this thread calls a function with each leaf as soon as its
// gradient is complete, and with what it will add to leaf.grad() at its end. Training on many
// processes sends it while backward() computes those of earlier layers. The function must not
// change the gradient. Only the object that was made last is called.
class OnGradient {
public:
    using Function = std::function<void(const Tensor& leaf, const Tensor& gradient)>;
    explicit OnGradient(Function function);
    ~OnGradient();
    OnGradient(const OnGradient&) = delete;
    OnGradient& operator=(const OnGradient&) = delete;

private:
    Function function_;
    const Function* before_;
};

}  // namespace lanes
