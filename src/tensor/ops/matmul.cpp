#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/ops.hpp"

namespace lanes {

using tensor::kernels_of;
using tensor::MatmulShape;
using tensor::Node;
using tensor::Saved;

namespace {

using Gradients = std::vector<Tensor>;

void require_matrices(const Tensor& a, const Tensor& b, const char* name) {
    tensor::require_type(a, DType::float32, name);
    tensor::require_type(b, DType::float32, name);
    tensor::require_same_device(a, b, name);
    LANES_REQUIRE(a.rank() == 2 && b.rank() == 2, name, ": the shapes ", a.shape(), " and ",
                  b.shape(), ". Both must be matrices; reshape() makes one.");
}

std::string transposed_text(bool transposed) { return transposed ? " transposed" : ""; }

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
    require_matrices(a, b, "matmul");
    MatmulShape product;
    product.transpose_a = transpose_a;
    product.transpose_b = transpose_b;
    product.m = a.shape()[transpose_a ? 1 : 0];
    product.k = a.shape()[transpose_a ? 0 : 1];
    product.n = b.shape()[transpose_b ? 0 : 1];
    LANES_REQUIRE(product.k == b.shape()[transpose_b ? 1 : 0], "matmul: ", a.shape(),
                  transposed_text(transpose_a), " times ", b.shape(), transposed_text(transpose_b),
                  ". The columns of the first must be as many as the rows of the second.");
    Tensor c = Tensor::empty({product.m, product.n}, a.device());
    kernels_of(a).matmul(product, a, b, c);
    return tensor::recorded("matmul", c, {a, b}, [&] {
        return [=, a = Saved(a), b = Saved(b)](const Node& node, const Tensor& g) {
            Gradients gradients(2);
            // for c = a·b: da = g·bᵀ and db = aᵀ·g
            if (node.needs(0))
                gradients[0] = transpose_a ? matmul(b.get(node), g, transpose_b, true)
                                           : matmul(g, b.get(node), false, !transpose_b);
            if (node.needs(1))
                gradients[1] = transpose_b ? matmul(g, a.get(node), true, transpose_a)
                                           : matmul(a.get(node), g, !transpose_a, false);
            return gradients;
        };
    });
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation) {
    require_matrices(x, weight, "linear");
    LANES_REQUIRE(x.shape()[1] == weight.shape()[1], "linear: x has the shape ", x.shape(),
                  " and the weight ", weight.shape(),
                  ". Both must have the same number of columns: weight is (out, in).");
    MatmulShape product;
    product.transpose_b = true;
    product.m = x.shape()[0];
    product.k = x.shape()[1];
    product.n = weight.shape()[0];
    product.activation = activation;
    if (bias.defined()) {
        tensor::require_type(bias, DType::float32, "linear");
        tensor::require_same_device(x, bias, "linear");
        LANES_REQUIRE(bias.shape() == Shape{product.n}, "linear: the weight has the shape ",
                      weight.shape(), " and the bias ", bias.shape(),
                      ". Give one bias per row of the weight.");
        product.bias = &bias;
    }
    Tensor y = Tensor::empty({product.m, product.n}, x.device());
    kernels_of(x).matmul(product, x, weight, y);
    return tensor::recorded("linear", y, {x, weight, bias}, [&] {
        return [activation, x = Saved(x), weight = Saved(weight), y = Saved(y)](
                   const Node& node, const Tensor& gradient) {
            Gradients gradients(3);
            Tensor g = gradient;  // before the activation
            if (activation != Activation::none)
                g = Tensor::empty(gradient.shape(), gradient.device());
            if (activation != Activation::none || node.needs(2)) {
                gradients[2] = Tensor::empty({gradient.shape()[1]}, gradient.device());
                const Tensor& result = activation == Activation::none ? gradient : y.get(node);
                kernels_of(gradient).linear_gradient(gradient, result, activation, g, gradients[2]);
            }
            if (node.needs(0)) gradients[0] = matmul(g, weight.get(node));
            if (node.needs(1)) gradients[1] = matmul(g, x.get(node), true);
            return gradients;
        };
    });
}

}  // namespace lanes
