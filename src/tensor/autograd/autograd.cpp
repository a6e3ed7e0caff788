#include "lanes/tensor/autograd.hpp"

#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/tensor/ops.hpp"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace lanes {

namespace {

thread_local bool grad_mode = true;
thread_local bool anomaly_mode = false;
thread_local const OnGradient::Function* on_gradient = nullptr;
thread_local const tensor::TakeGradients::Function* take_gradient = nullptr;

}  // namespace

bool grad_enabled() { return grad_mode; }

NoGrad::NoGrad() : before_(grad_mode) { grad_mode = false; }
NoGrad::~NoGrad() { grad_mode = before_; }

DetectAnomaly::DetectAnomaly() : before_(anomaly_mode) { anomaly_mode = true; }
DetectAnomaly::~DetectAnomaly() { anomaly_mode = before_; }

OnGradient::OnGradient(Function function)
    : function_(std::move(function)), before_(std::exchange(on_gradient, &function_)) {}
OnGradient::~OnGradient() { on_gradient = before_; }

namespace tensor {

namespace {

bool has_nan(const Tensor& x) {
    return x.defined() && x.dtype() == DType::float32 && kernels_of(x).has_nan(x);
}

}  // namespace

TakeGradients::TakeGradients(Function function)
    : function_(std::move(function)), before_(std::exchange(take_gradient, &function_)) {}
TakeGradients::~TakeGradients() { take_gradient = before_; }

bool anomaly_detection() { return anomaly_mode; }

void require_not_interrupted(const char* operation) {
    LANES_REQUIRE(!interrupted(), operation, ": interrupted.");
}

void check_for_nan(const char* name, const Tensor& result, const std::vector<Tensor>& inputs) {
    if (!has_nan(result)) return;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        LANES_REQUIRE(!has_nan(inputs[i]), "DetectAnomaly: operand ", i + 1, " of ", name,
                      ", of shape ", inputs[i].shape(),
                      ", holds NaN already. Look at the data, or start the DetectAnomaly earlier.");
    throw Error("DetectAnomaly: ", name, " made the first NaN, in a result of shape ",
                result.shape(),
                ". Look at its operands: log of a negative number, 0 / 0, or "
                "numbers that grew too large.");
}

// A graph may be a chain of many thousands of operations: its nodes are freed one after the other,
// not each inside the one before, which would use up the stack.
Node::~Node() {
    std::vector<std::shared_ptr<Node>> waiting;
    const auto take_inputs = [&](Node& node) {
        for (Tensor& input : node.inputs)
            if (input.defined() && input.impl().use_count() == 1 && input.impl()->node)
                waiting.push_back(std::move(input.impl()->node));
    };
    take_inputs(*this);
    while (!waiting.empty()) {
        const std::shared_ptr<Node> node = std::move(waiting.back());
        waiting.pop_back();
        if (node.use_count() == 1) take_inputs(*node);
    }
}

const Tensor& Saved::get(const Node& node) const {
    const std::uint64_t now = tensor_.impl()->elements->version;
    LANES_REQUIRE(now == version_, "backward: ", node.name, " needs a tensor of shape ",
                  tensor_.shape(), " as it was, but it was changed in place ", now - version_,
                  " times since. Change a clone(), or call backward() before.");
    return tensor_;
}

void record(const char* name, Tensor& result, std::vector<Tensor> inputs, Node::Backward backward) {
    static std::atomic<std::uint64_t> numbers{0};
    auto node = std::make_shared<Node>();
    node->name = name;
    node->sequence_number = ++numbers;
    for (Tensor& input : inputs)
        if (!input.requires_grad()) input = Tensor();
    node->inputs = std::move(inputs);
    node->backward = std::move(backward);
    result.impl()->node = std::move(node);
    result.impl()->requires_grad = true;
}

namespace {

// All tensors whose operations led to `last`, the latest operation first. An operation has a larger
// number than those before it, so in this order each gradient is complete when it is used. Throws
// Error if one of the operations cannot be differentiated again.
std::vector<std::shared_ptr<TensorImpl>> computed_tensors(const Tensor& last) {
    std::vector<std::shared_ptr<TensorImpl>> found;
    std::vector<std::shared_ptr<TensorImpl>> waiting{last.impl()};
    std::unordered_set<const TensorImpl*> seen{last.impl().get()};
    while (!waiting.empty()) {
        const std::shared_ptr<TensorImpl> impl = std::move(waiting.back());
        waiting.pop_back();
        if (!impl->node) continue;
        LANES_REQUIRE(impl->node->backward, "backward: it has gone through ", impl->node->name,
                      " before, and what that saved was released. Compute the loss again, or call "
                      "the first backward(true), which keeps the graph.");
        found.push_back(impl);
        for (const Tensor& input : impl->node->inputs)
            if (input.requires_grad() && seen.insert(input.impl().get()).second)
                waiting.push_back(input.impl());
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a->node->sequence_number > b->node->sequence_number;
    });
    return found;
}

// Gradients on their way. They are kept here and not in the tensors, so that a pass that throws
// leaves nothing behind.
using Arrived = std::unordered_map<std::shared_ptr<TensorImpl>, Tensor>;

// Never in place: the gradient of a sum is the same tensor for both terms.
void add(Arrived& arrived, const std::shared_ptr<TensorImpl>& tensor, const Tensor& gradient) {
    Tensor& sum = arrived[tensor];
    sum = sum.defined() ? sum + gradient : gradient;
}

// Calls the functions of OnGradient and TakeGradients with each leaf when the last operation that
// uses it is done.
class CompleteLeaves {
public:
    explicit CompleteLeaves(const std::vector<std::shared_ptr<TensorImpl>>& computed) {
        if (!on_gradient && !take_gradient) return;
        for (const auto& impl : computed)
            for (const Tensor& input : impl->node->inputs)
                if (input.requires_grad() && input.is_leaf()) ++uses_[input.impl().get()];
    }

