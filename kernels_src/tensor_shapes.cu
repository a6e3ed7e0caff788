// Other orders and sizes of the axes of a tensor, for the module `tensor`. One thread per element
// of the result: launch {(n + 255) / 256, 256}.

__device__ int element() { return blockIdx.x * blockDim.x + threadIdx.x; }

// The shape of y, and the step in x along each of its axes.
struct Axes {
    int rank;
    int extent[8];
    int step[8];
};

extern "C" __global__ void tensor_permute(const float* x, float* y, int n, Axes axes) {
    const int i = element();
    if (i >= n) return;
    int rest = i;
    int from = 0;
    for (int axis = axes.rank - 1; axis >= 0; --axis) {
        from += rest % axes.extent[axis] * axes.step[axis];
        rest /= axes.extent[axis];
    }
    y[i] = x[from];
}

// x: (images, height, width), y: (images, out_height, out_width), n elements; x lies at (top, left)
// of y, the rest gets the value. Negative ones cut x off.
extern "C" __global__ void tensor_pad(const float* x, float* y, int n, int height, int width,
                                      int out_height, int out_width, int top, int left,
                                      float value) {
    const int i = element();
    if (i >= n) return;
    const int row = i / out_width % out_height - top;
    const int column = i % out_width - left;
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    const int image = i / out_width / out_height;
    y[i] = inside ? x[(image * height + row) * width + column] : value;
}

// x: (all, length), rows: (count), y: (count, length), n elements. A row that is not there becomes
// NaN.
extern "C" __global__ void tensor_index_select(const float* x, const int* rows, float* y, int n,
                                               int length, int all) {
    const int i = element();
    if (i >= n) return;
    const int row = rows[i / length];
    const float not_a_number = __int_as_float(0x7fc00000);
    y[i] = row >= 0 && row < all ? x[row * length + i % length] : not_a_number;
}

// gradient: (count, length), dx: (all, length), n elements. Each thread looks for its row, so that
// no two threads add to the same element.
extern "C" __global__ void tensor_index_select_gradient(const float* gradient, const int* rows,
                                                        float* dx, int n, int length, int count) {
    const int i = element();
    if (i >= n) return;
    float sum = 0;
    for (int other = 0; other < count; ++other)
        if (rows[other] == i / length) sum += gradient[other * length + i % length];
    dx[i] = sum;
}
