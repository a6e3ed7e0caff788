// The layers of networks, with the names, the default values and the initialisation of PyTorch.
//
//   lanes::Sequential model{
//       lanes::Conv2d(1, 8, 3, lanes::Conv2dOptions().padding(1)),
//       lanes::BatchNorm2d(8),
//       lanes::ReLU(),
//       lanes::MaxPool2d(2),
//       lanes::Flatten(),
//       lanes::Linear(8 * 14 * 14, 10),
//   };
//   const lanes::Tensor logits = model(lanes::Tensor::rand({16, 1, 28, 28}));  // (16, 10)
//   const lanes::Tensor weight = model.get<lanes::Linear>(5).weight();         // (10, 1568)
//
// Weights are drawn from the generator of manual_seed, on the CPU: a model begins with the same
// numbers on every device.
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/tensor/ops.hpp"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace lanes {

// y = x · weightᵀ + bias. Both are drawn from (-1/√in, 1/√in).
class Linear : public Module {
public:
    Linear(std::size_t in_features, std::size_t out_features, bool bias = true);
    Tensor forward(const Tensor& x) override;                // x: (batch, in) -> (batch, out)
    Tensor forward(const Tensor& x, Activation activation);  // fused with the layer behind it

    Tensor weight() const { return own_parameter(0); }  // (out, in)
    Tensor bias() const;                                // (out); undefined if there is none
};

// weight: (out, in, kernel, kernel). Both are drawn from (-1/√n, 1/√n), n = in · kernel².
class Conv2d : public Module {
public:
    Conv2d(std::size_t in_channels, std::size_t out_channels, std::size_t kernel_size,
           const Conv2dOptions& options = {}, bool bias = true);
    Tensor forward(const Tensor& x) override;  // x: (batch, in, height, width)

    Tensor weight() const { return own_parameter(0); }
    Tensor bias() const;  // (out); undefined if there is none
};

// Training: each channel gets mean 0 and variance 1 over the batch, and the running statistics move
// towards those of the batch. Evaluation: the running statistics are used.
class BatchNorm2d : public Module {
public:
    explicit BatchNorm2d(std::size_t num_features, const BatchNormOptions& options = {});
    Tensor forward(const Tensor& x) override;

    Tensor weight() const { return own_parameter(0); }
    Tensor bias() const { return own_parameter(1); }
    Tensor running_mean() const { return own_buffer(0); }
    Tensor running_var() const { return own_buffer(1); }
};

class ReLU : public Module {
public:
    ReLU() : Module("ReLU") {}
    Tensor forward(const Tensor& x) override { return relu(x); }
};

class Sigmoid : public Module {
public:
    Sigmoid() : Module("Sigmoid") {}
    Tensor forward(const Tensor& x) override { return sigmoid(x); }
};

class Tanh : public Module {
public:
    Tanh() : Module("Tanh") {}
    Tensor forward(const Tensor& x) override { return tanh(x); }
};

// Training: each element becomes 0 with the probability p, else it is divided by 1 - p.
class Dropout : public Module {
public:
    explicit Dropout(float p = 0.5f);
    Tensor forward(const Tensor& x) override;
};

// (batch, …) -> (batch, elements of one sample)
class Flatten : public Module {
public:
    Flatten() : Module("Flatten") {}
    Tensor forward(const Tensor& x) override;
};

class MaxPool2d : public Module {
public:
    explicit MaxPool2d(std::size_t kernel_size) : MaxPool2d(Pool2dOptions(kernel_size)) {}
    explicit MaxPool2d(const Pool2dOptions& options);
    Tensor forward(const Tensor& x) override;
};

class AvgPool2d : public Module {
public:
    explicit AvgPool2d(std::size_t kernel_size) : AvgPool2d(Pool2dOptions(kernel_size)) {}
    explicit AvgPool2d(const Pool2dOptions& options);
    Tensor forward(const Tensor& x) override;
};

// (batch, channels, any, any) -> (batch, channels, height, width)
class AdaptiveAvgPool2d : public Module {
public:
    explicit AdaptiveAvgPool2d(std::size_t size = 1) : AdaptiveAvgPool2d(size, size) {}
    AdaptiveAvgPool2d(std::size_t height, std::size_t width);
    Tensor forward(const Tensor& x) override;
};

namespace nn {

// A module of any type, as an element of a Sequential. It shares the module's parameters.
class AnyModule {
public:
    template <class M, std::enable_if_t<std::is_base_of_v<Module, M>, int> = 0>
    AnyModule(const M& module) : module_(std::make_shared<M>(module)) {}
    const std::shared_ptr<Module>& module() const { return module_; }

private:
    std::shared_ptr<Module> module_;
};

}  // namespace nn

// Layers one after the other, with the names "0", "1", … A Linear followed by a ReLU or a Sigmoid
// is computed by one operation; the result is the same. Sequential{inner} with one Sequential is a
// copy of it by a rule of C++; append(inner) nests it.
class Sequential : public Module {
public:
    Sequential();
    Sequential(std::initializer_list<nn::AnyModule> layers);
    Tensor forward(const Tensor& x) override;

    void append(const nn::AnyModule& layer);
    std::size_t size() const;
    Module& operator[](std::size_t index) const;
    // A layer as what it is: model.get<lanes::Linear>(0).weight()
    template <class M>
    M& get(std::size_t index) const {
        auto* const layer = dynamic_cast<M*>(&(*this)[index]);
        LANES_REQUIRE(layer != nullptr, "Sequential: layer ", index, " is ", (*this)[index].text(),
                      ", not of the type asked for. Print the model.");
        return *layer;
    }
};

}  // namespace lanes
