// Convolution with channels, stride and padding as a matrix product, for the module `tensor`:
// y(image, o, place) = sum over k of weight(o, k) · x seen by the window at `place`, where k counts
// channel, row and column of the window. tensor_im2col of tensor_images.cu writes what the windows
// see into a matrix, several times as large as the images, and tensor_matmul reads it again. Here
// each block fetches the numbers of its tile from the images themselves.
//
//   tensor_conv2d_64         tiles of 64 output channels x 64 places, 4x8 entries per thread
//   tensor_conv2d_128        tiles of 64 output channels x 128 places, 8x8 entries per thread: for
//                            large batches and images, and windows of at most 31 places
//   tensor_conv2d_128_large  the same for windows of at most 63 places
//
// All of them copy to shared memory asynchronously, as tensor_matmul_v4 does: three slabs are on
// their way while one is used.
//
// If there are few tiles, the grid's z axis splits k: each part writes a y of its own into a
// workspace, and tensor_matmul_sum of tensor_matmul.cu adds them up.

struct Convolution {
    int images, out;  // out: channels of the result
    int channels, height, width;
    int kernel_height, kernel_width, stride, padding;
    int out_height, out_width;
    int part;        // of k, per block along z
    int vector_out;  // whether 4 places of the result can be written at once
};

constexpr int tile_m = 64;
constexpr int threads = 128;
constexpr int stages = 4;

// Copies a number from global to shared memory while the thread goes on, or writes 0. Older GPUs
// and the simulator copy at once.
__device__ void copy_async(float* to, const float* from, bool inside) {
#if __CUDA_ARCH__ >= 800 && !defined(__LANES_SIMULATOR__)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(inside ? 4 : 0)
                 : "memory");
#else
    *to = inside ? *from : 0;
#endif
}

// The copies of a thread since the last call are one group.
__device__ void end_group_of_copies() {
#if __CUDA_ARCH__ >= 800 && !defined(__LANES_SIMULATOR__)
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until at most `count` groups of this thread are on their way.
template <int count>
__device__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800 && !defined(__LANES_SIMULATOR__)
    asm volatile("cp.async.wait_group %0;" ::"n"(count) : "memory");
#endif
}

// Weights on their way from global to shared memory: 8 threads copy a sector of 32 bytes of one
// row, and a warp's numbers go to 32 banks.
template <int slab>
struct Weights {
    static constexpr int pitch = tile_m + 4;
    static constexpr int rows = threads / 8;  // that all threads copy at a time
    const float* from;
    size_t step;  // between those rows
    int row, column;
    int rows_left, left;  // inside the weights, from the own row and column on

    __device__ Weights(const float* weight, int first_row, int first_k, int length, int window,
                       const Convolution& c) {
        row = threadIdx.x / 8;
        column = threadIdx.x % 8;
        from = weight + static_cast<size_t>(first_row + row) * window + first_k + column;
        step = static_cast<size_t>(rows) * window;
        rows_left = c.out - first_row - row;
        left = length - column;
    }

    // to: (slab, pitch) numbers
    __device__ void copy(float* to) {
        to += column * pitch + row;
#pragma unroll
        for (int k = 0; k < slab; k += 8)
#pragma unroll
            for (int q = 0; q < tile_m / rows; ++q)
                copy_async(to + k * pitch + q * rows, from + q * step + k,
                           k < left && q * rows < rows_left);
        from += slab;
        left -= slab;
    }
};

// What windows see: each thread copies numbers of one place. A table says for each k where its
// number is, relative to the first pixel of the window, and which place of the window it is; `seen`
// has a bit for each place of the window that is inside the image.
template <int tile_n, int slab, class Bits>
struct Pixels {
    static constexpr int pitch = tile_n + 4;
    static constexpr int count = slab * tile_n / threads;  // neighbouring k of a thread
    static constexpr int tap_bits = sizeof(Bits) == 8 ? 6 : 5;
    static constexpr int never_seen = 8 * sizeof(Bits) - 1;  // a place that no window has
    const float* window;  // where the window begins; may be outside the image
    const int* table;
    Bits seen;
    int place, first_k;

    // The table for all k of this block, up to a whole slab.
    __device__ static void fill(int* table, int first_k, int length, int padded,
                                const Convolution& c) {
        const int taps = c.kernel_height * c.kernel_width;
        for (int i = threadIdx.x; i < padded; i += threads) {
            const int channel = (first_k + i) / taps;
            const int tap = (first_k + i) % taps;
            const int from =
                (channel * c.height + tap / c.kernel_width) * c.width + tap % c.kernel_width;
            table[i] = i < length ? from << tap_bits | tap : never_seen;
        }
    }