    void ran(const Node& node, Arrived& arrived) {
        if (uses_.empty()) return;
        for (const Tensor& input : node.inputs) {
            const auto uses = uses_.find(input.impl().get());
            if (uses == uses_.end() || --uses->second > 0) continue;
            const auto sum = arrived.find(input.impl());
            if (on_gradient) (*on_gradient)(input, sum->second);
            if (take_gradient) (*take_gradient)(input, sum->second);
            if (!sum->second.defined()) arrived.erase(sum);  // it was moved away
        }
    }

private:
    std::unordered_map<const TensorImpl*, std::size_t> uses_;  // by operations that are to come
};

// The new gradient of a leaf. It has elements of its own: a change in place, such as gradient
// clipping, must not reach another gradient or the caller's tensor.
// NOLINTNEXTLINE(performance-unnecessary-value-param): who gives it up is seen by its use count
Tensor accumulated(const TensorImpl& leaf, Tensor gradient) {
    LANES_REQUIRE(gradient.device() == leaf.elements->device, "backward: a tensor of shape ",
                  leaf.shape, " was on ", gradient.device().id(),
                  " when the loss was computed and was moved to ", leaf.elements->device.id(),
                  " since. Compute the loss again.");
    if (leaf.grad.defined()) return leaf.grad + gradient;
    const bool is_shared =
        gradient.impl().use_count() > 1 || gradient.impl()->elements.use_count() > 1;
    return is_shared ? gradient.clone() : gradient;
}

// Without a search for NaN: the node would not be named, but the operations that it consists of.
std::vector<Tensor> gradients_of(const Node& node, const Tensor& gradient) {
    struct Restore {
        bool before = std::exchange(anomaly_mode, false);
        ~Restore() { anomaly_mode = before; }
    } const restore;
    return node.backward(node, gradient);
}

void run(const Node& node, const Tensor& gradient, Arrived& arrived) {
    require_not_interrupted("backward");
    const std::vector<Tensor> gradients = gradients_of(node, gradient);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!node.needs(i)) continue;
        LANES_REQUIRE(!anomaly_detection() || !has_nan(gradients[i]) || has_nan(gradient),
                      "DetectAnomaly: the gradient of ", node.name, ", for operand ", i + 1,
                      " of shape ", node.inputs[i].shape(),
                      ", is the first with NaN. Look at that operand: sqrt or log of 0, or numbers "
                      "that grew too large.");
        add(arrived, node.inputs[i].impl(), gradients[i]);
    }
}

}  // namespace

}  // namespace tensor

