// A training step whose launches are captured once and then started all together: on a GPU, a small
// network spends most of its time on starting one CUDA kernel after the other.
//
//   auto w = lanes::Tensor::zeros({10, 784}).requires_grad_();
//   lanes::CapturedStep step([&](const lanes::Tensor& x, const lanes::Tensor& labels) {
//       w.zero_grad();
//       lanes::Tensor loss = lanes::cross_entropy(lanes::linear(x, w), labels);
//       loss.backward();
//       const lanes::NoGrad no_grad;
//       w.add_(w.grad(), -0.1f);
//       return loss;
//   });
//   const auto x = lanes::Tensor::rand({16, 784});
//   const auto labels = lanes::Tensor::from(std::vector<int>(16, 3));
//   for (int i = 0; i < 3; ++i) step(x, labels);
//
// On a GPU the first call runs the function as it is, the second one captures it (as a CUDA graph),
// and each further one replays what was captured, with the values of its own x and y. So the
// function must do the same operations each time; it may not read values (item(), cpu()), nor
// decide by them. Numbers that it computes on the CPU are captured as they are; learning rates of
// optimizers and the random numbers of dropout do change. Gradients must be cleared inside the
// step. Tensors of another shape are computed without a graph. On the CPU and the simulator the
// function is called each time, and so it is while a LaunchTrace exists, which waits for each
// launch.
#pragma once

#include "lanes/tensor/tensor.hpp"

#include <functional>
#include <memory>

namespace lanes {

class CapturedStep {
public:
    using Function = std::function<Tensor(const Tensor& x, const Tensor& y)>;

    explicit CapturedStep(Function function);
    ~CapturedStep();
    CapturedStep(CapturedStep&&) noexcept;
    CapturedStep& operator=(CapturedStep&&) noexcept;

    // What the function returns, such as the loss. After a capture it is always the same tensor:
    // the next call changes its elements. Reading them waits for the GPU.
    Tensor operator()(const Tensor& x, const Tensor& y);

    bool is_captured() const;  // whether the next call with tensors of that shape is a replay

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanes
