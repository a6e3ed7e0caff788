#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/ops.hpp"

namespace lanes {

using tensor::kernels_of;
using tensor::Node;
using tensor::ReductionShape;
using tensor::Saved;

namespace {

using Gradients = std::vector<Tensor>;

Tensor softmax_of(const char* name, const Tensor& x, int axis, bool log) {
    tensor::require_type(x, DType::float32, name);
    const std::size_t number = x.shape().axis(axis, name);
    ReductionShape lines{1, x.shape()[number], 1};
    for (std::size_t i = 0; i < number; ++i) lines.outer *= x.shape()[i];
    for (std::size_t i = number + 1; i < x.rank(); ++i) lines.inner *= x.shape()[i];
    Tensor y = Tensor::empty(x.shape(), x.device());
    kernels_of(x).softmax(x, lines, log, y);
    return tensor::recorded(name, y, {x}, [&] {
        return [lines, log, y = Saved(y)](const Node& node, const Tensor& g) {
            Tensor dx = Tensor::empty(g.shape(), g.device());
            kernels_of(g).softmax_gradient(g, y.get(node), lines, log, dx);
            return Gradients{dx};
        };
    });
}

void require_labels(const Tensor& logits, const Tensor& labels, const char* name) {
    tensor::require_type(logits, DType::float32, name);
    tensor::require_type(labels, DType::int32, name);
    tensor::require_same_device(logits, labels, name);
    LANES_REQUIRE(logits.rank() == 2 && labels.rank() == 1 &&
                      logits.shape()[0] == labels.shape()[0] && logits.size() > 0,
                  name, ": logits of shape ", logits.shape(), " and labels of shape ",
                  labels.shape(), ". They must be (batch, classes) and (batch).");
    if (!logits.device().is_cpu()) return;  // elsewhere a label that is no class makes a NaN
    const std::size_t classes = logits.shape()[1];
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const int label = tensor::ints(labels)[i];
        LANES_REQUIRE(label >= 0 && static_cast<std::size_t>(label) < classes, name, ": label ", i,
                      " is ", label, ", but the logits have ", classes,
                      " classes, counted from 0. Look at the labels or the last layer.");
    }
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) { return softmax_of("softmax", x, axis, false); }

Tensor log_softmax(const Tensor& x, int axis) { return softmax_of("log_softmax", x, axis, true); }

Tensor cross_entropy(const Tensor& logits, const Tensor& labels) {
    require_labels(logits, labels, "cross_entropy");
    const std::size_t batch = labels.size();
    const float share = 1.0f / static_cast<float>(batch);
    Tensor losses = Tensor::empty({batch}, logits.device());
    Tensor scales = Tensor::empty({batch, 2}, logits.device());
    kernels_of(logits).cross_entropy(logits, labels, losses, scales);
    Tensor loss = Tensor::empty({}, logits.device());
    kernels_of(logits).scaled_sum(losses, {1, batch, 1}, share, loss);
    return tensor::recorded("cross_entropy", loss, {logits}, [&] {
        return [share, logits = Saved(logits), labels = Saved(labels), scales](const Node& node,
                                                                               const Tensor& g) {
            const Tensor& x = logits.get(node);
            Tensor dx = Tensor::empty(x.shape(), x.device());
            kernels_of(g).cross_entropy_gradient(x, labels.get(node), scales, g, share, dx);
            return Gradients{dx};
        };
    });
}

float accuracy(const Tensor& logits, const Tensor& labels) {
    require_labels(logits, labels, "accuracy");
    const std::vector<int> guesses = argmax(logits.detach(), 1).cpu().to_vector<int>();
    const std::vector<int> wanted = labels.cpu().to_vector<int>();
    std::size_t right = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) right += guesses[i] == wanted[i];
    return static_cast<float>(right) / static_cast<float>(wanted.size());
}

}  // namespace lanes