void Tensor::backward(bool retain_graph) {
    LANES_REQUIRE(size() == 1, "backward: the tensor of shape ", shape(), " has ", size(),
                  " elements. Call it on a single number such as a loss, or give the gradient: "
                  "y.backward(gradient).");
    backward(ones(shape(), device()), retain_graph);
}

void Tensor::backward(const Tensor& gradient, bool retain_graph) {
    LANES_REQUIRE(requires_grad(),
                  "backward: the tensor was computed from nothing that requires gradients. Call "
                  "requires_grad_() on the parameters before; no NoGrad may exist meanwhile.");
    tensor::require_same_device(*this, gradient, "backward");
    tensor::require_type(gradient, DType::float32, "backward");
    LANES_REQUIRE(gradient.shape() == shape(), "backward: the tensor has the shape ", shape(),
                  ", the gradient ", gradient.shape(), ". Both must have the same shape.");
    const NoGrad no_grad;
    tensor::Arrived arrived{{impl_, gradient}};
    auto computed_tensors = tensor::computed_tensors(*this);
    tensor::CompleteLeaves leaves(computed_tensors);
    for (auto& waiting : computed_tensors) {
        // released as the pass goes on: what an operation saved, and the tensors in between
        const std::shared_ptr<tensor::TensorImpl> computed = std::move(waiting);
        tensor::Node& node = *computed->node;
        tensor::run(node, arrived.extract(computed).mapped(), arrived);
        leaves.ran(node, arrived);
        if (retain_graph) continue;
        node.backward = nullptr;
        node.inputs.clear();
    }
    // nothing is stored before everything is computed
    for (auto& [leaf, sum] : arrived)
        sum = tensor::accumulated(*leaf, std::exchange(sum, Tensor()));
    for (auto& [leaf, sum] : arrived) leaf->grad = std::move(sum);
}

Tensor& Tensor::requires_grad_(bool on) {
    tensor::require_type(*this, DType::float32, "requires_grad_");
    LANES_REQUIRE(is_leaf(), "requires_grad_: the tensor of shape ", shape(), " was computed by ",
                  impl_->node->name, ", it requires gradients already. Call detach() first.");
    impl_->requires_grad = on;
    return *this;
}

bool Tensor::requires_grad() const { return defined() && impl_->requires_grad; }

bool Tensor::is_leaf() const { return !defined() || !impl_->node; }

bool Tensor::has_grad() const { return defined() && impl_->grad.defined(); }

Tensor Tensor::grad() const {
    tensor::require_defined(*this, "grad");
    LANES_REQUIRE(requires_grad(), "grad: the tensor of shape ", shape(),
                  " requires no gradients. Call requires_grad_() before it is used.");
    LANES_REQUIRE(is_leaf(), "grad: the tensor of shape ", shape(), " was computed by ",
                  impl_->node->name, ". Gradients are kept for leaves only, such as parameters.");
    LANES_REQUIRE(has_grad(), "grad: the tensor of shape ", shape(),
                  " has no gradient yet. Call backward() on a loss that was computed from it.");
    return impl_->grad;
}

void Tensor::zero_grad() {
    tensor::require_defined(*this, "zero_grad");
    impl_->grad = Tensor();
}

}  // namespace lanes
