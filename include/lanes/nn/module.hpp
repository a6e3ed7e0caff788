// What all layers and networks have in common: parameters by name, running statistics, training
// and evaluation mode, and the device that they live on.
//
//   struct Net : lanes::Module {
//       lanes::Linear hidden = register_module("hidden", lanes::Linear(784, 128));
//       lanes::Linear output = register_module("output", lanes::Linear(128, 10));
//       lanes::Tensor forward(const lanes::Tensor& x) override {
//           return output(lanes::relu(hidden(x)));
//       }
//   };
//   Net net;
//   net.to("cpu").train();
//   const lanes::Tensor logits = net(lanes::Tensor::rand({16, 784}));
//   const lanes::Tensor weight = net.parameter("hidden.weight");  // (128, 784)
//
// Copies of a module share its parameters and its mode, as copies of a Tensor share their elements.
// Assigning to a registered module replaces it where it is registered: after
// net.output = lanes::Linear(128, 2), net.parameters() holds the new ones.
#pragma once

#include "lanes/tensor/tensor.hpp"

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

namespace nn {
struct ModuleState;  // src/nn/layers/module_state.hpp
}

class Module {
public:
    virtual ~Module() = default;
    Module(const Module&) = default;  // shares the parameters
    Module& operator=(const Module& other);

    virtual Tensor forward(const Tensor& x) = 0;
    Tensor operator()(const Tensor& x) { return forward(x); }

    // --- parameters, in the order in which they were registered. Names are those of PyTorch: the
    // weight of the first layer of a Sequential is "0.weight".
    std::vector<Tensor> parameters() const;
    NamedTensors named_parameters() const;
    NamedTensors named_buffers() const;               // running statistics: saved, but not trained
    NamedTensors state_dict() const;                  // both
    Tensor parameter(const std::string& name) const;  // or buffer; shares the elements
    std::size_t parameter_count(bool trainable = false) const;  // of numbers
    // Copies the values of the tensors into those with the same names. Throws Error for a name that
    // is missing or unknown and for another shape; then nothing is changed.
    void load_state_dict(const NamedTensors& tensors);

    // --- training
    Module& train(bool on = true);  // batch norm and dropout differ between the two modes
    Module& eval() { return train(false); }
    bool training() const;
    Module& requires_grad_(bool on = true);  // false: optimizers leave all parameters as they are
    void zero_grad();

    // Moves parameters, their gradients and buffers in place: optimizers that know them and copies
    // of the module follow.
    Module& to(const Device& device);

    std::string text() const;  // as PyTorch shows a module, one line per layer

protected:
    // kind and details are shown: "Linear" and "in_features=784, out_features=128". Without a kind
    // the name of the class is shown.
    explicit Module(std::string kind = "", std::string details = "");

    Tensor register_parameter(const std::string& name, const Tensor& value);
    Tensor register_buffer(const std::string& name, const Tensor& value);
    template <class Child>
    Child register_module(const std::string& name, const Child& child) {
        add_child(name, child);
        return child;
    }
    void add_child(const std::string& name, const Module& child);  // register_module of any type
    // Of this module alone, by their position. Faster than by name.
    const Tensor& own_parameter(std::size_t index) const;
    Tensor& own_buffer(std::size_t index) const;

private:
    std::shared_ptr<nn::ModuleState> state_;
};

std::ostream& operator<<(std::ostream& out, const Module& module);
tensor::MimeBundle mime_bundle_repr(const Module& module);  // how a cell shows it

}  // namespace lanes