    __device__ Pixels(const float* x, const int* filled_table, int first_place,
                      const Convolution& c)
        : seen(0) {
        place = threadIdx.x % tile_n;
        first_k = threadIdx.x / tile_n * count;
        table = filled_table + first_k;
        const int pixels = c.out_height * c.out_width;
        const int number = first_place + place;
        const int image = number / pixels;
        const int top = number % pixels / c.out_width * c.stride - c.padding;
        const int left = number % c.out_width * c.stride - c.padding;
        window = x + static_cast<long long>(image) * c.channels * c.height * c.width +
                 static_cast<long long>(top) * c.width + left;
        if (image >= c.images) return;
        for (int i = 0; i < c.kernel_height; ++i)
            for (int j = 0; j < c.kernel_width; ++j)
                if (top + i >= 0 && top + i < c.height && left + j >= 0 && left + j < c.width)
                    seen |= Bits{1} << (i * c.kernel_width + j);
    }

    // to: (slab, pitch) numbers
    __device__ void copy(float* to) {
        to += first_k * pitch + place;
#pragma unroll
        for (int q = 0; q < count; q += 4) {
            const int4 four = *reinterpret_cast<const int4*>(table + q);
            const int entries[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int v = 0; v < 4; ++v)
                copy_async(to + (q + v) * pitch, window + (entries[v] >> tap_bits),
                           seen >> (entries[v] & ((1 << tap_bits) - 1)) & 1);
        }
        table += slab;
    }
};

// The numbers that a thread multiplies for one k.
template <int squares_m, int squares_n>
struct Factors {
    float a[4 * squares_m];
    float b[4 * squares_n];

    __device__ void read(const float* from_a, const float* from_b) {
#pragma unroll
        for (int i = 0; i < squares_m; ++i) {
            const float4 four = *reinterpret_cast<const float4*>(from_a + 16 * i);
            a[4 * i] = four.x, a[4 * i + 1] = four.y, a[4 * i + 2] = four.z, a[4 * i + 3] = four.w;
        }
#pragma unroll
        for (int j = 0; j < squares_n; ++j) {
            const float4 four = *reinterpret_cast<const float4*>(from_b + 32 * j);
            b[4 * j] = four.x, b[4 * j + 1] = four.y, b[4 * j + 2] = four.z, b[4 * j + 3] = four.w;
        }
    }

    __device__ void add_products(float (&sum)[4 * squares_m][4 * squares_n]) const {
#pragma unroll
        for (int i = 0; i < 4 * squares_m; ++i)
#pragma unroll
            for (int j = 0; j < 4 * squares_n; ++j) sum[i][j] += a[i] * b[j];
    }
};

template <int tile_n, int slab>
struct Stage {  // one slab of each side
    float4 weights[slab * (tile_m + 4) / 4];
    float4 pixels[slab * (tile_n + 4) / 4];
};

