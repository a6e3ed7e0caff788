// Convolution with channels, stride and padding as a matrix product, for the module `tensor`:
// y(image, o, place) = sum over k of weight(o, k) · x seen by the window at `place`, where k counts
// channel, row and column of the window. tensor_im2col of tensor_images.cu writes what the windows
// see into a matrix, several times as large as the images, and tensor_matmul reads it again. Here
// each block fetches the numbers of its tile from the images themselves.
//
//   tensor_conv2d_64    tiles of 64 output channels x 64 places, 4x8 entries per thread
//   tensor_conv2d_128   tiles of 64 output channels x 128 places, 8x8 entries per thread: for large
//                       batches and images
//
// If there are few tiles, the grid's z axis splits k: each part writes a y of its own into a
// workspace, and tensor_matmul_sum of tensor_matmul.cu adds them up.

struct Convolution {
    int images, out;  // out: channels of the result
    int channels, height, width;
    int kernel_height, kernel_width, stride, padding;
    int out_height, out_width;
    int part;        // of k, per block along z
    int vector;      // whether 16 bytes of a row of weights can be read at once
    int vector_out;  // whether 4 places of the result can be written at once
};

constexpr int tile_m = 64;
constexpr int threads = 128;
constexpr int tap_bits = 6;  // a window has at most 64 places per channel

// Weights on their way from global to shared memory: each thread brings 4 numbers of one row per 8
// numbers of k.
template <int slab>
struct Weights {
    static constexpr int pitch = tile_m + 4;
    const float* from;
    bool inside, vector;
    int row, column;
    float4 piece[slab / 8];

    __device__ Weights(const float* weight, int first_row, int first_k, int window,
                       const Convolution& c)
        : vector(c.vector) {
        row = threadIdx.x / 2;
        column = threadIdx.x % 2 * 4;
        inside = first_row + row < c.out;
        from = weight + static_cast<size_t>(first_row + row) * window + first_k + column;
    }

    // The next slab, of which the first `left` numbers are to be used; 0 instead of all others.
    __device__ void fetch(int left) {
#pragma unroll
        for (int q = 0; q < slab / 8; ++q) {
            const int ahead = inside ? left - column - 8 * q : 0;
            float4 four = make_float4(0, 0, 0, 0);
            if (vector) {
                if (ahead > 0) four = *reinterpret_cast<const float4*>(from);
            } else {
                if (ahead > 0) four.x = from[0];
                if (ahead > 1) four.y = from[1];
                if (ahead > 2) four.z = from[2];
                if (ahead > 3) four.w = from[3];
            }
            piece[q] = four;
            from += 8;
        }
    }

    __device__ void store(float4* slabs) const {
        float* const to = reinterpret_cast<float*>(slabs) + column * pitch + row;
#pragma unroll
        for (int q = 0; q < slab / 8; ++q) {
            float* const first = to + 8 * q * pitch;
            first[0] = piece[q].x;
            first[pitch] = piece[q].y;
            first[2 * pitch] = piece[q].z;
            first[3 * pitch] = piece[q].w;
        }
    }
};

// What windows see: each thread brings 8 numbers of one place. `offsets` says for each k where its
// number is, relative to the first pixel of the window, and which place of the window it is;
// `seen` has a bit for each place of the window that is inside of the image.
template <int tile_n, int slab>
struct Pixels {
    static constexpr int pitch = tile_n + 4;
    static constexpr int step = threads / tile_n;  // of k between two numbers of a thread
    static constexpr int count = slab / step;
    const float* window;  // where the window begins; may be outside of the image
    unsigned long long seen;
    int place, first_k;
    float piece[count];

    __device__ Pixels(const float* x, int first_place, const Convolution& c) : seen(0) {
        place = threadIdx.x % tile_n;
        first_k = step == 1 ? 0 : threadIdx.x / tile_n;
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
                    seen |= 1ull << (i * c.kernel_width + j);
    }

    __device__ void fetch(const int* offsets, int left) {
#pragma unroll
        for (int q = 0; q < count; ++q) {
            const int k = first_k + step * q;
            const int offset = k < left ? offsets[k] : 0;
            const bool inside = k < left && (seen >> (offset & ((1 << tap_bits) - 1)) & 1);
            piece[q] = inside ? window[offset >> tap_bits] : 0.0f;
        }
    }

    __device__ void store(float4* slabs) const {
        float* const to = reinterpret_cast<float*>(slabs) + first_k * pitch + place;
#pragma unroll
        for (int q = 0; q < count; ++q) to[step * q * pitch] = piece[q];
    }
};

