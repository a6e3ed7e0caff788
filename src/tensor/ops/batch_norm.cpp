#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/ops.hpp"

namespace lanes {

using tensor::kernels_of;
using tensor::Node;
using tensor::NormShape;
using tensor::Saved;

namespace {

// running = (1 - momentum) * running + momentum * value
void move_towards(Tensor& running, const Tensor& value, float momentum, float factor) {
    kernels_of(running).affine(running, 1 - momentum, 0, running);
    kernels_of(running).add_scaled(running, value, momentum * factor);
    tensor::changed(running);
}

}  // namespace

Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Tensor& running_mean,
                  Tensor& running_var, bool training, const BatchNormOptions& options) {
    tensor::require_type(x, DType::float32, "batch_norm");
    LANES_REQUIRE(x.rank() >= 2, "batch_norm: the tensor has the shape ", x.shape(),
                  ". It must be (batch, channels) or (batch, channels, height, width).");
    const std::size_t channels = x.shape()[1];
    for (const Tensor* one : {&weight, &bias, static_cast<const Tensor*>(&running_mean),
                              static_cast<const Tensor*>(&running_var)}) {
        tensor::require_type(*one, DType::float32, "batch_norm");
        tensor::require_same_device(x, *one, "batch_norm");
        LANES_REQUIRE(one->shape() == Shape{channels}, "batch_norm: x has the shape ", x.shape(),
                      ", a parameter ", one->shape(), ". Give one number per channel.");
    }
    const std::size_t batch = x.shape()[0];
    const std::size_t count = channels == 0 ? 0 : x.size() / channels;
    const NormShape shape{batch, channels, batch == 0 ? 0 : count / batch};
    LANES_REQUIRE(!training || count > 1, "batch_norm: a batch of shape ", x.shape(), " has ",
                  count,
                  " value per channel, which has no variance. Use a larger batch, or evaluation.");
    Tensor mean = training ? Tensor::empty({channels}, x.device()) : running_mean;
    Tensor variance = training ? Tensor::empty({channels}, x.device()) : running_var;
    if (training) {
        kernels_of(x).channel_statistics(x, shape, mean, variance);
        const auto n = static_cast<float>(count);
        move_towards(running_mean, mean, options.momentum(), 1);
        move_towards(running_var, variance, options.momentum(), n / (n - 1));  // as of a sample
    }
    Tensor y = Tensor::empty(x.shape(), x.device());
    const float epsilon = options.eps();
    kernels_of(x).normalize(x, shape, mean, variance, epsilon, weight, bias, y);
    return tensor::recorded("batch_norm", y, {x, weight, bias}, [&] {
        if (!training) {  // the running statistics may change before the backward pass
            mean = mean.clone();
            variance = variance.clone();
        }
        return [shape, epsilon, training, x = Saved(x), weight = Saved(weight), mean, variance](
                   const Node& node, const Tensor& g) {
            const Tensor& from = x.get(node);
            Tensor dweight = Tensor::empty({shape.channels}, g.device());
            Tensor dbias = Tensor::empty({shape.channels}, g.device());
            kernels_of(g).normalize_sums(g, from, shape, mean, variance, epsilon, dweight, dbias);
            Tensor dx;
            if (node.needs(0)) {
                dx = Tensor::empty(from.shape(), g.device());
                kernels_of(g).normalize_gradient(g, from, shape, mean, variance, epsilon,
                                                 weight.get(node), dweight, dbias, training, dx);
            }
            return std::vector<Tensor>{dx, dweight, dbias};
        };
    });
}

}  // namespace lanes
