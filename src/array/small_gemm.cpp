#include "small_gemm.hpp"

#include <algorithm>
#include <cstring>

namespace lanes {

namespace {

// One register of the CPU. Numbers of a matrix may begin anywhere: hence the alignment of one.
#if defined(__AVX512F__)
constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t register_bytes = 32;
#else
constexpr std::size_t register_bytes = 16;
#endif
template <class T>
struct Simd {
    typedef T Type __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));
};
template <class T>
using Register = typename Simd<T>::Type;
template <class T>
constexpr std::size_t width = register_bytes / sizeof(T);

// Rows of a whose sums stay in registers, for dots and for the other orders.
#if defined(__AVX512F__)
constexpr std::size_t dot_rows_at_once = 4, tile_rows = 6;  // 16 and 24 of 32 registers
#elif defined(__AVX__)
constexpr std::size_t dot_rows_at_once = 3, tile_rows = 3;  // 12 of 16
#else
constexpr std::size_t dot_rows_at_once = 4, tile_rows = 4;  // 16 of 32
#endif
constexpr std::size_t tile_columns = 4;  // registers, or rows of the transposed b
template <class T>
constexpr std::size_t strip = tile_columns * width<T>;  // numbers
static_assert(small_gemm_columns % strip<float> == 0);

template <class T>
Register<T> load(const T* from) {
    return *reinterpret_cast<const Register<T>*>(from);
}
template <class T>
void store(T* to, Register<T> value) {
    *reinterpret_cast<Register<T>*>(to) = value;
}

template <class T>
T sum_of(Register<T> values) {
    T parts[width<T>];
    std::memcpy(parts, &values, sizeof parts);
    for (std::size_t half = width<T> / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) parts[i] += parts[i + half];
    return parts[0];
}

// Of one side of a product: the first number, and how far apart rows are.
template <class T>
struct Rows {
    T* first;
    std::size_t pitch;

    Rows from(std::size_t row, std::size_t column) const {
        return {first + row * pitch + column, pitch};
    }
    T* operator[](std::size_t row) const { return first + row * pitch; }
};

// c[m, n] = a[m, k] · b[n, k]ᵀ: both are read along their rows, and each sum is spread over the
// lanes of a register until the end.
template <std::size_t M, std::size_t N, class T>
void dot_tile(std::size_t k, Rows<const T> a, Rows<const T> b, Rows<T> c, bool add) {
    Register<T> sums[M][N] = {};
    std::size_t p = 0;
    for (; p + width<T> <= k; p += width<T>) {
        Register<T> left[M];
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < M; ++i) left[i] = load(a[i] + p);
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < N; ++j) {
            const Register<T> right = load(b[j] + p);
#pragma clang loop unroll(full)
            for (std::size_t i = 0; i < M; ++i) sums[i][j] += left[i] * right;
        }
    }
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            T sum = sum_of<T>(sums[i][j]);
            for (std::size_t rest = p; rest < k; ++rest) sum += a[i][rest] * b[j][rest];
            T& to = c[i][j];
            to = add ? to + sum : sum;
        }
}

template <std::size_t M, class T>
void dot_rows(std::size_t n, std::size_t k, Rows<const T> a, Rows<const T> b, Rows<T> c, bool add) {
    std::size_t j = 0;
    for (; j + tile_columns <= n; j += tile_columns)
        dot_tile<M, tile_columns>(k, a, b.from(j, 0), c.from(0, j), add);
    for (; j < n; ++j) dot_tile<M, 1>(k, a, b.from(j, 0), c.from(0, j), add);
}

template <class T>
void dot_product(std::size_t m, std::size_t n, std::size_t k, Rows<const T> a, Rows<const T> b,
                 Rows<T> c, bool add) {
    std::size_t i = 0;
    for (; i + dot_rows_at_once <= m; i += dot_rows_at_once)
        dot_rows<dot_rows_at_once>(n, k, a.from(i, 0), b, c.from(i, 0), add);
    for (; i < m; ++i) dot_rows<1>(n, k, a.from(i, 0), b, c.from(i, 0), add);
}

