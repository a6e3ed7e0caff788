#include "base/math.hpp"
#include "cuda_kernels.hpp"

#include <algorithm>

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_images.cu";
constexpr const char* conv2d_file = "tensor_conv2d.cu";

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

CudaWindows windows_of(const WindowShape& w) {
    return {int_of(w.channels),      int_of(w.height),       int_of(w.width),
            int_of(w.kernel_height), int_of(w.kernel_width), int_of(w.stride),
            int_of(w.padding),       int_of(w.out_height),   int_of(w.out_width)};
}

struct CudaConvolution {  // `Convolution` of tensor_conv2d.cu
    int images, out;
    int channels, height, width;
    int kernel_height, kernel_width, stride, padding;
    int out_height, out_width;
    int part;
    int vector_out;
};

}  // namespace

bool CudaKernels::convolve(const Tensor& x, const Tensor& weight, const WindowShape& w, Tensor& y) {
    constexpr std::size_t most_taps = 63;  // bits of a number in the file, less 1
    constexpr std::size_t most_pixels = std::size_t{1} << 25;  // likewise
    constexpr std::size_t longest_part = 4608;                 // of k: 18 KiB of shared memory
    constexpr std::size_t most_rows = 65535;                   // of tiles: the grid's y axis
    if (w.kernel_height * w.kernel_width > most_taps ||
        w.channels * w.height * w.width >= most_pixels)
        return false;
    const std::size_t images = x.shape()[0];
    const std::size_t out = weight.shape()[0];
    const std::size_t places = images * w.out_pixels();
    const std::size_t k = w.window();
    if (y.size() == 0 || k == 0) return false;
    for (const Tensor* one : {&x, &weight, static_cast<const Tensor*>(&y)}) int_of(one->size());
    const std::size_t units = multiprocessors();
    const std::size_t rows = ceil_div(out, 64);
    if (rows > most_rows) return false;
    // A part should be long enough to be worth its sum, and its table must fit into shared memory.
    const std::size_t fewest = ceil_div(k, longest_part);
    const std::size_t most = std::max(k / 256, fewest);
    // The wide tiles are faster if few places are outside x and there are enough of them.
    const std::size_t wide_columns = ceil_div(places, 128);
    const bool wide = std::size_t{10} * 128 * wide_columns <= 11 * places &&
                      wide_columns * rows * most >= 2 * units;
    const std::size_t columns = wide ? wide_columns : ceil_div(places, 64);
    // Four blocks fit into a multiprocessor.
    const std::size_t wanted = std::max(4 * units / (columns * rows), fewest);
    const std::size_t parts = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(most, 1));
    const std::size_t part = ceil_div(ceil_div(k, parts), 16) * 16;
    const std::size_t used = ceil_div(k, part);
    const CudaConvolution c{int_of(images),
                            int_of(out),
                            int_of(w.channels),
                            int_of(w.height),
                            int_of(w.width),
                            int_of(w.kernel_height),
                            int_of(w.kernel_width),
                            int_of(w.stride),
                            int_of(w.padding),
                            int_of(w.out_height),
                            int_of(w.out_width),
                            int_of(part),
                            w.out_pixels() % 4 == 0 && y.impl()->offset % 4 == 0};
    LaunchConfig config{{columns, rows, used}, 128};
    config.shared_bytes = part * sizeof(int);
    const bool large = w.kernel_height * w.kernel_width > 31;
    const char* const kernel = !wide   ? "tensor_conv2d_64"
                               : large ? "tensor_conv2d_128_large"
                                       : "tensor_conv2d_128";
    if (used == 1) {
        run(conv2d_file, kernel, config, x, weight, y, c);
        return true;
    }
    const Tensor sums = Tensor::empty({used, y.size()}, device_);
    run(conv2d_file, kernel, config, x, weight, sums, c);
    add_parts(sums, y);
    return true;
}

void CudaKernels::im2col(const Tensor& images, const WindowShape& windows, Tensor& columns) {
    run_each(file, "tensor_im2col", columns.size(), images, columns, int_of(columns.size()),
             int_of(images.shape()[0]), windows_of(windows));
}

void CudaKernels::col2im(const Tensor& columns, const WindowShape& windows, Tensor& images) {
    int_of(columns.size());
    run_each(file, "tensor_col2im", images.size(), columns, images, int_of(images.size()),
             int_of(images.shape()[0]), windows_of(windows));
}

void CudaKernels::max_pool(const Tensor& x, const WindowShape& windows, Tensor& y, Tensor& index) {
    int_of(x.size());
    run_each(file, "tensor_max_pool", y.size(), x, y, index, int_of(y.size()), windows_of(windows));
}

void CudaKernels::max_pool_gradient(const Tensor& gradient, const Tensor& index,
                                    const WindowShape& windows, Tensor& dx) {
    run_each(file, "tensor_max_pool_gradient", dx.size(), gradient, index, dx, int_of(dx.size()),
             windows_of(windows));
}

void CudaKernels::average_pool(const Tensor& x, const WindowShape& windows, bool adaptive,
                               Tensor& y) {
    int_of(x.size());
    run_each(file, "tensor_average_pool", y.size(), x, y, int_of(y.size()), adaptive ? 1 : 0,
             windows_of(windows));
}

void CudaKernels::average_pool_gradient(const Tensor& gradient, const WindowShape& windows,
                                        bool adaptive, Tensor& dx) {
    run_each(file, "tensor_average_pool_gradient", dx.size(), gradient, dx, int_of(dx.size()),
             adaptive ? 1 : 0, windows_of(windows));
}

}  // namespace lanes::tensor
