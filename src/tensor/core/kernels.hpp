// What a back-end computes. The operations of lanes/tensor/ops.hpp check shapes, allocate the
// results and call these functions; src/tensor/cpu and src/tensor/cuda implement them, and
// tests/unit/tensor/plain says in plain loops what they compute. All tensors live on the back-end's
// device and are float32 unless it says int32; results are allocated and differ from the inputs.
#pragma once

#include "lanes/tensor/ops.hpp"
#include "lanes/tensor/tensor.hpp"
#include "lanes/tensor/update.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes::tensor {

// kernels_src/tensor_elementwise.cu has the same lists. CONTRIBUTING.md says how to add an
// operation.
enum class Unary { negate, exp, log, sqrt, square, reciprocal, relu, sigmoid, tanh };
enum class Binary {
    add,
    subtract,
    multiply,
    divide,
    relu_gradient,     // 0 if b <= 0, else a, also for NaN; b is the result of relu
    sigmoid_gradient,  // a * b * (1 - b), b is the result of sigmoid
    tanh_gradient,     // a * (1 - b * b), b is the result of tanh
};

// A tensor seen as (outer, length, inner), with the middle axis to be reduced or normalised.
struct ReductionShape {
    std::size_t outer;
    std::size_t length;
    std::size_t inner;
};

// c = a · b, or c += a · b; a: (m, k) or (k, m) if transposed, b: (k, n) or (n, k), c: (m, n).
// Then bias, (n), is added to each row, and the activation is applied.
struct MatmulShape {
    bool transpose_a = false;
    bool transpose_b = false;
    std::size_t m = 0;
    std::size_t n = 0;
    std::size_t k = 0;
    bool accumulate = false;
    const Tensor* bias = nullptr;
    Activation activation = Activation::none;
};

// Windows that move over images of height x width: of a convolution or of pooling.
struct WindowShape {
    std::size_t channels;
    std::size_t height, width;
    std::size_t kernel_height, kernel_width;
    std::size_t stride;
    std::size_t padding;
    std::size_t out_height, out_width;

    std::size_t out_pixels() const { return out_height * out_width; }
    std::size_t window() const { return channels * kernel_height * kernel_width; }
};

// (batch, channels, pixels) with statistics per channel.
struct NormShape {
    std::size_t batch;
    std::size_t channels;
    std::size_t pixels;
};

class Kernels {
public:
    virtual ~Kernels() = default;

    // --- element by element
    virtual void fill(Tensor& y, float value) = 0;
    virtual void copy(const Tensor& x, Tensor& y) = 0;  // as many elements, of any type
    virtual void unary(Unary operation, const Tensor& x, Tensor& y) = 0;
    virtual void affine(const Tensor& x, float scale, float shift,
                        Tensor& y) = 0;  // scale * x + shift; y may be x
    virtual void binary(Binary operation, const Tensor& a, const Tensor& b,
                        Tensor& y) = 0;  // a and b are broadcast to the shape of y
    virtual void add_scaled(Tensor& y, const Tensor& x, float scale) = 0;  // y += scale * x

    // --- along one axis
    virtual void sum(const Tensor& x, const ReductionShape& lines, Tensor& y) = 0;
    virtual void scaled_sum(const Tensor& x, const ReductionShape& lines, float scale, Tensor& y);
    virtual void max(const Tensor& x, const ReductionShape& lines, Tensor& y,
                     Tensor& index) = 0;  // index: int32, of the first largest
    virtual void max_gradient(const Tensor& gradient, const Tensor& index,
                              const ReductionShape& lines, Tensor& dx) = 0;
    virtual void softmax(const Tensor& x, const ReductionShape& lines, bool log, Tensor& y) = 0;
    virtual void softmax_gradient(const Tensor& gradient, const Tensor& y,
                                  const ReductionShape& lines, bool log, Tensor& dx) = 0;

    // --- matrices
    virtual void matmul(const MatmulShape& product, const Tensor& a, const Tensor& b,
                        Tensor& c) = 0;
    // The gradient of a layer before its activation, whose result is y: (rows, columns), and the
    // sums of its columns, the gradient of the bias. dz may be the gradient itself if there is no
    // activation.
    virtual void linear_gradient(const Tensor& gradient, const Tensor& y, Activation activation,
                                 Tensor& dz, Tensor& dbias);