// Where the numbers of a are: a(i, p) at i * row + p * depth.
template <class T>
struct Left {
    const T* first;
    std::size_t row;
    std::size_t depth;

    Left from(std::size_t i, std::size_t p) const {
        return {first + i * row + p * depth, row, depth};
    }
};

// c[M, N registers] = a[M, k] · b[k, …]: a number of a times a piece of a row of b.
template <std::size_t M, std::size_t N, class T>
void outer_tile(std::size_t k, Left<T> a, Rows<const T> b, Rows<T> c, bool add) {
    Register<T> sums[M][N] = {};
    for (std::size_t p = 0; p < k; ++p) {
        Register<T> right[N];
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < N; ++j) right[j] = load(b[p] + j * width<T>);
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < M; ++i) {
            const T left = a.first[i * a.row + p * a.depth];
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < N; ++j) sums[i][j] += left * right[j];
        }
    }
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            T* const to = c[i] + j * width<T>;
            store<T>(to, add ? load(to) + sums[i][j] : sums[i][j]);
        }
}

template <std::size_t N, class T>
void outer_rows(std::size_t m, std::size_t k, Left<T> a, Rows<const T> b, Rows<T> c, bool add) {
    std::size_t i = 0;
    for (; i + tile_rows <= m; i += tile_rows)
        outer_tile<tile_rows, N>(k, a.from(i, 0), b, c.from(i, 0), add);
    for (; i + 2 <= m; i += 2) outer_tile<2, N>(k, a.from(i, 0), b, c.from(i, 0), add);
    if (i < m) outer_tile<1, N>(k, a.from(i, 0), b, c.from(i, 0), add);
}

// Columns of b, row after row: in a wide matrix each row would be on another page.
constexpr std::size_t packed_depth = 128;
template <class T>
struct alignas(64) Packed {
    T numbers[packed_depth * strip<T>];  // 8 to 32 KiB
};

// Copies k rows of b with `columns` numbers each, or columns of the transposed b, and pads rows
// with zeros.
template <class T>
Rows<const T> pack(bool transposed, std::size_t k, std::size_t columns, std::size_t padded,
                   Rows<const T> b, Packed<T>& packed) {
    T* const to = packed.numbers;
    if (columns < padded) std::fill(to, to + k * padded, T{0});
    if (transposed) {
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t p = 0; p < k; ++p) to[p * padded + j] = b[j][p];
    } else {
        for (std::size_t p = 0; p < k; ++p) std::copy_n(b[p], columns, to + p * padded);
    }
    return {to, padded};
}

// The last columns, fewer than fill a register.
template <class T>
void last_columns(std::size_t m, std::size_t columns, std::size_t k, Left<T> a,
                  Rows<const T> padded, Rows<T> c, bool add) {
    for (std::size_t i = 0; i < m; i += tile_rows) {
        T sums[tile_rows * width<T>];
        const std::size_t rows = std::min(tile_rows, m - i);
        outer_rows<1>(rows, k, a.from(i, 0), padded, Rows<T>{sums, width<T>}, false);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t j = 0; j < columns; ++j) {
                T& to = c[i + row][j];
                to = add ? to + sums[row * width<T> + j] : sums[row * width<T> + j];
            }
    }
}