// Two slabs of each side: one is used while the other is filled.
template <int tile_n, int slab>
struct Slabs {
    float4 weights[2][slab * (tile_m + 4) / 4];
    float4 pixels[2][slab * (tile_n + 4) / 4];
};

// A block of 4 warps, warps_m below one another and 4 / warps_m beside one another. In a warp 4x8
// lanes share a rectangle of the tile, each with squares of 4x4 entries.
template <int tile_n, int slab, int warps_m>
__device__ void convolve(Slabs<tile_n, slab>& slabs, int* offsets, const float* x,
                         const float* weight, float* y, const Convolution& c) {
    constexpr int warps_n = 4 / warps_m;
    constexpr int squares_m = tile_m / warps_m / 16;
    constexpr int squares_n = tile_n / warps_n / 32;
    const int taps = c.kernel_height * c.kernel_width;
    const int window = c.channels * taps;
    const int first_k = blockIdx.z * c.part;
    const int length = min(window - first_k, c.part);
    for (int i = threadIdx.x; i < length; i += threads) {
        const int channel = (first_k + i) / taps;
        const int tap = (first_k + i) % taps;
        const int from =
            (channel * c.height + tap / c.kernel_width) * c.width + tap % c.kernel_width;
        offsets[i] = from << tap_bits | tap;
    }
    __syncthreads();

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = warp / warps_n * (tile_m / warps_m) + (lane / 16 * 2 + lane % 2) * 4;
    const int column = warp % warps_n * (tile_n / warps_n) + lane / 2 % 8 * 4;
    const int first_row = blockIdx.y * tile_m;
    const int first_place = blockIdx.x * tile_n;
    Weights<slab> next_weights(weight, first_row, first_k, window, c);
    Pixels<tile_n, slab> next_pixels(x, first_place, c);
    next_weights.fetch(length);
    next_pixels.fetch(offsets, length);
    next_weights.store(slabs.weights[0]);
    next_pixels.store(slabs.pixels[0]);
    __syncthreads();

    float sum[4 * squares_m][4 * squares_n] = {};
    int half = 0;
    for (int done = 0; done < length; done += slab) {
        // After the last slab, zeros that nobody reads.
        next_weights.fetch(length - done - slab);
        next_pixels.fetch(offsets + done + slab, length - done - slab);
        const float* const from_a = reinterpret_cast<const float*>(slabs.weights[half]) + row;
        const float* const from_b = reinterpret_cast<const float*>(slabs.pixels[half]) + column;
#pragma unroll
        for (int s = 0; s < slab; ++s) {
            float a[4 * squares_m];
            float b[4 * squares_n];
#pragma unroll
            for (int i = 0; i < squares_m; ++i) {
                const float4 four =
                    *reinterpret_cast<const float4*>(from_a + s * (tile_m + 4) + 16 * i);
                a[4 * i] = four.x, a[4 * i + 1] = four.y;
                a[4 * i + 2] = four.z, a[4 * i + 3] = four.w;
            }
#pragma unroll
            for (int j = 0; j < squares_n; ++j) {
                const float4 four =
                    *reinterpret_cast<const float4*>(from_b + s * (tile_n + 4) + 32 * j);
                b[4 * j] = four.x, b[4 * j + 1] = four.y;
                b[4 * j + 2] = four.z, b[4 * j + 3] = four.w;
            }
#pragma unroll
            for (int i = 0; i < 4 * squares_m; ++i)
#pragma unroll
                for (int j = 0; j < 4 * squares_n; ++j) sum[i][j] += a[i] * b[j];
        }
        half = 1 - half;
        next_weights.store(slabs.weights[half]);
        next_pixels.store(slabs.pixels[half]);
        __syncthreads();
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
// memory.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_conv2d_64(const float* x, const float* weight, float* y, Convolution c) {
    extern __shared__ int offsets[];
    __shared__ Slabs<64, 16> slabs;
    convolve<64, 16, 4>(slabs, offsets, x, weight, y, c);
}

// Launch: {{(places + 127) / 128, (out + 63) / 64, parts of k}, 128}, with the same shared memory.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_conv2d_128(const float* x, const float* weight, float* y, Convolution c) {
    extern __shared__ int offsets[];
    __shared__ Slabs<128, 8> slabs;
    convolve<128, 8, 2>(slabs, offsets, x, weight, y, c);
}
