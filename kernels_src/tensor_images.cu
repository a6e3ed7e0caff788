// Convolution and pooling, for the module `tensor`. Images are (batch, channels, height, width).
// One thread per element of the result: launch {(n + 255) / 256, 256}. Gradients are gathered: each
// thread looks for the windows that saw its pixel, so that no two threads add to the same element
// and the order of the additions is fixed.

struct WindowShape {
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

// The part [first, last) of an axis.
struct Range {
    int first;
    int last;
};

__device__ int element() { return blockIdx.x * blockDim.x + threadIdx.x; }

// What window number `out` sees along an axis of `size` pixels.
__device__ Range seen_by(int out, int kernel, int stride, int padding, int size) {
    Range range;
    range.first = max(0, out * stride - padding);
    range.last = min(size, out * stride - padding + kernel);
    return range;
}

// The windows that see the pixel `in`, of `count` windows along an axis.
__device__ Range windows_at(int in, int kernel, int stride, int padding, int count) {
    Range range;
    const int first = in + padding - kernel + 1;
    range.first = first <= 0 ? 0 : (first + stride - 1) / stride;
    range.last = min(count, (in + padding) / stride + 1);
    return range;
}

// images: (batch, …), columns: (channels * kernel_height * kernel_width, batch * out pixels), n
// elements: each column is what one window sees.
extern "C" __global__ void tensor_im2col(const float* images, float* columns, int n, int batch,
                                         WindowShape w) {
    const int i = element();
    if (i >= n) return;
    const int out_column = i % w.out_width;
    const int out_row = i / w.out_width % w.out_height;
    const int image = i / (w.out_width * w.out_height) % batch;
    const int tap = i / (w.out_width * w.out_height) / batch;
    const int row = out_row * w.stride + tap / w.kernel_width % w.kernel_height - w.padding;
    const int column = out_column * w.stride + tap % w.kernel_width - w.padding;
    const int channel = tap / (w.kernel_width * w.kernel_height);
    const bool inside = row >= 0 && row < w.height && column >= 0 && column < w.width;
    columns[i] =
        inside ? images[((image * w.channels + channel) * w.height + row) * w.width + column] : 0;
}

// The other way round: images, n elements; what windows share is added up.
extern "C" __global__ void tensor_col2im(const float* columns, float* images, int n, int batch,
                                         WindowShape w) {
    const int i = element();
    if (i >= n) return;
    const int column = i % w.width;
    const int row = i / w.width % w.height;
    const int channel = i / (w.width * w.height) % w.channels;
    const int image = i / (w.width * w.height) / w.channels;
    const Range rows = windows_at(row, w.kernel_height, w.stride, w.padding, w.out_height);
    const Range places = windows_at(column, w.kernel_width, w.stride, w.padding, w.out_width);
    float sum = 0;
    for (int out_row = rows.first; out_row < rows.last; ++out_row)
        for (int out_column = places.first; out_column < places.last; ++out_column) {
            const int kernel_row = row + w.padding - out_row * w.stride;
            const int kernel_column = column + w.padding - out_column * w.stride;
            const int tap =
                (channel * w.kernel_height + kernel_row) * w.kernel_width + kernel_column;
            sum += columns[((tap * batch + image) * w.out_height + out_row) * w.out_width +
                           out_column];
        }
    images[i] = sum;
}

// y and index: (batch, channels, out_height, out_width), n elements; index: of the first largest,
// in its image and channel.
extern "C" __global__ void tensor_max_pool(const float* x, float* y, int* index, int n,
                                           WindowShape w) {
    const int i = element();
    if (i >= n) return;
    const Range rows =
        seen_by(i / w.out_width % w.out_height, w.kernel_height, w.stride, w.padding, w.height);
    const Range columns = seen_by(i % w.out_width, w.kernel_width, w.stride, w.padding, w.width);
    const float* plane = x + i / (w.out_width * w.out_height) * w.height * w.width;
    int best = rows.first * w.width + columns.first;
    float largest = plane[best];
    for (int row = rows.first; row < rows.last; ++row)
        for (int column = columns.first; column < columns.last; ++column) {
            const float value = plane[row * w.width + column];
            if (value > largest || value != value) {
                largest = value;
                best = row * w.width + column;
            }
        }
    y[i] = largest;
    index[i] = best;
}

// dx: (batch, channels, height, width), n elements
extern "C" __global__ void tensor_max_pool_gradient(const float* gradient, const int* index,
                                                    float* dx, int n, WindowShape w) {
    const int i = element();
    if (i >= n) return;
    const int pixel = i % (w.width * w.height);
    const Range rows =
        windows_at(pixel / w.width, w.kernel_height, w.stride, w.padding, w.out_height);
    const Range columns =
        windows_at(pixel % w.width, w.kernel_width, w.stride, w.padding, w.out_width);
    const int first = i / (w.width * w.height) * w.out_height * w.out_width;
    float sum = 0;
    for (int row = rows.first; row < rows.last; ++row)
        for (int column = columns.first; column < columns.last; ++column) {
            const int window = first + row * w.out_width + column;
            if (index[window] == pixel) sum += gradient[window];
        }
    dx[i] = sum;
}

// Part number `out` of `parts` about equal ones of an axis of `size` pixels.
__device__ Range part(int out, int parts, int size) {
    Range range;
    range.first = out * size / parts;
    range.last = ((out + 1) * size + parts - 1) / parts;
    return range;
}

// The mean of what each window sees; padding counts as zeros. adaptive: out_height x out_width
// windows of about equal size. n elements of y.
extern "C" __global__ void tensor_average_pool(const float* x, float* y, int n, int adaptive,
                                               WindowShape w) {
    const int i = element();
    if (i >= n) return;
    const int out_row = i / w.out_width % w.out_height;
    const int out_column = i % w.out_width;
    const Range rows = adaptive ? part(out_row, w.out_height, w.height)
                                : seen_by(out_row, w.kernel_height, w.stride, w.padding, w.height);
    const Range columns = adaptive
                              ? part(out_column, w.out_width, w.width)
                              : seen_by(out_column, w.kernel_width, w.stride, w.padding, w.width);
    const float* plane = x + i / (w.out_width * w.out_height) * w.height * w.width;
    float sum = 0;
    for (int row = rows.first; row < rows.last; ++row) {
        float row_sum = 0;  // in two steps: the window may be a whole large image
        for (int column = columns.first; column < columns.last; ++column)
            row_sum += plane[row * w.width + column];
        sum += row_sum;
    }
    const int count = adaptive ? (rows.last - rows.first) * (columns.last - columns.first)
                               : w.kernel_height * w.kernel_width;
    y[i] = sum / count;
}

// dx: n elements
extern "C" __global__ void tensor_average_pool_gradient(const float* gradient, float* dx, int n,
                                                        int adaptive, WindowShape w) {
    const int i = element();
    if (i >= n) return;
    const int row = i / w.width % w.height;
    const int column = i % w.width;
    Range rows = windows_at(row, w.kernel_height, w.stride, w.padding, w.out_height);
    Range columns = windows_at(column, w.kernel_width, w.stride, w.padding, w.out_width);
    if (adaptive) {  // the parts that hold this pixel
        rows.first = row * w.out_height / w.height;
        rows.last = ((row + 1) * w.out_height + w.height - 1) / w.height;
        columns.first = column * w.out_width / w.width;
        columns.last = ((column + 1) * w.out_width + w.width - 1) / w.width;
    }
    const int first = i / (w.width * w.height) * w.out_height * w.out_width;
    float sum = 0;
    for (int out_row = rows.first; out_row < rows.last; ++out_row)
        for (int out_column = columns.first; out_column < columns.last; ++out_column) {
            int count = w.kernel_height * w.kernel_width;
            if (adaptive) {
                const Range height = part(out_row, w.out_height, w.height);
                const Range width = part(out_column, w.out_width, w.width);
                count = (height.last - height.first) * (width.last - width.first);
            }
            sum += gradient[first + out_row * w.out_width + out_column] / count;
        }
    dx[i] = sum;
}