// For at most packed_depth rows of b. All rows of c for some columns, then the next columns.
template <class T>
void packed_block(bool transpose_b, std::size_t m, std::size_t n, std::size_t k, Left<T> a,
                  Rows<const T> b, Rows<T> c, bool add) {
    Packed<T> packed;
    const auto columns_of_b = [&](std::size_t j) {
        return transpose_b ? b.from(j, 0) : b.from(0, j);
    };
    std::size_t j = 0;
    for (; j + strip<T> <= n; j += strip<T>)
        outer_rows<tile_columns>(m, k, a,
                                 pack(transpose_b, k, strip<T>, strip<T>, columns_of_b(j), packed),
                                 c.from(0, j), add);
    for (; j < n; j += width<T>) {
        const std::size_t columns = std::min(width<T>, n - j);
        const auto right = pack(transpose_b, k, columns, width<T>, columns_of_b(j), packed);
        columns == width<T> ? outer_rows<1>(m, k, a, right, c.from(0, j), add)
                            : last_columns(m, columns, k, a, right, c.from(0, j), add);
    }
}

// For at most packed_depth rows of b, better for few. All columns of some rows of c, then the next
// rows.
template <class T>
void streamed_block(std::size_t m, std::size_t n, std::size_t k, Left<T> a, Rows<const T> b,
                    Rows<T> c, bool add) {
    for (std::size_t i = 0; i < m; i += tile_rows) {
        const std::size_t rows = std::min(tile_rows, m - i);
        const Left<T> left = a.from(i, 0);
        std::size_t j = 0;
        for (; j + strip<T> <= n; j += strip<T>)
            outer_rows<tile_columns>(rows, k, left, b.from(0, j), c.from(i, j), add);
        for (; j + width<T> <= n; j += width<T>)
            outer_rows<1>(rows, k, left, b.from(0, j), c.from(i, j), add);
        if (j == n) continue;
        Packed<T> packed;
        last_columns(rows, n - j, k, left, pack(false, k, n - j, width<T>, b.from(0, j), packed),
                     c.from(i, j), add);
    }
}

template <class T>
void multiply(GemmOrder order, bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
              std::size_t k, const T* a, std::size_t lda, const T* b, std::size_t ldb, T* c,
              std::size_t ldc, bool add) {
    // Arrays without elements have no address: the loops below would add offsets to it.
    if (m == 0 || n == 0) return;
    const Rows<T> to{c, ldc};
    if (k == 0) {
        for (std::size_t i = 0; i < m && !add; ++i) std::fill_n(to[i], n, T(0));
        return;
    }
    const Rows<const T> right{b, ldb};
    if (order == GemmOrder::dots)
        return dot_product(m, n, k, Rows<const T>{a, lda}, right, to, add);
    const Left<T> left = transpose_a ? Left<T>{a, 1, lda} : Left<T>{a, lda, 1};
    const bool packs = order == GemmOrder::packed;
    const std::size_t depth = packs ? packed_depth : 16;
    for (std::size_t p = 0; p < k; p += depth) {
        const std::size_t deep = std::min(depth, k - p);
        const bool adds = add || p > 0;
        packs ? packed_block(transpose_b, m, n, deep, left.from(0, p),
                             transpose_b ? right.from(0, p) : right.from(p, 0), to, adds)
              : streamed_block(m, n, deep, left.from(0, p), right.from(p, 0), to, adds);
    }
}

}  // namespace

GemmOrder gemm_order(bool transpose_b, std::size_t m, std::size_t k) {
    if (transpose_b) return m < 48 ? GemmOrder::dots : GemmOrder::packed;
    return m < 16 || k < 24 ? GemmOrder::streams : GemmOrder::packed;
}

void small_gemm(GemmOrder order, bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                std::size_t k, const float* a, std::size_t lda, const float* b, std::size_t ldb,
                float* c, std::size_t ldc, bool accumulate) {
    multiply(order, transpose_a, transpose_b, m, n, k, a, lda, b, ldb, c, ldc, accumulate);
}

void small_gemm(GemmOrder order, bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                std::size_t k, const double* a, std::size_t lda, const double* b, std::size_t ldb,
                double* c, std::size_t ldc, bool accumulate) {
    multiply(order, transpose_a, transpose_b, m, n, k, a, lda, b, ldb, c, ldc, accumulate);
}

}  // namespace lanes
