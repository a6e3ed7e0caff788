#include "cpu_kernels.hpp"

#include "array/gemm.hpp"
#include "array/one_blas_thread.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace lanes::tensor {

namespace {

using Index = std::ptrdiff_t;

Index signed_of(std::size_t value) { return static_cast<Index>(value); }

// The part [first, last) of an axis.
struct Range {
    Index first;
    Index last;
};

// What the window number `out` sees along an axis of `size` elements, inside the image.
Range window_range(std::size_t out, std::size_t stride, std::size_t padding, std::size_t kernel,
                   std::size_t size) {
    const Index start = signed_of(out * stride) - signed_of(padding);
    return {std::max<Index>(0, start), std::min(signed_of(size), start + signed_of(kernel))};
}

// The part number `out` of `parts` about equal ones that cover an axis of `size` elements.
Range adaptive_range(std::size_t out, std::size_t parts, std::size_t size) {
    return {signed_of(out * size / parts), signed_of(((out + 1) * size + parts - 1) / parts)};
}

struct Area {
    Range rows;
    Range columns;
    float count;  // by which a mean is divided
};

Area area_of(const WindowShape& w, bool adaptive, std::size_t out_row, std::size_t out_column) {
    if (!adaptive)
        return {window_range(out_row, w.stride, w.padding, w.kernel_height, w.height),
                window_range(out_column, w.stride, w.padding, w.kernel_width, w.width),
                static_cast<float>(w.kernel_height * w.kernel_width)};
    const Range rows = adaptive_range(out_row, w.out_height, w.height);
    const Range columns = adaptive_range(out_column, w.out_width, w.width);
    return {rows, columns,
            static_cast<float>((rows.last - rows.first) * (columns.last - columns.first))};
}

struct Largest {
    float value;
    Index index;
};

// The first of equal ones; NaN counts as the largest. Without branches on values, which a CPU
// cannot predict.
Largest largest_of(const float* image, Index width, Range rows, Range columns) {
    float largest = -std::numeric_limits<float>::infinity();
    Index best = rows.first * width + columns.first;
    for (Index i = rows.first; i < rows.last; ++i)
        for (Index j = columns.first; j < columns.last; ++j) {
            const float value = image[i * width + j];
            const bool larger = (value > largest) | (value != value);
            largest = larger ? value : largest;
            best = larger ? i * width + j : best;
        }
    return {largest, best};
}

// One row of the columns matrix for one image: what the windows whose rows are first_row …
// last_row - 1 see at (kernel_row, kernel_column). Whole rows of pixels are copied; the padding is
// 0.
void write_line(const WindowShape& w, const float* plane, std::size_t kernel_row,
                std::size_t kernel_column, std::size_t first_row, std::size_t last_row,
                float* line) {
    const Index shift = signed_of(kernel_column) - signed_of(w.padding);
    const Index stride = signed_of(w.stride);
    const Index width = signed_of(w.width);
    const Index out_width = signed_of(w.out_width);
    // columns first … last - 1 of the result are inside the image
    const Index first = std::min(out_width, std::max<Index>(0, (stride - 1 - shift) / stride));
    const Index last = std::max(first, std::min(out_width, (width - shift + stride - 1) / stride));
    for (std::size_t i = first_row; i < last_row; ++i, line += out_width) {
        const Index row = signed_of(i * w.stride + kernel_row) - signed_of(w.padding);
        if (row < 0 || row >= signed_of(w.height) || width - shift <= 0) {
            std::fill(line, line + out_width, 0.0f);
            continue;
        }
        const float* const from = plane + row * width;
        std::fill(line, line + first, 0.0f);
        if (stride == 1)
            std::copy(from + (first + shift), from + (last + shift), line + first);
        else
            for (Index j = first; j < last; ++j) line[j] = from[j * stride + shift];
        std::fill(line + last, line + out_width, 0.0f);
    }
}

// Calls body(row, column) for the elements that one row of the columns matrix takes from an image:
// those which the windows see at (kernel_row, kernel_column) of their area.
template <class Body>
void for_each_window(const WindowShape& w, std::size_t kernel_row, std::size_t kernel_column,
                     const Body& body) {
    for (std::size_t i = 0; i < w.out_height; ++i) {
        const Index row = signed_of(i * w.stride + kernel_row) - signed_of(w.padding);
        const bool inside = row >= 0 && row < signed_of(w.height);
        for (std::size_t j = 0; j < w.out_width; ++j) {
            const Index column = signed_of(j * w.stride + kernel_column) - signed_of(w.padding);
            body(i * w.out_width + j, inside && column >= 0 && column < signed_of(w.width),
                 row * signed_of(w.width) + column);
        }
    }
}

}  // namespace

