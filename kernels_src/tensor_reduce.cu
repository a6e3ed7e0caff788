// Sums and maxima along an axis, for the module `tensor`. A tensor is seen as (outer, length,
// inner); the middle axis is reduced. Each result has its own block, and the order of its additions
// is fixed: the same numbers give the same bits.

// Adds up what the threads of a block hold; the result is right in thread 0. threads: a power of 2.
__device__ float block_sum(float value, float* shared, int thread, int threads) {
    shared[thread] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (thread < half) shared[thread] += shared[thread + half];
        __syncthreads();
    }
    return shared[0];
}

// inner is 1: x: (lines, length), y: (lines, chunks). A long line is cut into chunks, whose sums
// are summed by a second launch. Launch: {{chunks, lines}, 256}.
extern "C" __global__ void tensor_sum_rows(const float* x, float* y, int length, int chunk,
                                           float scale) {
    __shared__ float shared[256];
    const int first = blockIdx.x * chunk;
    const int last = min(length, first + chunk);
    const float* line = x + static_cast<size_t>(blockIdx.y) * length;
    float sum = 0;
    for (int i = first + threadIdx.x; i < last; i += 256) sum += line[i];
    sum = block_sum(sum, shared, threadIdx.x, 256);
    if (threadIdx.x == 0) y[blockIdx.y * gridDim.x + blockIdx.x] = scale * sum;
}

// x: (outer, length, inner), y: (outer, inner). A block has 32 neighbouring columns, read by 8 rows
// of threads. Launch: {{(inner + 31) / 32, outer}, {32, 8}}.
extern "C" __global__ void tensor_sum_columns(const float* x, float* y, int length, int inner,
                                              float scale) {
    __shared__ float shared[8][32];
    const int column = blockIdx.x * 32 + threadIdx.x;
    const float* from = x + static_cast<size_t>(blockIdx.y) * length * inner;
    float sum = 0;
    if (column < inner)
        for (int row = threadIdx.y; row < length; row += 8)
            sum += from[static_cast<size_t>(row) * inner + column];
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= inner) return;
    for (int row = 1; row < 8; ++row) sum += shared[row][threadIdx.x];
    y[static_cast<size_t>(blockIdx.y) * inner + column] = scale * sum;
}

// As in include/lanes/tensor/ops.hpp; tests/kernels/test_operations.py compares both lists.
enum class Activation { none, relu, sigmoid };

// The gradient before an activation from the one after it and the activation's result.
__device__ float gradient_before(Activation activation, float gradient, float y) {
    switch (activation) {
        case Activation::none:
            return gradient;
        case Activation::relu:
            return y <= 0 ? 0 : gradient;
        case Activation::sigmoid:
            return gradient * y * (1 - y);
    }
    assert(false && "gradient_before: an activation without a case");
    return 0;
}

// The gradient of a layer before its activation from the one after it and the layer's result y, all
// (rows, columns), and its sums over the rows: the gradient of the bias. A block has 32
// neighbouring columns. Launch: {(columns + 31) / 32, {32, 32}}.
extern "C" __global__ void __launch_bounds__(1024)
    tensor_linear_gradient(const float* gradient, const float* y, float* dz, float* dbias, int rows,
                           int columns, int activation) {
    __shared__ float shared[32][33];  // + 1: it is read along a column, in one bank without
    const Activation kind = static_cast<Activation>(activation);
    const int column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    if (column < columns)
#pragma unroll 4
        for (int row = threadIdx.y; row < rows; row += 32) {
            const size_t at = static_cast<size_t>(row) * columns + column;
            float g = gradient[at];
            if (kind != Activation::none) dz[at] = g = gradient_before(kind, g, y[at]);
            sum += g;
        }
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = shared[threadIdx.x][threadIdx.y];  // each warp has one column now
    for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lane);
    const int own = blockIdx.x * 32 + threadIdx.y;
    if (threadIdx.x == 0 && own < columns) dbias[own] = sum;
}

// Whether value, at `index`, comes before the best so far: larger, or equal and earlier. A NaN is
// larger than all numbers.
__device__ bool is_better(float value, int index, float best, int best_index) {
    const bool nan = value != value;
    const bool best_nan = best != best;
    if (nan != best_nan) return nan;
    return nan || value == best ? index < best_index : value > best;
}

// x: (outer, length, inner) -> y and index: (outer, inner), index of the first largest. Launch:
// {outer * inner, 128}.
extern "C" __global__ void tensor_max(const float* x, float* y, int* index, int length, int inner) {
    __shared__ float values[128];
    __shared__ int indices[128];
    const int line = blockIdx.x;
    const int thread = threadIdx.x;
    const float* from = x + static_cast<size_t>(line / inner) * length * inner + line % inner;
    int best_index = min(thread, length - 1);
    float best = from[static_cast<size_t>(best_index) * inner];
    for (int i = thread + 128; i < length; i += 128) {
        const float value = from[static_cast<size_t>(i) * inner];
        if (is_better(value, i, best, best_index)) {
            best = value;
            best_index = i;
        }
    }
    values[thread] = best;
    indices[thread] = best_index;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (thread < half && is_better(values[thread + half], indices[thread + half],
                                       values[thread], indices[thread])) {
            values[thread] = values[thread + half];
            indices[thread] = indices[thread + half];
        }
        __syncthreads();
    }
    if (thread == 0) {
        y[line] = values[0];
        index[line] = indices[0];
    }
}

// dx: (outer, length, inner), n elements: the gradient where the largest was, else 0. Launch:
// {(n + 255) / 256, 256}.
extern "C" __global__ void tensor_max_gradient(const float* gradient, const int* index, float* dx,
                                               int n, int length, int inner) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int line = i / (length * inner) * inner + i % inner;
    dx[i] = i / inner % length == index[line] ? gradient[line] : 0;
}
