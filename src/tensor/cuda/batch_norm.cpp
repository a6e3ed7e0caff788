#include "cuda_kernels.hpp"

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_batch_norm.cu";

}  // namespace

void CudaKernels::channel_statistics(const Tensor& x, const NormShape& shape, Tensor& mean,
                                     Tensor& variance) {
    int_of(x.size());
    run(file, "tensor_channel_statistics", {shape.channels, 256}, x, mean, variance,
        int_of(shape.batch), int_of(shape.channels), int_of(shape.pixels));
}

void CudaKernels::normalize(const Tensor& x, const NormShape& shape, const Tensor& mean,
                            const Tensor& variance, float epsilon, const Tensor& weight,
                            const Tensor& bias, Tensor& y) {
    run_each(file, "tensor_normalize", y.size(), x, mean, variance, weight, bias, y,
             int_of(y.size()), int_of(shape.channels), int_of(shape.pixels), epsilon);
}

void CudaKernels::normalize_sums(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                                 const Tensor& mean, const Tensor& variance, float epsilon,
                                 Tensor& dweight, Tensor& dbias) {
    int_of(x.size());
    run(file, "tensor_normalize_sums", {shape.channels, 256}, gradient, x, mean, variance, dweight,
        dbias, int_of(shape.batch), int_of(shape.channels), int_of(shape.pixels), epsilon);
}

void CudaKernels::normalize_gradient(const Tensor& gradient, const Tensor& x,
                                     const NormShape& shape, const Tensor& mean,
                                     const Tensor& variance, float epsilon, const Tensor& weight,
                                     const Tensor& dweight, const Tensor& dbias, bool training,
                                     Tensor& dx) {
    run_each(file, "tensor_normalize_gradient", dx.size(), gradient, x, mean, variance, weight,
             dweight, dbias, dx, int_of(dx.size()), int_of(shape.batch), int_of(shape.channels),
             int_of(shape.pixels), epsilon, training ? 1 : 0);
}

}  // namespace lanes::tensor
