#include "cuda_kernels.hpp"

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_images.cu";

struct CudaWindows {  // as in the file
    int channels;
    int height;
    int width;
    int kernel_height;
    int kernel_width;
    int stride;
    int padding;
    int out_height;
    int out_width;
};

CudaWindows windows_of(const Windows& w) {
    return {int_of(w.channels),      int_of(w.height),       int_of(w.width),
            int_of(w.kernel_height), int_of(w.kernel_width), int_of(w.stride),
            int_of(w.padding),       int_of(w.out_height),   int_of(w.out_width)};
}

}  // namespace

void CudaKernels::im2col(const Tensor& images, const Windows& windows, Tensor& columns) {
    run_each(file, "tensor_im2col", columns.size(), images, columns, int_of(columns.size()),
             int_of(images.shape()[0]), windows_of(windows));
}

void CudaKernels::col2im(const Tensor& columns, const Windows& windows, Tensor& images) {
    int_of(columns.size());
    run_each(file, "tensor_col2im", images.size(), columns, images, int_of(images.size()),
             int_of(images.shape()[0]), windows_of(windows));
}

void CudaKernels::max_pool(const Tensor& x, const Windows& windows, Tensor& y, Tensor& index) {
    int_of(x.size());
    run_each(file, "tensor_max_pool", y.size(), x, y, index, int_of(y.size()), windows_of(windows));
}

void CudaKernels::max_pool_gradient(const Tensor& gradient, const Tensor& index,
                                    const Windows& windows, Tensor& dx) {
    run_each(file, "tensor_max_pool_gradient", dx.size(), gradient, index, dx, int_of(dx.size()),
             windows_of(windows));
}

void CudaKernels::average_pool(const Tensor& x, const Windows& windows, bool adaptive, Tensor& y) {
    int_of(x.size());
    run_each(file, "tensor_average_pool", y.size(), x, y, int_of(y.size()), adaptive ? 1 : 0,
             windows_of(windows));
}

void CudaKernels::average_pool_gradient(const Tensor& gradient, const Windows& windows,
                                        bool adaptive, Tensor& dx) {
    run_each(file, "tensor_average_pool_gradient", dx.size(), gradient, dx, int_of(dx.size()),
             adaptive ? 1 : 0, windows_of(windows));
}

}  // namespace lanes::tensor
