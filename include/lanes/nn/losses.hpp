// Losses as objects, which a training loop can be given.
//
//   const lanes::CrossEntropyLoss loss_function;
//   const auto labels = lanes::Tensor::from(std::vector<int>{3, 1});
//   lanes::Tensor logits = lanes::Tensor::randn({2, 10}).requires_grad_();
//   lanes::Tensor loss = loss_function(logits, labels);
//   loss.backward();
#pragma once

#include "lanes/tensor/ops.hpp"

namespace lanes {

// The mean of -log softmax(logits)[label]. logits: (batch, classes); labels: (batch), int32.
struct CrossEntropyLoss {
    Tensor operator()(const Tensor& logits, const Tensor& labels) const {
        return cross_entropy(logits, labels);
    }
};

// The mean of the squared differences.
struct MSELoss {
    Tensor operator()(const Tensor& y_hat, const Tensor& y) const { return mse_loss(y_hat, y); }
};

}  // namespace lanes
