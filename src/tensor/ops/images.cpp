#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/ops.hpp"

#include <algorithm>
#include <cstddef>

namespace lanes {

using tensor::kernels_of;
using tensor::MatmulShape;
using tensor::Node;
using tensor::Saved;
using tensor::WindowShape;

namespace {

using Gradients = std::vector<Tensor>;

void require_images(const Tensor& x, const char* name) {
    tensor::require_type(x, DType::float32, name);
    LANES_REQUIRE(x.rank() == 4, name, ": the tensor has the shape ", x.shape(),
                  ". Images are (batch, channels, height, width).");
}

WindowShape windows_of(const Tensor& x, std::size_t kernel_height, std::size_t kernel_width,
                       std::size_t stride, std::size_t padding, const char* name) {
    const std::size_t height = x.shape()[2];
    const std::size_t width = x.shape()[3];
    LANES_REQUIRE(height > 0 && width > 0, name, ": images of shape ", x.shape(),
                  " have no pixels. Give at least one row and one column.");
    // A difference of unsigned numbers that should be negative is a very large one.
    const auto step = static_cast<std::ptrdiff_t>(stride);
    const auto border = static_cast<std::ptrdiff_t>(padding);
    LANES_REQUIRE(step > 0, name, ": the stride is ", step, ". Give at least 1.");
    LANES_REQUIRE(border >= 0, name, ": the padding is ", border, ". Give at least 0.");
    LANES_REQUIRE(kernel_height > 0 && kernel_width > 0 && height + 2 * padding >= kernel_height &&
                      width + 2 * padding >= kernel_width,
                  name, ": a kernel of ", kernel_height, " x ", kernel_width,
                  " for images of shape ", x.shape(), " with a padding of ", padding,
                  ". The padded image must be at least as large as the kernel.");
    return {x.shape()[1],
            height,
            width,
            kernel_height,
            kernel_width,
            stride,
            padding,
            (height + 2 * padding - kernel_height) / stride + 1,
            (width + 2 * padding - kernel_width) / stride + 1};
}

// The columns of im2col repeat each pixel as often as a kernel has elements: they are made for as
// many images at a time as fit into this many numbers. On a CPU they should fit into its cache, and
// it needs fewer images at a time to be busy.
constexpr std::size_t largest_columns = std::size_t{64} << 20;  // 256 MiB
constexpr std::size_t largest_columns_on_cpu = std::size_t{2} << 20;

std::size_t images_at_once(const WindowShape& windows, std::size_t batch, const Device& device) {
    const std::size_t one = windows.window() * windows.out_pixels();
    const std::size_t most = device.is_cpu() ? largest_columns_on_cpu : largest_columns;
    return std::clamp<std::size_t>(most / std::max<std::size_t>(one, 1), 1,
                                   std::max<std::size_t>(batch, 1));
}

// Calls part(first, last) for groups of images.
template <class Part>
void for_each_group(const WindowShape& windows, std::size_t batch, const Device& device,
                    const Part& part) {
    const std::size_t group = images_at_once(windows, batch, device);
    for (std::size_t first = 0; first < batch; first += group)
        part(first, std::min(batch, first + group));
}

// (images, channels, pixels) to (channels, images * pixels), and back.
Tensor channels_first(const Tensor& images, std::size_t pixels) {
    const std::size_t channels = images.shape()[1];
    return permute(images.reshape({images.shape()[0], channels, pixels}), {1, 0, 2})
        .reshape({channels, -1});
}

void images_first(const Tensor& matrix, std::size_t batch, std::size_t pixels, Tensor& images) {
    const std::size_t channels = matrix.shape()[0];
    Tensor to = images.reshape({batch, channels, pixels});
    kernels_of(matrix).permute(matrix.reshape({channels, batch, pixels}), {1, 0, 2}, to);
}

// A kernel of one pixel sees the pixels of one image as they are.
bool is_identity(const WindowShape& w) {
    return w.kernel_height == 1 && w.kernel_width == 1 && w.stride == 1 && w.padding == 0;
}

Tensor columns_of(const Tensor& images, const WindowShape& windows) {
    if (is_identity(windows) && images.shape()[0] == 1)
        return images.reshape({windows.window(), windows.out_pixels()});
    Tensor columns = Tensor::empty({windows.window(), images.shape()[0] * windows.out_pixels()},
                                   images.device());
    kernels_of(images).im2col(images, windows, columns);
    return columns;
}

// y: (batch, out, out_height, out_width) = weight: (out, window) · columns of x
void convolve(const Tensor& x, const Tensor& weight, const WindowShape& windows, Tensor& y) {
    if (kernels_of(x).convolve(x, weight, windows, y)) return;
    for_each_group(windows, x.shape()[0], x.device(), [&](std::size_t first, std::size_t last) {
        const Tensor columns = columns_of(x.slice(first, last), windows);
        Tensor images = y.slice(first, last);
        if (last - first > 1) {
            images_first(matmul(weight, columns), last - first, windows.out_pixels(), images);
            return;
        }
        MatmulShape product;  // of one image: it is in the order of y already
        product.m = weight.shape()[0];
        product.n = windows.out_pixels();
        product.k = windows.window();
        kernels_of(x).matmul(product, weight, columns, images);
    });
}

// dx, the gradient of x: what the windows saw, added up again.
Tensor input_gradient(const Tensor& g, const Tensor& weight, const Shape& shape,
                      const WindowShape& windows) {
    Tensor dx = Tensor::empty(shape, g.device());
    for_each_group(windows, shape[0], g.device(), [&](std::size_t first, std::size_t last) {
        const Tensor rows = channels_first(g.slice(first, last), windows.out_pixels());
        const Tensor columns = matmul(weight, rows, true);
        Tensor images = dx.slice(first, last);
        kernels_of(g).col2im(columns, windows, images);
    });
    return dx;
}

Tensor weight_gradient(const Tensor& g, const Tensor& x, const WindowShape& windows) {
    const std::size_t out = g.shape()[1];
    const Shape shape{out, windows.window()};
    if (x.shape()[0] == 0) return Tensor::zeros(shape, g.device());
    Tensor dweight = Tensor::empty(shape, g.device());
    for_each_group(windows, x.shape()[0], x.device(), [&](std::size_t first, std::size_t last) {
        const Tensor rows = channels_first(g.slice(first, last), windows.out_pixels());
        const Tensor columns = columns_of(x.slice(first, last), windows);
        MatmulShape product;
        product.transpose_b = true;
        product.m = out;
        product.n = windows.window();
        product.k = rows.shape()[1];
        product.accumulate = first > 0;
        kernels_of(g).matmul(product, rows, columns, dweight);
    });
    return dweight;
}

}  // namespace

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias,
              const Conv2dOptions& options) {
    require_images(x, "conv2d");
    tensor::require_type(weight, DType::float32, "conv2d");
    tensor::require_same_device(x, weight, "conv2d");
    LANES_REQUIRE(weight.rank() == 4 && weight.shape()[1] == x.shape()[1],
                  "conv2d: images of shape ", x.shape(), " and a weight of shape ", weight.shape(),
                  ". The weight must be (out, channels of the images, height, width).");
    const std::size_t out = weight.shape()[0];
    if (bias.defined()) {
        tensor::require_same_device(x, bias, "conv2d");
        LANES_REQUIRE(bias.shape() == Shape{out}, "conv2d: the weight has the shape ",
                      weight.shape(), " and the bias ", bias.shape(),
                      ". Give one bias per output channel.");
    }
    const WindowShape windows = windows_of(x, weight.shape()[2], weight.shape()[3],
                                           options.stride(), options.padding(), "conv2d");
    Tensor y =
        Tensor::empty({x.shape()[0], out, windows.out_height, windows.out_width}, x.device());
    {
        const NoGrad no_grad;
        convolve(x, weight.reshape({out, windows.window()}), windows, y);
        if (bias.defined()) y = y + bias.reshape({out, 1, 1});
    }
    return tensor::recorded("conv2d", y, {x, weight, bias}, [&] {
        return [windows, x_shape = x.shape(), weight_shape = weight.shape(), x = Saved(x),
                weight = Saved(weight)](const Node& node, const Tensor& g) {
            Gradients gradients(3);
            if (node.needs(0)) {
                const Tensor matrix = weight.get(node).reshape({weight_shape[0], windows.window()});
                gradients[0] = input_gradient(g, matrix, x_shape, windows);
            }
            if (node.needs(1))
                gradients[1] = weight_gradient(g, x.get(node), windows).reshape(weight_shape);
            if (node.needs(2)) gradients[2] = sum(g, {0, 2, 3});
            return gradients;
        };
    });
}

