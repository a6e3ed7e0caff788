// The operations on tensors. Each runs on the device of its operands and can be differentiated.
//
//   const auto x = lanes::Tensor::randn({16, 3, 32, 32});
//   const auto w = lanes::Tensor::randn({8, 3, 3, 3});
//   const auto bias = lanes::Tensor::zeros({8});
//   auto y = lanes::relu(lanes::conv2d(x, w, bias, lanes::Conv2dOptions().padding(1)));
//   y = lanes::max_pool2d(y, lanes::Pool2dOptions(3).stride(2).padding(1));  // (16, 8, 16, 16)
//   const auto means = lanes::mean(y, {2, 3});                               // (16, 8)
//   const auto shifted = y * 2 + lanes::Tensor::ones({8, 1, 1});
#pragma once

#include "lanes/base/option.hpp"
#include "lanes/tensor/tensor.hpp"

#include <cstddef>
#include <vector>

namespace lanes {

// --- arithmetic, element by element. Shapes are broadcast: they are aligned at their last axis,
// and an axis of extent 1, or one that is missing, is repeated.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& a, float b);
Tensor operator-(const Tensor& a, float b);
Tensor operator*(const Tensor& a, float b);
Tensor operator/(const Tensor& a, float b);
Tensor operator+(float a, const Tensor& b);
Tensor operator-(float a, const Tensor& b);
Tensor operator*(float a, const Tensor& b);
Tensor operator/(float a, const Tensor& b);
Tensor operator-(const Tensor& x);

Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor square(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor tanh(const Tensor& x);

// --- along axes. Without axes: of all elements; an empty list leaves x as it is, as in NumPy.
// keepdim leaves an extent of 1 in their place.
Tensor sum(const Tensor& x);
Tensor sum(const Tensor& x, const std::vector<int>& axes, bool keepdim = false);
Tensor mean(const Tensor& x);
Tensor mean(const Tensor& x, const std::vector<int>& axes, bool keepdim = false);
Tensor max(const Tensor& x);
Tensor max(const Tensor& x, int axis, bool keepdim = false);
Tensor argmax(const Tensor& x, int axis = -1);  // int32; the first of equal ones

// --- matrices. a: (m, k), b: (k, n) -> (m, n); a transposed side is given as (k, m) or (n, k).
Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a = false, bool transpose_b = false);
enum class Activation { none, relu, sigmoid };
// x: (batch, in), weight: (out, in), bias: (out) or none -> activation(x · weightᵀ + bias)
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
              Activation activation = Activation::none);

// --- shapes
Tensor transpose(const Tensor& x, int axis_a = 0, int axis_b = 1);
Tensor permute(const Tensor& x, const std::vector<int>& axes);
struct Padding {
    std::size_t left = 0;
    std::size_t right = 0;
    std::size_t top = 0;
    std::size_t bottom = 0;
};
Tensor pad(const Tensor& x, const Padding& padding, float value = 0);  // of the last two axes
Tensor index_select(const Tensor& x, const Tensor& rows);  // rows: (n), int32; along axis 0
// One after the other along an axis; all other extents must agree.
Tensor cat(const std::vector<Tensor>& tensors, int axis = 0);
Tensor stack(const std::vector<Tensor>& tensors, int axis = 0);  // of one shape, along a new axis

// --- classification
Tensor softmax(const Tensor& x, int axis = -1);
Tensor log_softmax(const Tensor& x, int axis = -1);
// logits: (batch, classes), labels: (batch), int32 -> mean of -log softmax(logits)[label]. A label
// that is no class is an Error on the CPU. On a GPU and the simulator the loss becomes NaN instead:
// to check the labels, the host would have to wait for them.
Tensor cross_entropy(const Tensor& logits, const Tensor& labels);
Tensor mse_loss(const Tensor& y_hat, const Tensor& y);       // mean of the squared differences
float accuracy(const Tensor& logits, const Tensor& labels);  // share of right rows, 0 to 1

// --- images, (batch, channels, height, width)
class Conv2dOptions {
    LANES_OPTION(Conv2dOptions, std::size_t, stride, 1)
    // Zeros on each side.
    LANES_OPTION(Conv2dOptions, std::size_t, padding, 0)
};
// weight: (out, in, height, width), bias: (out) or none
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
              const Conv2dOptions& options = {});
class Pool2dOptions {
public:
    explicit Pool2dOptions(std::size_t kernel_size) : kernel_size_(kernel_size) {}
    std::size_t kernel_size() const { return kernel_size_; }

private:
    std::size_t kernel_size_;  // the stride, too, unless another one is given
    LANES_OPTION(Pool2dOptions, std::size_t, stride, kernel_size_)
    LANES_OPTION(Pool2dOptions, std::size_t, padding, 0)
};
Tensor max_pool2d(const Tensor& x, const Pool2dOptions& options);
Tensor avg_pool2d(const Tensor& x, const Pool2dOptions& options);  // padding counts as zeros
Tensor adaptive_avg_pool2d(const Tensor& x, std::size_t height, std::size_t width);

// --- regularisation
class BatchNormOptions {
    LANES_OPTION(BatchNormOptions, float, eps, 1e-5f)
    // How far the running statistics move.
    LANES_OPTION(BatchNormOptions, float, momentum, 0.1f)
};
// x: (batch, channels) or (batch, channels, height, width); the other tensors: (channels). Training
// normalises by the batch's own mean and variance and moves running_mean and running_var towards
// them; otherwise these two are used.
Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Tensor& running_mean,
                  Tensor& running_var, bool training = true, const BatchNormOptions& options = {});
// Each element becomes 0 with the probability p, else it is divided by 1 - p.
Tensor dropout(const Tensor& x, float p, bool training = true);

}  // namespace lanes