// A block of 4 warps, warps_m below one another and 4 / warps_m beside one another. In a warp 4x8
// lanes share a rectangle of the tile, each with squares of 4x4 entries.
template <int tile_n, int slab, int warps_m, class Bits>
__device__ void convolve(Stage<tile_n, slab>* all, int* table, const float* x, const float* weight,
                         float* y, const Convolution& c) {
    constexpr int warps_n = 4 / warps_m;
    constexpr int squares_m = tile_m / warps_m / 16;
    constexpr int squares_n = tile_n / warps_n / 32;
    constexpr int pitch_a = tile_m + 4;
    constexpr int pitch_b = tile_n + 4;
    const int window = c.channels * c.kernel_height * c.kernel_width;
    const int first_k = blockIdx.z * c.part;
    const int length = min(window - first_k, c.part);
    const int slabs = (length + slab - 1) / slab;
    Pixels<tile_n, slab, Bits>::fill(table, first_k, length, slabs * slab, c);
    __syncthreads();

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = warp / warps_n * (tile_m / warps_m) + (lane / 16 * 2 + lane % 2) * 4;
    const int column = warp % warps_n * (tile_n / warps_n) + lane / 2 % 8 * 4;
    const int first_row = blockIdx.y * tile_m;
    const int first_place = blockIdx.x * tile_n;
    Weights<slab> next_weights(weight, first_row, first_k, length, window, c);
    Pixels<tile_n, slab, Bits> next_pixels(x, table, first_place, c);
#pragma unroll
    for (int s = 0; s < stages - 1; ++s) {
        if (s < slabs) {
            next_weights.copy(reinterpret_cast<float*>(all[s].weights));
            next_pixels.copy(reinterpret_cast<float*>(all[s].pixels));
        }
        end_group_of_copies();
    }
    wait_for_copies<stages - 2>();
    __syncthreads();

    float sum[4 * squares_m][4 * squares_n] = {};
    Factors<squares_m, squares_n> factors[2];  // one is read while the other is used
    const float* from_a = reinterpret_cast<const float*>(all[0].weights) + row;
    const float* from_b = reinterpret_cast<const float*>(all[0].pixels) + column;
    factors[0].read(from_a, from_b);
#pragma unroll 1
    for (int done = 0; done < slabs; ++done) {
#pragma unroll
        for (int s = 0; s < slab; ++s) {
            if (s + 1 ==
                slab) {  // the next slab: all have read this one, all have copied that one.
                // After the last slab its first numbers are read again, and not used.
                wait_for_copies<stages - 2>();
                __syncthreads();
                const Stage<tile_n, slab>& next = all[min(done + 1, slabs - 1) % stages];
                from_a = reinterpret_cast<const float*>(next.weights) + row;
                from_b = reinterpret_cast<const float*>(next.pixels) + column;
            }
            const int next = (s + 1) % slab;
            factors[(s + 1) % 2].read(from_a + next * pitch_a, from_b + next * pitch_b);
            if (s == 0) {  // into the slab that was read last
                if (done + stages - 1 < slabs) {
                    Stage<tile_n, slab>& free = all[(done + stages - 1) % stages];
                    next_weights.copy(reinterpret_cast<float*>(free.weights));
                    next_pixels.copy(reinterpret_cast<float*>(free.pixels));
                }
                end_group_of_copies();
            }
            factors[s % 2].add_products(sum);
        }
    }

    const int pixels = c.out_height * c.out_width;
    const int places = c.images * pixels;
    float* const part = y + static_cast<size_t>(blockIdx.z) * places * c.out;
#pragma unroll
    for (int j = 0; j < squares_n; ++j) {
        const int first = first_place + column + 32 * j;
#pragma unroll
        for (int v = 0; v < 4; ++v) {
            const int place = first + v;
            if (place >= places || (c.vector_out && v > 0)) continue;
            const int image = place / pixels;
            float* const to = part + static_cast<size_t>(image) * c.out * pixels + place % pixels;
#pragma unroll
            for (int i = 0; i < 4 * squares_m; ++i) {
                const int o = first_row + row + i / 4 * 16 + i % 4;
                if (o >= c.out) continue;
                float* const entry = to + static_cast<size_t>(o) * pixels;
                if (c.vector_out)
                    *reinterpret_cast<float4*>(entry) = make_float4(
                        sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2], sum[i][4 * j + 3]);
                else
                    *entry = sum[i][4 * j + v];
            }
        }
    }
}

// Launch: {{(places + 63) / 64, (out + 63) / 64, parts of k}, 128}, with 4 * part bytes of shared
// memory; part is a multiple of 16.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_conv2d_64(const float* x, const float* weight, float* y, Convolution c) {
    extern __shared__ int4 table[];
    __shared__ Stage<64, 8> slabs[stages];
    convolve<64, 8, 4, unsigned long long>(slabs, reinterpret_cast<int*>(table), x, weight, y, c);
}

// Launch: {{(places + 127) / 128, (out + 63) / 64, parts of k}, 128}, with the same shared memory.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_conv2d_128(const float* x, const float* weight, float* y, Convolution c) {
    extern __shared__ int4 table[];
    __shared__ Stage<128, 8> slabs[stages];
    convolve<128, 8, 2, unsigned>(slabs, reinterpret_cast<int*>(table), x, weight, y, c);
}

// Launched as tensor_conv2d_128.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_conv2d_128_large(const float* x, const float* weight, float* y, Convolution c) {
    extern __shared__ int4 table[];
    __shared__ Stage<128, 8> slabs[stages];
    convolve<128, 8, 2, unsigned long long>(slabs, reinterpret_cast<int*>(table), x, weight, y, c);
}
