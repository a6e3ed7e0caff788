// One step of an optimizer for up to 16 parameters, for the module `tensor`. Row y of the grid
// works on parameter y: launch {{blocks, parameters}, 256}; the threads of a row go through the
// elements together, for any number of blocks. Unused parameters are null pointers.
//
// Each parameter is an argument of its own and not an entry of a table, because the simulator
// follows arguments only. settings: the learning rate, the number of steps, and what
// tensor_adam_begin computes. They lie in device memory so that a captured graph reads new ones.

struct Counts {
    int of[16];
};

// The tensor of this row of the grid: each bit of the row's number halves the choice. An array of
// them, indexed by the row, would be copied to local memory by each thread.
template <class T>
__device__ T* either(int bit, T* first, T* second) {
    return blockIdx.y & bit ? second : first;
}
template <class T>
__device__ T* one_of_4(T* a, T* b, T* c, T* d) {
    return either(2, either(1, a, b), either(1, c, d));
}
template <class T>
__device__ T* chosen(T* a, T* b, T* c, T* d, T* e, T* f, T* g, T* h, T* i, T* j, T* k, T* l, T* m,
                     T* n, T* o, T* p) {
    return either(8, either(4, one_of_4(a, b, c, d), one_of_4(e, f, g, h)),
                  either(4, one_of_4(i, j, k, l), one_of_4(m, n, o, p)));
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
    float* m15, Counts counts, const float* settings, float momentum, float weight_decay,
    int nesterov) {
    float* const w = chosen(w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15);
    const float* const g =
        chosen(g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15);
    float* const velocity =
        chosen(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
    const int n = counts.of[blockIdx.y];
    const float rate = settings[0];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float gradient = g[i] + weight_decay * w[i];
        float step = gradient;
        if (velocity != nullptr) {
            const float faster = momentum * velocity[i] + gradient;
            velocity[i] = faster;
            step = nesterov ? gradient + momentum * faster : faster;
        }
        w[i] -= rate * step;
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
    float rest1;  // 1 - beta1
    float rest2;
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
    float* v15, Counts counts, const float* settings, AdamRule rule) {
    float* const w = chosen(w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15);
    const float* const g =
        chosen(g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15);
    float* const mean =
        chosen(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
    float* const square =
        chosen(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15);
    const int n = counts.of[blockIdx.y];
    const float rate = settings[2];
    const float root_scale = settings[3];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float gradient = g[i] + rule.weight_decay * w[i];
        const float m = rule.beta1 * mean[i] + rule.rest1 * gradient;
        const float v = rule.beta2 * square[i] + rule.rest2 * gradient * gradient;
        mean[i] = m;
        square[i] = v;
        w[i] -= rate * m / (sqrtf(v) * root_scale + rule.eps);
    }
}
