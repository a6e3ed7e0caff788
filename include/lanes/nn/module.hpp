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
// Copies and assignments share tensors, as those of a Tensor share elements:
// - A copy, Net b = a, is another name of the same module. Parameters, buffers, mode, options and
//  parts are the same, and stay the same whatever is assigned to one of them.
// - An assignment, b = a, gives b and its parts the parameters, buffers, mode and options of a and
//  its parts; they share them from then on. What b had is gone. Assigning to b or to a part of b
//  later does not change a. One exception: the layers of a Sequential are shared as a list, so that
//  a layer which is replaced or appended in one is in both.
// - A module follows if one of its parts is assigned: after net.output = lanes::Linear(128, 2),
//  net.parameters() holds the new ones. Register parts that are members. Elements of a std::vector
//  are not followed: assigning the network replaces them. Use a Sequential.
// - Members of a class that it does not register, such as a number, are copied and not shared.
// An optimizer keeps the tensors that it was made with: make it after an assignment.
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
struct ModuleBody;  // src/nn/layers/module_state.hpp
struct ModuleState;
class EvaluationMode;
}  // namespace nn

class Module {
public:
    virtual ~Module() = default;
    Module(const Module&) = default;

    virtual Tensor forward(const Tensor& x) = 0;
    Tensor operator()(const Tensor& x) { return forward(x); }

    // --- parameters, in the order in which they were registered. Names are those of PyTorch: the
    // weight of the first layer of a Sequential is "0.weight". A tensor that was registered under
    // several names is listed once, with the first of them; state_dict has all names.
    std::vector<Tensor> parameters() const;
    NamedTensors named_parameters() const;
    NamedTensors named_buffers() const;               // running statistics: saved, but not trained
    NamedTensors state_dict() const;                  // both
    Tensor parameter(const std::string& name) const;  // shares the elements
    Tensor buffer(const std::string& name) const;
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
    // Not public: it would make a layer of one class of the tensors of another.
    Module& operator=(const Module& other);

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
    bool has_own_parameter(std::size_t index) const;
    Tensor& own_buffer(std::size_t index) const;

    // What forward needs besides tensors, such as a stride: kept with the parameters, so that all
    // copies of a layer have the same.
    template <class Options>
    void register_options(const Options& options) {
        set_options(std::make_shared<const Options>(options));
    }
    template <class Options>
    const Options& own_options() const {  // of the type that was registered
        return *static_cast<const Options*>(options());
    }

    const std::shared_ptr<nn::ModuleState>& state() const { return state_; }

private:
    friend class nn::EvaluationMode;

    Tensor named(NamedTensors nn::ModuleBody::* kind, const std::string& name,
                 const char* operation, const char* other) const;
    void set_options(std::shared_ptr<const void> options);
    const void* options() const;

    std::shared_ptr<nn::ModuleState> state_;
};

std::ostream& operator<<(std::ostream& out, const Module& module);
tensor::MimeBundle mime_bundle_repr(const Module& module);  // how a cell shows it

}  // namespace lanes