    // --- shapes
    virtual void permute(const Tensor& x, const std::vector<std::size_t>& axes, Tensor& y) = 0;
    // The last two axes of x are placed at (top, left) of those of y; negative ones cut off. The
    // rest of y gets the value.
    virtual void pad(const Tensor& x, long long top, long long left, float value, Tensor& y) = 0;
    virtual void index_select(const Tensor& x, const Tensor& rows, Tensor& y) = 0;
    virtual void index_select_gradient(const Tensor& gradient, const Tensor& rows, Tensor& dx) = 0;

    // --- classification. logits: (batch, classes), labels: (batch), int32, losses: (batch).
    // scales: (batch, 2), the largest logit of a row and the log of the sum of exp(logit -
    // largest). A label that is no class makes a loss of NaN.
    virtual void cross_entropy(const Tensor& logits, const Tensor& labels, Tensor& losses,
                               Tensor& scales) = 0;
    // dx = share * gradient * (softmax(logits) - one-hot(labels)); gradient: one number
    virtual void cross_entropy_gradient(const Tensor& logits, const Tensor& labels,
                                        const Tensor& scales, const Tensor& gradient, float share,
                                        Tensor& dx) = 0;

    // --- images. columns: (channels * kernel_height * kernel_width, images * out_pixels): each
    // column is what one window sees.
    virtual void im2col(const Tensor& images, const WindowShape& windows, Tensor& columns) = 0;
    virtual void col2im(const Tensor& columns, const WindowShape& windows,
                        Tensor& images) = 0;  // adds up what windows share
    // y: (batch, out, out_height, out_width) = weight: (out, window) · the columns of x, without
    // writing the columns to memory. Returns false, and computes nothing, if im2col and matmul are
    // to be used for these windows.
    virtual bool convolve(const Tensor& x, const Tensor& weight, const WindowShape& windows,
                          Tensor& y) = 0;
    virtual void max_pool(const Tensor& x, const WindowShape& windows, Tensor& y,
                          Tensor& index) = 0;  // index: int32, in its image and channel
    virtual void max_pool_gradient(const Tensor& gradient, const Tensor& index,
                                   const WindowShape& windows, Tensor& dx) = 0;
    // adaptive: out_height x out_width windows of about equal size, without stride and padding
    virtual void average_pool(const Tensor& x, const WindowShape& windows, bool adaptive,
                              Tensor& y) = 0;
    virtual void average_pool_gradient(const Tensor& gradient, const WindowShape& windows,
                                       bool adaptive, Tensor& dx) = 0;

    // --- batch norm; all but x, y, gradient, dx are (channels)
    virtual void channel_statistics(const Tensor& x, const NormShape& shape, Tensor& mean,
                                    Tensor& variance) = 0;  // divided by the number of elements
    virtual void normalize(const Tensor& x, const NormShape& shape, const Tensor& mean,
                           const Tensor& variance, float epsilon, const Tensor& weight,
                           const Tensor& bias, Tensor& y) = 0;
    // dweight = sum of gradient * normalised x, dbias = sum of gradient
    virtual void normalize_sums(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                                const Tensor& mean, const Tensor& variance, float epsilon,
                                Tensor& dweight, Tensor& dbias) = 0;
    // training: mean and variance depend on x
    virtual void normalize_gradient(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                                    const Tensor& mean, const Tensor& variance, float epsilon,
                                    const Tensor& weight, const Tensor& dweight,
                                    const Tensor& dbias, bool training, Tensor& dx) = 0;

    // --- random numbers: 0 with the probability p, else 1 / (1 - p); the same on every back-end
    virtual void dropout_mask(std::uint64_t seed, float p, Tensor& mask) = 0;
    virtual void count_up(Tensor& counter) = 0;  // int32, one element

    // --- steps of optimizers, see lanes/tensor/update.hpp; no tensor is empty
    virtual void sgd_step(const std::vector<Update>& updates, const SgdRule& rule,
                          const Tensor& settings) = 0;
    virtual void adam_step(const std::vector<Update>& updates, const AdamRule& rule,
                           Tensor& settings) = 0;

    virtual bool has_nan(const Tensor& x) = 0;
};

Kernels& cpu_kernels();                       // src/tensor/cpu
Kernels& cuda_kernels(const Device& device);  // src/tensor/cuda: of a GPU or a simulator
Kernels& kernels_of(const Device& device);
inline Kernels& kernels_of(const Tensor& x) { return kernels_of(x.device()); }

}  // namespace lanes::tensor