void CpuKernels::im2col(const Tensor& images, const WindowShape& w, Tensor& columns) {
    const float* const from = floats(images);
    float* const to = floats(columns);
    const std::size_t batch = images.shape()[0];
    const std::size_t pixels = w.height * w.width;
    const std::size_t taps = w.kernel_height * w.kernel_width;
    parallel_for(w.window() * batch, w.out_pixels(), [=](std::size_t first, std::size_t last) {
        for (std::size_t part = first; part < last; ++part) {
            const std::size_t row = part / batch;
            const std::size_t image = part % batch;
            const std::size_t channel = row / taps;
            const float* const plane = from + (image * w.channels + channel) * pixels;
            float* const line = to + (row * batch + image) * w.out_pixels();
            write_line(w, plane, row % taps / w.kernel_width, row % w.kernel_width, 0, w.out_height,
                       line);
        }
    });
}

// Each thread takes some rows of the result of one image at a time: the columns for them stay in
// its cache. Only if the weights are small enough to stay there, too: they are read for each such
// part.
bool CpuKernels::convolve(const Tensor& x, const Tensor& weight, const WindowShape& w, Tensor& y) {
    constexpr std::size_t most_weights = std::size_t{160} << 10;  // 640 KiB
    constexpr std::size_t most_columns = std::size_t{96} << 10;
    const std::size_t out = weight.shape()[0];
    const std::size_t window = w.window();
    if (out * window > most_weights || window * w.out_width == 0) return false;
    const std::size_t rows = std::clamp<std::size_t>(most_columns / (window * w.out_width), 1,
                                                     std::max<std::size_t>(w.out_height, 1));
    const std::size_t parts = (w.out_height + rows - 1) / rows;  // of an image
    const std::size_t taps = w.kernel_height * w.kernel_width;
    const std::size_t pixels = w.height * w.width;
    const float* const images = floats(x);
    const float* const weights = floats(weight);
    float* const to = floats(y);
    const OneBlasThread one;
    parallel_for(x.shape()[0] * parts, out * window * rows * w.out_width / 8,
                 [=](std::size_t first, std::size_t last) {
                     std::vector<float> columns(window * rows * w.out_width);
                     for (std::size_t number = first; number < last; ++number) {
                         const std::size_t image = number / parts;
                         const std::size_t top = number % parts * rows;
                         const std::size_t bottom = std::min(w.out_height, top + rows);
                         const std::size_t places = (bottom - top) * w.out_width;
                         for (std::size_t row = 0; row < window; ++row)
                             write_line(w, images + (image * w.channels + row / taps) * pixels,
                                        row % taps / w.kernel_width, row % w.kernel_width, top,
                                        bottom, columns.data() + row * places);
                         gemm_into(out, places, window, weights, columns.data(),
                                   to + image * out * w.out_pixels() + top * w.out_width,
                                   w.out_pixels());
                     }
                 });
    return true;
}

void CpuKernels::col2im(const Tensor& columns, const WindowShape& w, Tensor& images) {
    const float* const from = floats(columns);
    float* const to = floats(images);
    const std::size_t batch = images.shape()[0];
    const std::size_t pixels = w.height * w.width;
    const std::size_t taps = w.kernel_height * w.kernel_width;
    // a thread has its own planes
    parallel_for(
        batch * w.channels, taps * w.out_pixels(), [=](std::size_t first, std::size_t last) {
            for (std::size_t part = first; part < last; ++part) {
                const std::size_t image = part / w.channels;
                const std::size_t channel = part % w.channels;
                float* const plane = to + part * pixels;
                std::fill(plane, plane + pixels, 0.0f);
                for (std::size_t tap = 0; tap < taps; ++tap) {
                    const std::size_t row = channel * taps + tap;
                    const float* const line = from + (row * batch + image) * w.out_pixels();
                    for_each_window(w, tap / w.kernel_width, tap % w.kernel_width,
                                    [=](std::size_t out, bool inside, Index in) {
                                        if (inside) plane[in] += line[out];
                                    });
                }
            }
        });
}

