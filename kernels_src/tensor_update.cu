// One step of an optimizer for up to 16 parameters, for the module `tensor`. Each block works on
// 2048 elements of one parameter: launch {blocks of all parameters, 256}. Unused parameters are
// null pointers.
//
// Each parameter is an argument of its own and not an entry of a table, because the simulator
// follows arguments only. settings: the learning rate, the number of steps, and what
// tensor_adam_begin computes. They lie in device memory so that a captured graph reads new ones.

constexpr int at_once = 4;  // elements that a thread reads before it writes the first of them

struct Parts {
    int first_block[16];  // of each parameter; the largest int for unused ones
    int count[16];        // its elements
};

// Which parameter a block works on, and which of its elements.
struct Place {
    int parameter, first, last;

    __device__ explicit Place(const Parts& parts) : parameter(0) {
        int block = 0;
        int count = parts.count[0];
#pragma unroll
        for (int i = 1; i < 16; ++i)
            if (static_cast<int>(blockIdx.x) >= parts.first_block[i]) {
                parameter = i;
                block = parts.first_block[i];
                count = parts.count[i];
            }
        first = (static_cast<int>(blockIdx.x) - block) * 2048;
        last = min(count, first + 2048);
    }
};

// The tensor of a parameter: each bit of its number halves the choice. An array of them, indexed by
// the number, would be copied to local memory by each thread.
template <class T>
__device__ T* either(int bit, T* first, T* second) {
    return bit ? second : first;
}
template <class T>
__device__ T* one_of_4(int number, T* a, T* b, T* c, T* d) {
    return either(number & 2, either(number & 1, a, b), either(number & 1, c, d));
}
template <class T>
__device__ T* chosen(int number, T* a, T* b, T* c, T* d, T* e, T* f, T* g, T* h, T* i, T* j, T* k,
                     T* l, T* m, T* n, T* o, T* p) {
    return either(number & 8,
                  either(number & 4, one_of_4(number, a, b, c, d), one_of_4(number, e, f, g, h)),
                  either(number & 4, one_of_4(number, i, j, k, l), one_of_4(number, m, n, o, p)));
}

// The elements of a thread that are inside, `at_once` at a time.
__device__ void read(const float* from, int first, int last, float (&to)[at_once]) {
#pragma unroll
    for (int q = 0; q < at_once; ++q) {
        const int i = first + q * blockDim.x;
        to[q] = i < last ? from[i] : 0;
    }
}
__device__ void write(const float (&from)[at_once], int first, int last, float* to) {
#pragma unroll
    for (int q = 0; q < at_once; ++q) {
        const int i = first + q * blockDim.x;
        if (i < last) to[i] = from[q];
    }
}

// velocity is null without momentum.
extern "C" __global__ void tensor_sgd_step(
    float* w0, float* w1, float* w2, float* w3, float* w4, float* w5, float* w6, float* w7,
    float* w8, float* w9, float* w10, float* w11, float* w12, float* w13, float* w14, float* w15,
    const float* g0, const float* g1, const float* g2, const float* g3, const float* g4,
    const float* g5, const float* g6, const float* g7, const float* g8, const float* g9,
    const float* g10, const float* g11, const float* g12, const float* g13, const float* g14,
    const float* g15, float* m0, float* m1, float* m2, float* m3, float* m4, float* m5, float* m6,
    float* m7, float* m8, float* m9, float* m10, float* m11, float* m12, float* m13, float* m14,
    float* m15, Parts parts, const float* settings, float momentum, float weight_decay,
    int nesterov) {
    const Place place(parts);
    const int number = place.parameter;
    float* const w =
        chosen(number, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15);
    const float* const g =
        chosen(number, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15);
    float* const velocity =
        chosen(number, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
    const float rate = settings[0];
    for (int i = place.first + threadIdx.x; i < place.last; i += at_once * blockDim.x) {
        float weight[at_once], step[at_once], speed[at_once];
        read(w, i, place.last, weight);
        read(g, i, place.last, step);
        if (velocity != nullptr) read(velocity, i, place.last, speed);
#pragma unroll
        for (int q = 0; q < at_once; ++q) {
            const float gradient = step[q] + weight_decay * weight[q];
            step[q] = gradient;
            if (velocity != nullptr) {
                speed[q] = momentum * speed[q] + gradient;
                step[q] = nesterov ? gradient + momentum * speed[q] : speed[q];
            }
            weight[q] -= rate * step[q];
        }
        if (velocity != nullptr) write(speed, i, place.last, velocity);
        write(weight, i, place.last, w);
    }
}

// One thread: counts the step. The means of Adam begin at 0; settings[2] and [3] take out what that
// costs.
extern "C" __global__ void tensor_adam_begin(float* settings, double beta1, double beta2) {
    const float steps = settings[1] + 1;
    settings[1] = steps;
    settings[2] = settings[0] / (1 - pow(beta1, (double)steps));
    settings[3] = 1 / sqrt(1 - pow(beta2, (double)steps));
}

struct AdamRule {
    float beta1;
    float beta2;
    float one_minus_beta1;  // 1 - beta1
    float one_minus_beta2;
    float eps;
    float weight_decay;
};

extern "C" __global__ void tensor_adam_step(
    float* w0, float* w1, float* w2, float* w3, float* w4, float* w5, float* w6, float* w7,
    float* w8, float* w9, float* w10, float* w11, float* w12, float* w13, float* w14, float* w15,
    const float* g0, const float* g1, const float* g2, const float* g3, const float* g4,
    const float* g5, const float* g6, const float* g7, const float* g8, const float* g9,
    const float* g10, const float* g11, const float* g12, const float* g13, const float* g14,
    const float* g15, float* m0, float* m1, float* m2, float* m3, float* m4, float* m5, float* m6,
    float* m7, float* m8, float* m9, float* m10, float* m11, float* m12, float* m13, float* m14,
    float* m15, float* v0, float* v1, float* v2, float* v3, float* v4, float* v5, float* v6,
    float* v7, float* v8, float* v9, float* v10, float* v11, float* v12, float* v13, float* v14,
    float* v15, Parts parts, const float* settings, AdamRule rule) {
    const Place place(parts);
    const int number = place.parameter;
    float* const w =
        chosen(number, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15);
    const float* const g =
        chosen(number, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15);
    float* const mean =
        chosen(number, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
    float* const square =
        chosen(number, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15);
    const float rate = settings[2];
    const float root_scale = settings[3];
    for (int i = place.first + threadIdx.x; i < place.last; i += at_once * blockDim.x) {
        float weight[at_once], slope[at_once], m[at_once], v[at_once];
        read(w, i, place.last, weight);
        read(g, i, place.last, slope);
        read(mean, i, place.last, m);
        read(square, i, place.last, v);
#pragma unroll
        for (int q = 0; q < at_once; ++q) {
            const float gradient = slope[q] + rule.weight_decay * weight[q];
            m[q] = rule.beta1 * m[q] + rule.one_minus_beta1 * gradient;
            v[q] = rule.beta2 * v[q] + rule.one_minus_beta2 * gradient * gradient;
            weight[q] -= rate * m[q] / (sqrtf(v[q]) * root_scale + rule.eps);
        }
        write(m, i, place.last, mean);
        write(v, i, place.last, square);
        write(weight, i, place.last, w);
    }
}