Tensor max_pool2d(const Tensor& x, const Pool2dOptions& options) {
    require_images(x, "max_pool2d");
    const WindowShape windows = windows_of(x, options.kernel_size(), options.kernel_size(),
                                           options.stride(), options.padding(), "max_pool2d");
    LANES_REQUIRE(2 * options.padding() <= options.kernel_size(), "max_pool2d: a padding of ",
                  options.padding(), " for a kernel of ", options.kernel_size(),
                  ". It may be at most half of the kernel.");
    const Shape shape{x.shape()[0], x.shape()[1], windows.out_height, windows.out_width};
    Tensor y = Tensor::empty(shape, x.device());
    Tensor index = Tensor::empty(shape, x.device(), DType::int32);
    kernels_of(x).max_pool(x, windows, y, index);
    return tensor::recorded("max_pool2d", y, {x}, [&] {
        return [windows, index, before = x.shape()](const Node&, const Tensor& g) {
            Tensor dx = Tensor::empty(before, g.device());
            kernels_of(g).max_pool_gradient(g, index, windows, dx);
            return Gradients{dx};
        };
    });
}

namespace {

Tensor average_pool(const char* name, const Tensor& x, const WindowShape& windows, bool adaptive) {
    Tensor y = Tensor::empty({x.shape()[0], x.shape()[1], windows.out_height, windows.out_width},
                             x.device());
    kernels_of(x).average_pool(x, windows, adaptive, y);
    return tensor::recorded(name, y, {x}, [&] {
        return [windows, adaptive, before = x.shape()](const Node&, const Tensor& g) {
            Tensor dx = Tensor::empty(before, g.device());
            kernels_of(g).average_pool_gradient(g, windows, adaptive, dx);
            return Gradients{dx};
        };
    });
}

}  // namespace

Tensor avg_pool2d(const Tensor& x, const Pool2dOptions& options) {
    require_images(x, "avg_pool2d");
    const WindowShape windows = windows_of(x, options.kernel_size(), options.kernel_size(),
                                           options.stride(), options.padding(), "avg_pool2d");
    return average_pool("avg_pool2d", x, windows, false);
}

Tensor adaptive_avg_pool2d(const Tensor& x, std::size_t height, std::size_t width) {
    require_images(x, "adaptive_avg_pool2d");
    LANES_REQUIRE(height > 0 && width > 0 && x.shape()[2] > 0 && x.shape()[3] > 0,
                  "adaptive_avg_pool2d: images of shape ", x.shape(), " to ", height, " x ", width,
                  ". All extents must be at least 1.");
    const WindowShape windows{x.shape()[1], x.shape()[2], x.shape()[3], 0, 0, 1, 0, height, width};
    return average_pool("adaptive_avg_pool2d", x, windows, true);
}

}  // namespace lanes