void CpuKernels::max_pool(const Tensor& x, const WindowShape& w, Tensor& y, Tensor& index) {
    const float* const from = floats(x);
    float* const to = floats(y);
    int* const where = ints(index);
    const std::size_t planes = x.size() / (w.height * w.width);
    parallel_for(planes, w.height * w.width, [=](std::size_t first, std::size_t last) {
        for (std::size_t plane = first; plane < last; ++plane) {
            const float* const in = from + plane * w.height * w.width;
            const std::size_t first_out = plane * w.out_pixels();
            for (std::size_t i = 0; i < w.out_height; ++i) {
                const Range rows = window_range(i, w.stride, w.padding, w.kernel_height, w.height);
                for (std::size_t j = 0; j < w.out_width; ++j) {
                    const Range columns =
                        window_range(j, w.stride, w.padding, w.kernel_width, w.width);
                    const Largest largest = largest_of(in, signed_of(w.width), rows, columns);
                    to[first_out + i * w.out_width + j] = largest.value;
                    where[first_out + i * w.out_width + j] = static_cast<int>(largest.index);
                }
            }
        }
    });
}

void CpuKernels::max_pool_gradient(const Tensor& gradient, const Tensor& index,
                                   const WindowShape& w, Tensor& dx) {
    const float* const from = floats(gradient);
    const int* const where = ints(index);
    float* const to = floats(dx);
    const std::size_t pixels = w.height * w.width;
    parallel_for(dx.size() / pixels, pixels, [=](std::size_t first, std::size_t last) {
        for (std::size_t plane = first; plane < last; ++plane) {
            float* const out = to + plane * pixels;
            std::fill(out, out + pixels, 0.0f);
            for (std::size_t i = 0; i < w.out_pixels(); ++i) {
                const std::size_t window = plane * w.out_pixels() + i;
                out[where[window]] += from[window];
            }
        }
    });
}

void CpuKernels::average_pool(const Tensor& x, const WindowShape& w, bool adaptive, Tensor& y) {
    const float* const from = floats(x);
    float* const to = floats(y);
    const std::size_t pixels = w.height * w.width;
    parallel_for(x.size() / pixels, pixels, [=](std::size_t first, std::size_t last) {
        for (std::size_t plane = first; plane < last; ++plane) {
            const float* const in = from + plane * pixels;
            for (std::size_t out = 0; out < w.out_pixels(); ++out) {
                const Area area = area_of(w, adaptive, out / w.out_width, out % w.out_width);
                double sum = 0;  // the area may be a whole large image
                for (Index i = area.rows.first; i < area.rows.last; ++i) {
                    float row = 0;
                    for (Index j = area.columns.first; j < area.columns.last; ++j)
                        row += in[i * signed_of(w.width) + j];
                    sum += static_cast<double>(row);
                }
                to[plane * w.out_pixels() + out] = static_cast<float>(sum) / area.count;
            }
        }
    });
}

void CpuKernels::average_pool_gradient(const Tensor& gradient, const WindowShape& w, bool adaptive,
                                       Tensor& dx) {
    const float* const from = floats(gradient);
    float* const to = floats(dx);
    const std::size_t pixels = w.height * w.width;
    parallel_for(dx.size() / pixels, pixels, [=](std::size_t first, std::size_t last) {
        for (std::size_t plane = first; plane < last; ++plane) {
            float* const out = to + plane * pixels;
            std::fill(out, out + pixels, 0.0f);
            for (std::size_t window = 0; window < w.out_pixels(); ++window) {
                const Area area = area_of(w, adaptive, window / w.out_width, window % w.out_width);
                const float share = from[plane * w.out_pixels() + window] / area.count;
                for (Index i = area.rows.first; i < area.rows.last; ++i)
                    for (Index j = area.columns.first; j < area.columns.last; ++j)
                        out[i * signed_of(w.width) + j] += share;
            }
        }
    });
}

}  // namespace lanes::tensor
