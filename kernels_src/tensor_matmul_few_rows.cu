// c = a · b, or c += a · b, in fp32, for at most 16 rows of a: a layer of a network for a small
// batch. The memory is the limit: b is read once, straight into registers. Bias, activation and the
// parts of k are those of tensor_matmul.cu, whose tensor_matmul_sum adds up the parts. Rows begin
// at multiples of 16 bytes.
//
//   tensor_matmul_few_rows     b transposed: the forward pass
//   tensor_matmul_few_rows_n   b not transposed: the backward pass

struct MatmulShape {  // as in tensor_matmul.cu
    int m, n, k;
    int transpose_a, transpose_b;
    int vector_a, vector_b, vector_c;  // whether 16 bytes can be accessed at once
    int part;                          // of k, per block along z; k if it is not split
    int accumulate, has_bias, relu;
};

constexpr int few = 16;  // rows of a at most

__device__ void finish_few(float value, const float* bias, float* c, const MatmulShape& p, int row,
                           int column) {
    if (row >= p.m || column >= p.n) return;
    const size_t entry = static_cast<size_t>(row) * p.n + column;
    if (gridDim.z > 1) {  // a part of the sum, for tensor_matmul_sum
        c[static_cast<size_t>(blockIdx.z) * p.m * p.n + entry] = value;
        return;
    }
    if (p.accumulate) value += c[entry];
    if (p.has_bias) value += bias[column];
    c[entry] = p.relu && value < 0 ? 0 : value;
}

// A step that adds up 64 sums over the lanes of a warp. A lane is responsible for 2 * count of
// them: it gives one half to the lane that keeps that half, and gets that lane's numbers for its
// own. In the end lane l has sums 2 l and 2 l + 1.
template <int count>
__device__ void halve_sums(float* sum) {
    constexpr int distance = count / 2;  // between the two lanes
    const bool upper = threadIdx.x & distance;
#pragma unroll
    for (int i = 0; i < count; ++i) {
        const float mine = upper ? sum[i + count] : sum[i];
        const float given = upper ? sum[i] : sum[i + count];
        sum[i] = mine + __shfl_xor_sync(0xffffffff, given, distance);
    }
}

// Four numbers of a row from k on, 0 if k is not below `last`. Both are multiples of 4.
__device__ float4 read_four(const float* row, int k, int last) {
    float4 four = make_float4(0, 0, 0, 0);
    if (k < last) four = *reinterpret_cast<const float4*>(row + k);
    return four;
}

// a: (m, k), b: (n, k). A warp owns four rows of b; its lanes share k, four numbers each. The next
// chunk is on its way while one is used. The sums of the lanes are added up at the end. Launch:
// {{(n + 15) / 16, 1, parts of k}, {32, 4}}.
extern "C" __global__ void __launch_bounds__(128, 3)
    tensor_matmul_few_rows(const float* a, const float* b, const float* bias, float* c,
                           MatmulShape p) {
    constexpr int chunk = 128;                    // numbers of each row at a time, 4 per lane
    __shared__ float4 shared[2][few][chunk / 4];  // of a; one is used while the other is filled
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int first_row = (blockIdx.x * 4 + warp) * 4;
    const int first = blockIdx.z * p.part;
    const int last = min(p.k, first + p.part);
    const float* from_a[4];
    const float* from_b[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) {  // what is outside is not written
        from_a[q] = a + static_cast<size_t>(min(warp + 4 * q, p.m - 1)) * p.k;
        from_b[q] = b + static_cast<size_t>(min(first_row + q, p.n - 1)) * p.k;
    }

    float sum[4 * few] = {};  // of row i of a and row j of b: sum[4 * i + j]
    float4 next_a[4];
    float4 next_b[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) next_a[q] = read_four(from_a[q], first + 4 * lane, last);
#pragma unroll
    for (int q = 0; q < 4; ++q) next_b[q] = read_four(from_b[q], first + 4 * lane, last);
    int half = 0;
    for (int start = first; start < last; start += chunk) {
        float4 now[4];
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            shared[half][warp + 4 * q][lane] = next_a[q];
            now[q] = next_b[q];
        }
        const int next = start + chunk + 4 * lane;
#pragma unroll
        for (int q = 0; q < 4; ++q) next_b[q] = read_four(from_b[q], next, last);
#pragma unroll
        for (int q = 0; q < 4; ++q) next_a[q] = read_four(from_a[q], next, last);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < few; ++i) {
            const float4 x = shared[half][i][lane];
#pragma unroll
            for (int j = 0; j < 4; ++j)
                sum[4 * i + j] += x.x * now[j].x + x.y * now[j].y + x.z * now[j].z + x.w * now[j].w;
        }
        half = 1 - half;
    }
    halve_sums<32>(sum);
    halve_sums<16>(sum);
    halve_sums<8>(sum);
    halve_sums<4>(sum);
    halve_sums<2>(sum);
