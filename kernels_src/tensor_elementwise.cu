// Operations on each element of a tensor, for the module `tensor`. One thread per element: launch
// {(n + 255) / 256, 256}, n is the number of elements of the result. All of them are limited by the
// memory: the switch costs nothing measurable.

// The operations, in the order of src/tensor/core/kernels.hpp: tests/kernels/test_operations.py
// compares both lists and looks for a case of each.
enum class Unary { negate, exp, log, sqrt, square, reciprocal, relu, sigmoid, tanh };
enum class Binary {
    add,
    subtract,
    multiply,
    divide,
    relu_gradient,
    sigmoid_gradient,
    tanh_gradient,
};

__device__ int element() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void tensor_fill(float* y, int n, float value) {
    const int i = element();
    if (i < n) y[i] = value;
}

// As bits, so that it copies elements of any type.
extern "C" __global__ void tensor_copy(const int* x, int* y, int n) {
    const int i = element();
    if (i < n) y[i] = x[i];
}

__device__ float unary(Unary operation, float x) {
    switch (operation) {
        case Unary::negate:
            return -x;
        case Unary::exp:
            return expf(x);
        case Unary::log:
            return logf(x);
        case Unary::sqrt:
            return sqrtf(x);
        case Unary::square:
            return x * x;
        case Unary::reciprocal:
            return 1 / x;
        case Unary::relu:
            return x < 0 ? 0 : x;  // a NaN stays one
        case Unary::sigmoid:
            return 1 / (1 + expf(-x));
        case Unary::tanh:
            return tanhf(x);
    }
    assert(false && "unary: an operation without a case");
    return 0;
}

extern "C" __global__ void tensor_unary(int operation, const float* x, float* y, int n) {
    const int i = element();
    if (i < n) y[i] = unary(static_cast<Unary>(operation), x[i]);
}

// y may be x.
extern "C" __global__ void tensor_affine(const float* x, float scale, float shift, float* y,
                                         int n) {
    const int i = element();
    if (i < n) y[i] = scale * x[i] + shift;
}

extern "C" __global__ void tensor_add_scaled(float* y, const float* x, float scale, int n) {
    const int i = element();
    if (i < n) y[i] += scale * x[i];
}

__device__ float binary(Binary operation, float a, float b) {
    switch (operation) {
        case Binary::add:
            return a + b;
        case Binary::subtract:
            return a - b;
        case Binary::multiply:
            return a * b;
        case Binary::divide:
            return a / b;
        case Binary::relu_gradient:
            return b <= 0 ? 0 : a;  // a arrives, b is the result of relu,
        case Binary::sigmoid_gradient:
            return a * b * (1 - b);  // of sigmoid,
        case Binary::tanh_gradient:
            return a * (1 - b * b);  // of tanh
    }
    assert(false && "binary: an operation without a case");
    return 0;
}

extern "C" __global__ void tensor_binary(int operation, const float* a, const float* b, float* y,
                                         int n) {
    const int i = element();
    if (i < n) y[i] = binary(static_cast<Binary>(operation), a[i], b[i]);
}

// How a and b are broadcast to the shape of y: the steps along each axis, 0 if it is repeated.
struct Steps {
    int rank;
    int extent[8];
    int a_step[8];
    int b_step[8];
};

extern "C" __global__ void tensor_binary_broadcast(int operation, const float* a, const float* b,
                                                   float* y, int n, Steps steps) {
    const int i = element();
    if (i >= n) return;
    int rest = i;
    int from_a = 0;
    int from_b = 0;
    for (int axis = steps.rank - 1; axis >= 0; --axis) {
        const int index = rest % steps.extent[axis];
        rest /= steps.extent[axis];
        from_a += index * steps.a_step[axis];
        from_b += index * steps.b_step[axis];
    }
    y[i] = binary(static_cast<Binary>(operation), a[from_a], b[from_b]);
}

// One thread per 4 elements: {((n + 3) / 4 + 255) / 256, 256}. Philox4x32-10 (Salmon et al. 2011)
// makes four random numbers of a seed and a counter, as src/tensor/core/philox.hpp does. replay:
// the number of the replay of a captured step, or nullptr.
extern "C" __global__ void tensor_dropout_mask(float* mask, int n, unsigned long long seed,
                                               const int* replay, float p, float kept) {
    const int block = element();
    if (block >= (n + 3) / 4) return;
    unsigned key0 = static_cast<unsigned>(seed);
    unsigned key1 = static_cast<unsigned>(seed >> 32);
    unsigned x0 = block;
    unsigned x1 = replay == nullptr ? 0 : *replay;
    unsigned x2 = 0;
    unsigned x3 = 0;
    for (int round = 0; round < 10; ++round) {
        const unsigned high0 = __umulhi(0xD2511F53u, x0);
        const unsigned low0 = 0xD2511F53u * x0;
        const unsigned high1 = __umulhi(0xCD9E8D57u, x2);
        const unsigned low1 = 0xCD9E8D57u * x2;
        x0 = high1 ^ x1 ^ key0;
        x1 = low1;
        x2 = high0 ^ x3 ^ key1;
        x3 = low0;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    const unsigned bits[4] = {x0, x1, x2, x3};
    for (int i = 0; i < 4; ++i) {
        const float uniform = (bits[i] >> 8) * 0x1p-24f;  // in [0, 1)
        if (4 * block + i < n) mask[4 * block + i] = uniform < p ? 0 : kept;
    }
}

// Launch: {1, 1}.
extern "C" __global__ void tensor_count_up(int* counter) { ++*counter; }

// found[0] becomes 1 if x holds a NaN.
extern "C" __global__ void tensor_has_nan(const float* x, int n, int* found) {
    const int i = element();
    const int any = __syncthreads_or(i < n && x[i] != x[i]);
    if (threadIdx.x == 0) atomicOr(found, any);
}
