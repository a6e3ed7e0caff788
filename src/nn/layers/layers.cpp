#include "lanes/nn/layers.hpp"

#include "module_state.hpp"

#include "lanes/tensor/autograd.hpp"

#include <cmath>
#include <typeinfo>
#include <utility>

namespace lanes {

namespace {

// PyTorch's kaiming_uniform_ with a = √5, and its biases: uniform in (-1/√fan_in, 1/√fan_in).
Tensor initial(const Shape& shape, std::size_t fan_in) {
    const NoGrad no_grad;
    const float bound = fan_in == 0 ? 0 : 1 / std::sqrt(static_cast<float>(fan_in));
    return Tensor::rand(shape) * (2 * bound) - bound;
}

std::string pair_text(std::size_t height, std::size_t width) {
    return "(" + std::to_string(height) + ", " + std::to_string(width) + ")";
}

std::string convolution_text(std::size_t in, std::size_t out, std::size_t kernel,
                             const Conv2dOptions& options, bool bias) {
    std::string text = std::to_string(in) + ", " + std::to_string(out) +
                       ", kernel_size=" + pair_text(kernel, kernel) +
                       ", stride=" + pair_text(options.stride(), options.stride());
    if (options.padding() > 0)
        text += ", padding=" + pair_text(options.padding(), options.padding());
    return text + (bias ? "" : ", bias=false");
}

std::string pool_text(const Pool2dOptions& options) {
    return "kernel_size=" + std::to_string(options.kernel_size()) +
           ", stride=" + std::to_string(options.stride()) +
           ", padding=" + std::to_string(options.padding());
}

}  // namespace

Linear::Linear(std::size_t in_features, std::size_t out_features, bool bias)
    : Module("Linear", "in_features=" + std::to_string(in_features) + ", out_features=" +
                           std::to_string(out_features) + ", bias=" + to_text(bias)) {
    register_parameter("weight", initial({out_features, in_features}, in_features));
    if (bias) register_parameter("bias", initial({out_features}, in_features));
}

Tensor Linear::bias() const { return has_own_parameter(1) ? own_parameter(1) : Tensor(); }

Tensor Linear::forward(const Tensor& x) { return forward(x, Activation::none); }

Tensor Linear::forward(const Tensor& x, Activation activation) {
    return linear(x, own_parameter(0), bias(), activation);
}

Conv2d::Conv2d(std::size_t in_channels, std::size_t out_channels, std::size_t kernel_size,
               const Conv2dOptions& options, bool bias)
    : Module("Conv2d", convolution_text(in_channels, out_channels, kernel_size, options, bias)) {
    register_options(options);
    const std::size_t fan_in = in_channels * kernel_size * kernel_size;
    register_parameter("weight",
                       initial({out_channels, in_channels, kernel_size, kernel_size}, fan_in));
    if (bias) register_parameter("bias", initial({out_channels}, fan_in));
}

Tensor Conv2d::bias() const { return has_own_parameter(1) ? own_parameter(1) : Tensor(); }

Tensor Conv2d::forward(const Tensor& x) {
    return conv2d(x, own_parameter(0), bias(), own_options<Conv2dOptions>());
}

BatchNorm2d::BatchNorm2d(std::size_t num_features, const BatchNormOptions& options)
    : Module("BatchNorm2d", std::to_string(num_features) + ", eps=" + to_text(options.eps()) +
                                ", momentum=" + to_text(options.momentum())) {
    register_options(options);
    register_parameter("weight", Tensor::ones({num_features}));
    register_parameter("bias", Tensor::zeros({num_features}));
    register_buffer("running_mean", Tensor::zeros({num_features}));
    register_buffer("running_var", Tensor::ones({num_features}));
}

Tensor BatchNorm2d::forward(const Tensor& x) {
    return batch_norm(x, own_parameter(0), own_parameter(1), own_buffer(0), own_buffer(1),
                      training(), own_options<BatchNormOptions>());
}

Dropout::Dropout(float p) : Module("Dropout", "p=" + to_text(p)) {
    register_options(p);
    LANES_REQUIRE(p >= 0 && p < 1, "Dropout: the probability is ", p,
                  ". Give a number from 0 to below 1.");
}

Tensor Dropout::forward(const Tensor& x) { return dropout(x, own_options<float>(), training()); }

Tensor Flatten::forward(const Tensor& x) { return x.reshape({x.shape(0), -1}); }

MaxPool2d::MaxPool2d(const Pool2dOptions& options) : Module("MaxPool2d", pool_text(options)) {
    register_options(options);
}

Tensor MaxPool2d::forward(const Tensor& x) { return max_pool2d(x, own_options<Pool2dOptions>()); }

AvgPool2d::AvgPool2d(const Pool2dOptions& options) : Module("AvgPool2d", pool_text(options)) {
    register_options(options);
}

Tensor AvgPool2d::forward(const Tensor& x) { return avg_pool2d(x, own_options<Pool2dOptions>()); }

AdaptiveAvgPool2d::AdaptiveAvgPool2d(std::size_t height, std::size_t width)
    : Module("AdaptiveAvgPool2d", "output_size=" + pair_text(height, width)) {
    register_options(std::pair(height, width));
}

Tensor AdaptiveAvgPool2d::forward(const Tensor& x) {
    const auto& [height, width] = own_options<std::pair<std::size_t, std::size_t>>();
    return adaptive_avg_pool2d(x, height, width);
}

// --- Sequential

namespace {

// The activation that a Linear can compute together with itself. Not of a class derived from ReLU
// or Sigmoid: it may do something else.
Activation fused_activation(const Module& module) {
    if (typeid(module) == typeid(ReLU)) return Activation::relu;
    if (typeid(module) == typeid(Sigmoid)) return Activation::sigmoid;
    return Activation::none;
}

}  // namespace

Sequential::Sequential() : Module("Sequential") { state()->parts->is_list = true; }

Sequential::Sequential(std::initializer_list<nn::AnyModule> layers) : Sequential() {
    for (const nn::AnyModule& layer : layers) append(layer);
}

void Sequential::append(const nn::AnyModule& layer) {
    add_child(std::to_string(size()), *layer.module());
    state()->parts->layers.push_back(layer.module());
}

std::size_t Sequential::size() const { return state()->parts->layers.size(); }

Module& Sequential::operator[](std::size_t index) const {
    LANES_REQUIRE(index < size(), "Sequential: layer ", index, " of ", size(),
                  ". Layers are counted from 0.");
    return *state()->parts->layers[index];
}

Tensor Sequential::forward(const Tensor& x) {
    const std::shared_ptr<nn::ModuleParts> parts = state()->parts;
    const std::vector<std::shared_ptr<Module>>& layers = parts->layers;
    Tensor y = x;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Module& layer = *layers[i];
        const Activation activation = i + 1 < layers.size() && typeid(layer) == typeid(Linear)
                                          ? fused_activation(*layers[i + 1])
                                          : Activation::none;
        if (activation == Activation::none) {
            y = layer(y);
            continue;
        }
        y = static_cast<Linear&>(layer).forward(y, activation);
        ++i;
    }
    return y;
}

}  // namespace lanes