#pragma unroll
    for (int i = 0; i < 2; ++i)
        finish_few(sum[i], bias, c, p, lane / 2, first_row + lane % 2 * 2 + i);
}

// a: (m, k), b: (k, n). A thread owns four columns, the four warps of a block share k. Launch:
// {{(n + 127) / 128, 1, parts of k}, {32, 4}}.
extern "C" __global__ void __launch_bounds__(128, 4)
    tensor_matmul_few_rows_n(const float* a, const float* b, const float* bias, float* c,
                             MatmulShape p) {
    constexpr int chunk = 128;                 // rows of b at a time, 32 per warp
    constexpr int batch = 8;                   // rows of b on their way at a time
    __shared__ float4 shared[chunk][few / 4];  // a, transposed
    __shared__ float4 sums[3][few][32];
    const int warp = threadIdx.y;
    const int thread = warp * 32 + threadIdx.x;
    const int column = (blockIdx.x * 32 + threadIdx.x) * 4;
    const int first = blockIdx.z * p.part;
    const int last = min(p.k, first + p.part);

    float4 sum[few];
#pragma unroll
    for (int i = 0; i < few; ++i) sum[i] = make_float4(0, 0, 0, 0);
    for (int start = first; start < last; start += chunk) {
        const int own = start + thread;
#pragma unroll
        for (int i = 0; i < few; i += 4) {
            float four[4];
#pragma unroll
            for (int q = 0; q < 4; ++q)
                four[q] = i + q < p.m && own < last ? a[static_cast<size_t>(i + q) * p.k + own] : 0;
            shared[thread][i / 4] = make_float4(four[0], four[1], four[2], four[3]);
        }
        __syncthreads();
        // the warps take turns: a short part of k is shared by all of them
#pragma unroll 1
        for (int k = start + batch * warp; k < min(start + chunk, last); k += 4 * batch) {
            float4 y[batch];
#pragma unroll
            for (int s = 0; s < batch; ++s)
                y[s] = read_four(b + static_cast<size_t>(min(k + s, last - 1)) * p.n, column, p.n);
#pragma unroll
            for (int s = 0; s < batch; ++s)
#pragma unroll
                for (int i = 0; i < few; i += 4) {
                    const float4 four = shared[k - start + s][i / 4];  // 0 from `last` on
                    const float x[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
                    for (int q = 0; q < 4; ++q) {
                        sum[i + q].x += x[q] * y[s].x;
                        sum[i + q].y += x[q] * y[s].y;
                        sum[i + q].z += x[q] * y[s].z;
                        sum[i + q].w += x[q] * y[s].w;
                    }
                }
        }
        __syncthreads();
    }
    if (warp > 0)
#pragma unroll
        for (int i = 0; i < few; ++i) sums[warp - 1][i][threadIdx.x] = sum[i];
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (int i = 0; i < few; ++i) {
        for (int other = 0; other < 3; ++other) {
            const float4 more = sums[other][i][threadIdx.x];
            sum[i].x += more.x;
            sum[i].y += more.y;
            sum[i].z += more.z;
            sum[i].w += more.w;
        }
        finish_few(sum[i].x, bias, c, p, i, column);
        finish_few(sum[i].y, bias, c, p, i, column + 1);
        finish_few(sum[i].z, bias, c, p, i, column + 2);
        finish_few(sum[i].w, bias, c, p, i, column + 3);
    }
}
