// One operation that backward() will differentiate. Its inputs have nodes of their own or are
// leaves: together they are the graph that led to a tensor.
#pragma once

#include "tensor_impl.hpp"

#include "lanes/tensor/autograd.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace lanes::tensor {

struct Node {
    // Gradients of the inputs, in their order, from the gradient of the result. One that is not
    // needed may be left undefined. Runs with gradient recording off.
    using Backward = std::function<std::vector<Tensor>(const Node& node, const Tensor& gradient)>;

    const char* name = "";
    std::uint64_t sequence_number = 0;  // in the order in which operations were carried out
    // Undefined for one that did not require gradients when the operation was carried out: if it
    // does later, that is about later operations.
    std::vector<Tensor> inputs;
    Backward backward;  // empty, as are the inputs, once it has run: what it saved is released
    ~Node();

    bool needs(std::size_t input) const { return inputs[input].requires_grad(); }
};

// A tensor that backward needs. It shares the elements, and remembers their version: if they are
// changed in place before backward() runs, get() throws an Error.
class Saved {
public:
    explicit Saved(const Tensor& x) : tensor_(x.detach()), version_(x.impl()->elements->version) {}
    const Tensor& get(const Node& node) const;

private:
    Tensor tensor_;
    std::uint64_t version_;
};

// As OnGradient, but the function may move the gradient away: then backward() adds nothing to
// leaf.grad(). Training on many processes sends gradients from the memory that they are in.
class TakeGradients {
public:
    using Function = std::function<void(const Tensor& leaf, Tensor& gradient)>;
    explicit TakeGradients(Function function);
    ~TakeGradients();
    TakeGradients(const TakeGradients&) = delete;
    TakeGradients& operator=(const TakeGradients&) = delete;

private:
    Function function_;
    const Function* before_;
};

bool anomaly_detection();
// Throws Error if the user has pressed the interrupt button: a network may compute for seconds, and
// a cell must stop within one.
void require_not_interrupted(const char* operation);
void check_for_nan(const char* name, const Tensor& result, const std::vector<Tensor>& inputs);
void record(const char* name, Tensor& result, std::vector<Tensor> inputs, Node::Backward backward);

inline bool any_requires_grad(const std::vector<Tensor>& inputs) {
    for (const Tensor& input : inputs)
        if (input.defined() && input.requires_grad()) return true;
    return false;
}

// Ends each view and copy: records how it is differentiated, if an input requires gradients.
// make_backward is called only then, and returns the Node::Backward.
template <class MakeBackward>
Tensor recorded_view(const char* name, Tensor result, const std::vector<Tensor>& inputs,
                     const MakeBackward& make_backward) {
    if (anomaly_detection()) check_for_nan(name, result, inputs);
    if (grad_enabled() && any_requires_grad(inputs)) record(name, result, inputs, make_backward());
    return result;
}

// Ends each operation that computes. Views and copies are not interrupted: weights can be saved
// after the button was pressed.
template <class MakeBackward>
Tensor recorded(const char* name, Tensor result, const std::vector<Tensor>& inputs,
                const MakeBackward& make_backward) {
    require_not_interrupted(name);
    return recorded_view(name, std::move(result), inputs, make_backward);
}

}  // namespace lanes::tensor
