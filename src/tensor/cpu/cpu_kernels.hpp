// The CPU's back-end: array/gemm.hpp for products, simple loops that the compiler vectorises,
// shared by the threads of base/thread_pool.hpp. One file per family of operations.
#pragma once

#include "parallel.hpp"
#include "tensor/core/kernels.hpp"
#include "tensor/core/tensor_impl.hpp"

namespace lanes::tensor {

class CpuKernels : public Kernels {
public:
    // elementwise.cpp
    void fill(Tensor& y, float value) override;
    void copy(const Tensor& x, Tensor& y) override;
    void unary(Unary operation, const Tensor& x, Tensor& y) override;
    void affine(const Tensor& x, float scale, float shift, Tensor& y) override;
    void binary(Binary operation, const Tensor& a, const Tensor& b, Tensor& y) override;
    void add_scaled(Tensor& y, const Tensor& x, float scale) override;
    void count_up(Tensor& counter) override;
    void dropout_mask(std::uint64_t seed, float p, Tensor& mask) override;
    bool has_nan(const Tensor& x) override;

    // reduce.cpp
    void sum(const Tensor& x, const ReductionShape& lines, Tensor& y) override;
    void max(const Tensor& x, const ReductionShape& lines, Tensor& y, Tensor& index) override;
    void max_gradient(const Tensor& gradient, const Tensor& index, const ReductionShape& lines,
                      Tensor& dx) override;

    // softmax.cpp
    void softmax(const Tensor& x, const ReductionShape& lines, bool log, Tensor& y) override;
    void softmax_gradient(const Tensor& gradient, const Tensor& y, const ReductionShape& lines,
                          bool log, Tensor& dx) override;
    void cross_entropy(const Tensor& logits, const Tensor& labels, Tensor& losses,
                       Tensor& scales) override;
    void cross_entropy_gradient(const Tensor& logits, const Tensor& labels, const Tensor& scales,
                                const Tensor& gradient, float share, Tensor& dx) override;

    // matmul.cpp
    void matmul(const MatmulShape& product, const Tensor& a, const Tensor& b, Tensor& c) override;

    // shapes.cpp
    void permute(const Tensor& x, const std::vector<std::size_t>& axes, Tensor& y) override;
    void pad(const Tensor& x, long long top, long long left, float value, Tensor& y) override;
    void index_select(const Tensor& x, const Tensor& rows, Tensor& y) override;
    void index_select_gradient(const Tensor& gradient, const Tensor& rows, Tensor& dx) override;

    // images.cpp
    void im2col(const Tensor& images, const WindowShape& windows, Tensor& columns) override;
    void col2im(const Tensor& columns, const WindowShape& windows, Tensor& images) override;
    bool convolve(const Tensor& x, const Tensor& weight, const WindowShape& windows,
                  Tensor& y) override;
    void max_pool(const Tensor& x, const WindowShape& windows, Tensor& y, Tensor& index) override;
    void max_pool_gradient(const Tensor& gradient, const Tensor& index, const WindowShape& windows,
                           Tensor& dx) override;
    void average_pool(const Tensor& x, const WindowShape& windows, bool adaptive,
                      Tensor& y) override;
    void average_pool_gradient(const Tensor& gradient, const WindowShape& windows, bool adaptive,
                               Tensor& dx) override;

    // batch_norm.cpp
    void channel_statistics(const Tensor& x, const NormShape& shape, Tensor& mean,
                            Tensor& variance) override;
    void normalize(const Tensor& x, const NormShape& shape, const Tensor& mean,
                   const Tensor& variance, float epsilon, const Tensor& weight, const Tensor& bias,
                   Tensor& y) override;
    void normalize_sums(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                        const Tensor& mean, const Tensor& variance, float epsilon, Tensor& dweight,
                        Tensor& dbias) override;
    void normalize_gradient(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                            const Tensor& mean, const Tensor& variance, float epsilon,
                            const Tensor& weight, const Tensor& dweight, const Tensor& dbias,
                            bool training, Tensor& dx) override;

    // update.cpp
    void sgd_step(const std::vector<Update>& updates, const SgdRule& rule,
                  const Tensor& settings) override;
    void adam_step(const std::vector<Update>& updates, const AdamRule& rule,
                   Tensor& settings) override;
};

}  // namespace lanes::tensor
