#include "tensor/core/broadcast.hpp"
#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/ops.hpp"

namespace lanes {

using tensor::Binary;
using tensor::kernels_of;
using tensor::Node;
using tensor::Saved;
using tensor::Unary;

namespace {

using Gradients = std::vector<Tensor>;

Tensor binary(const char* name, Binary operation, const Tensor& a, const Tensor& b) {
    tensor::require_type(a, DType::float32, name);
    tensor::require_type(b, DType::float32, name);
    tensor::require_same_device(a, b, name);
    Tensor y = Tensor::empty(tensor::broadcast_shape(a.shape(), b.shape(), name), a.device());
    kernels_of(a).binary(operation, a, b, y);
    return y;
}

Tensor unary(const char* name, Unary operation, const Tensor& x) {
    tensor::require_type(x, DType::float32, name);
    Tensor y = Tensor::empty(x.shape(), x.device());
    kernels_of(x).unary(operation, x, y);
    return y;
}

Tensor affine(const Tensor& x, float scale, float shift, const char* name) {
    tensor::require_type(x, DType::float32, name);
    Tensor y = Tensor::empty(x.shape(), x.device());
    kernels_of(x).affine(x, scale, shift, y);
    return tensor::recorded(name, y, {x}, [&] {
        return [=](const Node&, const Tensor& g) { return Gradients{scale == 1 ? g : g * scale}; };
    });
}

// The gradient of a tensor that was repeated is the sum over its repetitions.
Tensor unbroadcast(const Tensor& gradient, const Shape& shape) {
    if (gradient.shape() == shape) return gradient;
    std::vector<int> axes;
    const std::size_t missing = gradient.rank() - shape.rank();
    for (std::size_t axis = 0; axis < gradient.rank(); ++axis)
        if (axis < missing || (shape[axis - missing] == 1 && gradient.shape()[axis] != 1))
            axes.push_back(static_cast<int>(axis));
    return sum(gradient, axes).reshape(shape);
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
    return tensor::recorded("operator+", binary("operator+", Binary::add, a, b), {a, b}, [&] {
        return [a_shape = a.shape(), b_shape = b.shape()](const Node&, const Tensor& g) {
            return Gradients{unbroadcast(g, a_shape), unbroadcast(g, b_shape)};
        };
    });
}

Tensor operator-(const Tensor& a, const Tensor& b) {
    return tensor::recorded("operator-", binary("operator-", Binary::subtract, a, b), {a, b}, [&] {
        return [a_shape = a.shape(), b_shape = b.shape()](const Node& node, const Tensor& g) {
            return Gradients{unbroadcast(g, a_shape),
                             node.needs(1) ? unbroadcast(-g, b_shape) : Tensor()};
        };
    });
}

Tensor operator*(const Tensor& a, const Tensor& b) {
    return tensor::recorded("operator*", binary("operator*", Binary::multiply, a, b), {a, b}, [&] {
        return [a_shape = a.shape(), b_shape = b.shape(), a = Saved(a), b = Saved(b)](
                   const Node& node, const Tensor& g) {
            return Gradients{node.needs(0) ? unbroadcast(g * b.get(node), a_shape) : Tensor(),
                             node.needs(1) ? unbroadcast(g * a.get(node), b_shape) : Tensor()};
        };
    });
}

Tensor operator/(const Tensor& a, const Tensor& b) {
    const Tensor y = binary("operator/", Binary::divide, a, b);
    return tensor::recorded("operator/", y, {a, b}, [&] {
        return
            [a_shape = a.shape(), b = Saved(b), y = Saved(y)](const Node& node, const Tensor& g) {
                const Tensor& right = b.get(node);
                const Tensor da = g / right;
                return Gradients{
                    unbroadcast(da, a_shape),
                    node.needs(1) ? unbroadcast(-(da * y.get(node)), right.shape()) : Tensor()};
            };
    });
}

Tensor operator+(const Tensor& a, float b) { return affine(a, 1, b, "operator+"); }
Tensor operator-(const Tensor& a, float b) { return affine(a, 1, -b, "operator-"); }
Tensor operator*(const Tensor& a, float b) { return affine(a, b, 0, "operator*"); }
Tensor operator/(const Tensor& a, float b) { return affine(a, 1 / b, 0, "operator/"); }
Tensor operator+(float a, const Tensor& b) { return affine(b, 1, a, "operator+"); }
Tensor operator-(float a, const Tensor& b) { return affine(b, -1, a, "operator-"); }
Tensor operator*(float a, const Tensor& b) { return affine(b, a, 0, "operator*"); }
Tensor operator-(const Tensor& x) { return affine(x, -1, 0, "operator-"); }

Tensor operator/(float a, const Tensor& b) {
    const Tensor inverse = unary("operator/", Unary::reciprocal, b);
    const Tensor y = inverse * a;
    return tensor::recorded("operator/", y, {b}, [&] {
        return [inverse = Saved(inverse), y = Saved(y)](const Node& node, const Tensor& g) {
            return Gradients{-(g * inverse.get(node) * y.get(node))};
        };
    });
}

Tensor sqrt(const Tensor& x) {
    const Tensor y = unary("sqrt", Unary::sqrt, x);
    return tensor::recorded("sqrt", y, {x}, [&] {
        return [y = Saved(y)](const Node& node, const Tensor& g) {
            return Gradients{g / y.get(node) * 0.5f};
        };
    });
}

Tensor square(const Tensor& x) {
    return tensor::recorded("square", unary("square", Unary::square, x), {x}, [&] {
        return [x = Saved(x)](const Node& node, const Tensor& g) {
            return Gradients{g * x.get(node) * 2};
        };
    });
}

namespace {

// From what a gradient is computed, beside the gradient that arrives.
enum class From { input, result };

// An operation on each element whose gradient is one binary operation: gradient(g, x) or
// gradient(g, y), where g arrives.
Tensor activation(const char* name, Unary operation, Binary gradient, From from, const Tensor& x) {
    const Tensor y = unary(name, operation, x);
    return tensor::recorded(name, y, {x}, [&] {
        return [saved = Saved(from == From::input ? x : y), gradient](const Node& node,
                                                                      const Tensor& g) {
            return Gradients{binary(node.name, gradient, g, saved.get(node))};
        };
    });
}

}  // namespace

Tensor exp(const Tensor& x) {
    return activation("exp", Unary::exp, Binary::multiply, From::result, x);
}
Tensor log(const Tensor& x) {
    return activation("log", Unary::log, Binary::divide, From::input, x);
}
Tensor relu(const Tensor& x) {
    return activation("relu", Unary::relu, Binary::relu_gradient, From::result, x);
}
Tensor sigmoid(const Tensor& x) {
    return activation("sigmoid", Unary::sigmoid, Binary::sigmoid_gradient, From::result, x);
}
Tensor tanh(const Tensor& x) {
    return activation("tanh", Unary::tanh, Binary::tanh_gradient, From::result, x);
}

Tensor mse_loss(const Tensor& y_hat, const Tensor& y) {
    tensor::require_same_device(y_hat, y, "mse_loss");
    LANES_REQUIRE(y_hat.shape() == y.shape(), "mse_loss: the shapes ", y_hat.shape(), " and ",
                  y.shape(), " differ. Both must be equal; nothing is broadcast here.");
    return mean(square(y_hat - y));
}

Tensor dropout(const Tensor& x, float p, bool training) {
    tensor::require_type(x, DType::float32, "dropout");
    LANES_REQUIRE(p >= 0 && p < 1, "dropout: the probability is ", p,
                  ". Give a number from 0 to below 1.");
    if (!training || p == 0) return x;
    Tensor mask = Tensor::empty(x.shape(), x.device());
    kernels_of(x).dropout_mask(tensor::random_generator().bits(), p, mask);
    const Tensor y = binary("dropout", Binary::multiply, x, mask);
    return tensor::recorded("dropout", y, {x}, [&] {
        return [mask = Saved(mask)](const Node& node, const Tensor& g) {
            return Gradients{g * mask.get(node)};
        };
    });
}

}  // namespace lanes
