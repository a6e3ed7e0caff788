// Softmax and cross-entropy, for the module `tensor`. One warp per line: launch
// {(lines + 3) / 4, {32, 4}}. The largest number of a line is subtracted before exp, which can then
// not overflow.

__device__ float warp_sum(float value) {
    for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(0xffffffff, value, lane);
    return value;
}

__device__ float warp_max(float value) {
    for (int lane = 16; lane > 0; lane /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, lane));
    return value;
}

// Of one line with `step` elements between its numbers: the largest number, and the log of the sum
// of exp(x - largest).
struct Scale {
    float largest;
    float log_sum;
};

__device__ Scale scale_of(const float* line, int length, int step) {
    Scale scale;
    scale.largest = line[0];
    for (int i = threadIdx.x; i < length; i += 32)
        scale.largest = fmaxf(scale.largest, line[static_cast<size_t>(i) * step]);
    scale.largest = warp_max(scale.largest);
    float sum = 0;
    for (int i = threadIdx.x; i < length; i += 32)
        sum += expf(line[static_cast<size_t>(i) * step] - scale.largest);
    scale.log_sum = logf(warp_sum(sum));
    return scale;
}

__device__ size_t start_of(int line, int length, int inner) {
    return static_cast<size_t>(line / inner) * length * inner + line % inner;
}

// x, y: (outer, length, inner), lines = outer * inner
extern "C" __global__ void tensor_softmax(const float* x, float* y, int lines, int length,
                                          int inner, int log) {
    const int line = blockIdx.x * 4 + threadIdx.y;
    if (line >= lines) return;
    const size_t start = start_of(line, length, inner);
    const Scale scale = scale_of(x + start, length, inner);
    for (int i = threadIdx.x; i < length; i += 32) {
        const size_t at = start + static_cast<size_t>(i) * inner;
        const float log_softmax = x[at] - scale.largest - scale.log_sum;
        y[at] = log ? log_softmax : expf(log_softmax);
    }
}

// y: the result of softmax
extern "C" __global__ void tensor_softmax_gradient(const float* gradient, const float* y, float* dx,
                                                   int lines, int length, int inner, int log) {
    const int line = blockIdx.x * 4 + threadIdx.y;
    if (line >= lines) return;
    const size_t start = start_of(line, length, inner);
    float sum = 0;
    for (int i = threadIdx.x; i < length; i += 32) {
        const size_t at = start + static_cast<size_t>(i) * inner;
        sum += log ? gradient[at] : gradient[at] * y[at];
    }
    sum = warp_sum(sum);
    for (int i = threadIdx.x; i < length; i += 32) {
        const size_t at = start + static_cast<size_t>(i) * inner;
        dx[at] = log ? gradient[at] - expf(y[at]) * sum : y[at] * (gradient[at] - sum);
    }
}

// logits: (batch, classes), labels: (batch), losses: (batch), scales: (batch, 2). A label that is
// no class makes a loss of NaN.
extern "C" __global__ void tensor_cross_entropy(const float* logits, const int* labels,
                                                float* losses, float* scales, int batch,
                                                int classes) {
    const int row = blockIdx.x * 4 + threadIdx.y;
    if (row >= batch) return;
    const float* line = logits + static_cast<size_t>(row) * classes;
    const Scale scale = scale_of(line, classes, 1);
    if (threadIdx.x != 0) return;
    const int label = labels[row];
    const float not_a_number = __int_as_float(0x7fc00000);
    const bool known = label >= 0 && label < classes;
    losses[row] = known ? scale.log_sum - (line[label] - scale.largest) : not_a_number;
    scales[2 * row] = scale.largest;
    scales[2 * row + 1] = scale.log_sum;
}

// dx = share * gradient * (softmax - one-hot); gradient: one number, n = batch * classes. Launch:
// {(n + 255) / 256, 256}.
extern "C" __global__ void tensor_cross_entropy_gradient(const float* logits, const int* labels,
                                                         const float* scales, const float* gradient,
                                                         float share, float* dx, int n,
                                                         int classes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int row = i / classes;
    const float softmax = expf(logits[i] - scales[2 * row] - scales[2 * row + 1]);
    const float one_hot = i % classes == labels[row] ? 1 : 0;
    dx[i] = share * gradient[0] * (softmax - one_hot);
}
