#include "small_matmul.hpp"

#include "parallel.hpp"

#include <algorithm>

namespace lanes::tensor {

namespace {

// One register of the CPU. Numbers of a matrix may begin anywhere: hence the alignment of one.
#if defined(__AVX512F__)
constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t register_bytes = 32;
#else
constexpr std::size_t register_bytes = 16;
#endif
typedef float Register
    __attribute__((vector_size(register_bytes), aligned(alignof(float)), may_alias));
constexpr std::size_t width = register_bytes / sizeof(float);

#if defined(__AVX__) && !defined(__AVX512F__)
constexpr std::size_t tile_rows = 3;  // 12 of 16 registers hold sums
#else
constexpr std::size_t tile_rows = 4;  // 16 of 32
#endif
constexpr std::size_t tile_columns = 4;  // registers, or rows of the transposed b

Register load(const float* from) { return *reinterpret_cast<const Register*>(from); }
void store(float* to, Register value) { *reinterpret_cast<Register*>(to) = value; }

float sum_of(Register values) {
    float sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum += values[i];
    return sum;
}

// c[Rows, Columns] = a[Rows, k] · b[Columns, k]ᵀ: both are read along their rows, and each sum is
// spread over the lanes of a register until the end.
template <std::size_t Rows, std::size_t Columns>
void dot_tile(std::size_t k, const float* a, const float* b, float* c, std::size_t ldc, bool add) {
    Register sums[Rows][Columns] = {};
    std::size_t p = 0;
    for (; p + width <= k; p += width) {
        Register left[Rows];
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i) left[i] = load(a + i * k + p);
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Columns; ++j) {
            const Register right = load(b + j * k + p);
#pragma clang loop unroll(full)
            for (std::size_t i = 0; i < Rows; ++i) sums[i][j] += left[i] * right;
        }
    }
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Columns; ++j) {
            float sum = sum_of(sums[i][j]);
            for (std::size_t rest = p; rest < k; ++rest) sum += a[i * k + rest] * b[j * k + rest];
            float& to = c[i * ldc + j];
            to = add ? to + sum : sum;
        }
}

template <std::size_t Rows>
void dot_columns(std::size_t n, std::size_t k, const float* a, const float* b, float* c, bool add) {
    std::size_t j = 0;
    for (; j + tile_columns <= n; j += tile_columns)
        dot_tile<Rows, tile_columns>(k, a, b + j * k, c + j, n, add);
    for (; j < n; ++j) dot_tile<Rows, 1>(k, a, b + j * k, c + j, n, add);
}

// Where the numbers of a lie: a(i, p) is at i * row + p * depth.
struct Steps {
    std::size_t row;
    std::size_t depth;
};

// c[Rows, Columns registers] = a[Rows, k] · b[k, …]: a number of a times a piece of a row of b.
template <std::size_t Rows, std::size_t Columns>
void outer_tile(std::size_t k, const float* a, Steps steps, const float* b, std::size_t ldb,
                float* c, std::size_t ldc, bool add) {
    Register sums[Rows][Columns] = {};
    for (std::size_t p = 0; p < k; ++p) {
        Register right[Columns];
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Columns; ++j) right[j] = load(b + p * ldb + j * width);
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i) {
            const float left = a[i * steps.row + p * steps.depth];
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Columns; ++j) sums[i][j] += left * right[j];
        }
    }
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Columns; ++j) {
            float* const to = c + i * ldc + j * width;
            store(to, add ? load(to) + sums[i][j] : sums[i][j]);
        }
}

template <std::size_t Columns>
void outer_rows(std::size_t rows, std::size_t k, const float* a, Steps steps, const float* b,
                std::size_t ldb, float* c, std::size_t ldc, bool add) {
    std::size_t i = 0;
    for (; i + tile_rows <= rows; i += tile_rows)
        outer_tile<tile_rows, Columns>(k, a + i * steps.row, steps, b, ldb, c + i * ldc, ldc, add);
    for (; i < rows; ++i)
        outer_tile<1, Columns>(k, a + i * steps.row, steps, b, ldb, c + i * ldc, ldc, add);
}

// `rows` rows of c, for at most `depth` rows of b.
constexpr std::size_t depth = 128;
void outer_product(std::size_t rows, std::size_t n, std::size_t k, const float* a, Steps steps,
                   const float* b, float* c, bool add) {
    constexpr std::size_t strip = tile_columns * width;
    constexpr std::size_t worth_a_copy = 24;  // rows of b
    float packed[depth * strip];              // columns of b, row behind row: 8 to 32 KiB
    std::size_t j = 0;
    for (; j + strip <= n; j += strip) {
        const bool packs = k >= worth_a_copy && rows >= 4 * tile_rows;
        if (packs)
            for (std::size_t p = 0; p < k; ++p)
                std::copy_n(b + p * n + j, strip, packed + p * strip);
        outer_rows<tile_columns>(rows, k, a, steps, packs ? packed : b + j, packs ? strip : n,
                                 c + j, n, add);
    }
    for (; j + width <= n; j += width) outer_rows<1>(rows, k, a, steps, b + j, n, c + j, n, add);
    for (; j < n; ++j)
        for (std::size_t i = 0; i < rows; ++i) {
            float sum = add ? c[i * n + j] : 0;
            for (std::size_t p = 0; p < k; ++p)
                sum += a[i * steps.row + p * steps.depth] * b[p * n + j];
            c[i * n + j] = sum;
        }
}

}  // namespace

bool is_small(const Product& product) {
#ifdef LANES_STANDALONE
    constexpr std::size_t largest = std::size_t{128} << 20;  // multiplications; there is no BLAS
#else
    constexpr std::size_t largest = std::size_t{4} << 20;  // from here on BLAS is as fast
#endif
    if (product.transpose_a && product.transpose_b) return false;
    return product.m > 0 && product.n > 0 && product.m <= largest / product.n &&
           product.m * product.n <= largest / std::max<std::size_t>(product.k, 1);
}

void small_matmul(const Product& product, const float* a, const float* b, float* c) {
    const std::size_t m = product.m;
    const std::size_t n = product.n;
    const std::size_t k = product.k;
    const bool add = product.accumulate;
    const bool dots = product.transpose_b;
    const Steps steps = product.transpose_a ? Steps{1, m} : Steps{k, 1};
    const std::size_t blocks = (m + tile_rows - 1) / tile_rows;
    parallel_for(blocks, tile_rows * n * k / width, [=](std::size_t first, std::size_t last) {
        const std::size_t begin = first * tile_rows;
        const std::size_t end = std::min(m, last * tile_rows);
        if (dots) {
            std::size_t i = begin;
            for (; i + tile_rows <= end; i += tile_rows)
                dot_columns<tile_rows>(n, k, a + i * k, b, c + i * n, add);
            for (; i < end; ++i) dot_columns<1>(n, k, a + i * k, b, c + i * n, add);
            return;
        }
        std::size_t p = 0;
        do {  // once if k is 0: c becomes 0
            outer_product(end - begin, n, std::min(depth, k - p),
                          a + begin * steps.row + p * steps.depth, steps, b + p * n, c + begin * n,
                          add || p > 0);
            p += depth;
        } while (p < k);
    });
}

}  // namespace lanes::tensor
