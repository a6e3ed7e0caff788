// x times its own transpose, by tiles of the upper half. Each tile is a small matrix product of
// BLAS that is written twice while it is in the cache: at its place and mirrored. BLAS has its own
// syrk, but it leaves the mirror image to the caller, who would have to go through memory again.
#include "lanes/array/blas.hpp"

#include "one_blas_thread.hpp"

#include "base/thread_pool.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/workers.hpp"

#ifdef LANES_STANDALONE
#include "small_gemm.hpp"
#else
#include <cblas.h>
#endif

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace lanes {

namespace {

#ifdef LANES_STANDALONE

// a: (m, k), b: (n, k), tile: (m, n) = a times the transpose of b
void rows_by_rows(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                  float* tile) {
    small_gemm(gemm_order(true, m, k), false, true, m, n, k, a, k, b, k, tile, n, false);
}

// a: (m, k), tile: (m, m) = a times its transpose; the upper half is enough
void rows_by_themselves(std::size_t m, std::size_t k, const float* a, float* tile) {
    rows_by_rows(m, m, k, a, a, tile);
}

constexpr std::size_t largest = std::numeric_limits<std::ptrdiff_t>::max();

#else

void rows_by_rows(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                  float* tile) {
    const auto rows = static_cast<blasint>(m), columns = static_cast<blasint>(n),
               depth = static_cast<blasint>(k);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, depth, 1, a, depth, b,
                depth, 0, tile, columns);
}

void rows_by_themselves(std::size_t m, std::size_t k, const float* a, float* tile) {
    const auto rows = static_cast<blasint>(m), depth = static_cast<blasint>(k);
    cblas_ssyrk(CblasRowMajor, CblasUpper, CblasNoTrans, rows, depth, 1, a, depth, 0, tile, rows);
}

constexpr std::size_t largest = std::numeric_limits<blasint>::max();

#endif

struct Tiles {
    std::size_t edge, across;
    std::size_t count() const { return across * (across + 1) / 2; }
};

// Tiles of equal size: large enough for BLAS to be fast, and several per thread to balance the
// load.
Tiles cut(std::size_t rows, std::size_t threads) {
    constexpr std::size_t smallest = 64, preferred = 512;
    std::size_t across = std::max<std::size_t>(1, (rows + preferred - 1) / preferred);
    while (threads > 1 && across * (across + 1) / 2 < 3 * threads &&
           rows / (across + 1) >= smallest)
        ++across;
    const std::size_t edge =
        std::max<std::size_t>(16, ((rows + across - 1) / across + 15) / 16 * 16);
    return {edge, (rows + edge - 1) / edge};
}

// Copies the tile at (top, left), m rows of n, to c: (rows, rows) and mirrored across its diagonal.
// Of a tile on the diagonal only the upper half is used, so c is exactly symmetric.
void write_both_images(const float* tile, std::size_t m, std::size_t n, float* c, std::size_t rows,
                       std::size_t top, std::size_t left) {
    constexpr std::size_t square = 16;
    const bool diagonal = top == left;
    for (std::size_t i = 0; i < m; ++i) {
        const std::size_t from = diagonal ? i : 0;
        std::copy(tile + i * n + from, tile + (i + 1) * n, c + (top + i) * rows + left + from);
    }
    for (std::size_t j = 0; j < n; j += square)
        for (std::size_t i = 0; i < m; i += square)
            for (std::size_t column = j; column < std::min(n, j + square); ++column) {
                const std::size_t end = std::min({m, i + square, diagonal ? column : m});
                for (std::size_t row = i; row < end; ++row)
                    c[(left + column) * rows + top + row] = tile[row * n + column];
            }
}

// Tiles above the diagonal are numbered row by row, then those on it: 0 1 / 2 and 3 4 5 for three
// rows of tiles. The small ones come last, to balance the load.
void compute_tile(const Matrix& x, Matrix& product, const Tiles& tiles, std::size_t number,
                  float* tile) {
    const std::size_t rows = x.shape(0), columns = x.shape(1),
                      above = tiles.across * (tiles.across - 1) / 2;
    std::size_t row = 0, column = 0;
    if (number < above) {
        while (number >= tiles.across - 1 - row) number -= tiles.across - 1 - row++;
        column = row + 1 + number;
    } else {
        row = column = number - above;
    }
    const std::size_t top = row * tiles.edge, left = column * tiles.edge;
    const std::size_t m = std::min(tiles.edge, rows - top), n = std::min(tiles.edge, rows - left);
    const float* upper = x.data() + top * columns;
    row == column ? rows_by_themselves(m, columns, upper, tile)
                  : rows_by_rows(m, n, columns, upper, x.data() + left * columns, tile);
    write_both_images(tile, m, n, product.data(), rows, top, left);
}

}  // namespace

Matrix syrk(const Matrix& x, int threads) {
    const std::size_t rows = x.shape(0), columns = x.shape(1),
                      workers = static_cast<std::size_t>(num_workers(threads));
    LANES_REQUIRE(rows <= largest && columns <= largest, "syrk: ", x.shape(), ". BLAS takes up to ",
                  largest, " rows and columns.");
    if (x.size() == 0) return Matrix(std::array<std::size_t, 2>{rows, rows}, 0.0F);
    auto product = Matrix::from_shape({rows, rows});
    // Multiplications: waking a thread costs about as much.
    constexpr std::size_t worth_a_thread = 500000;
    const std::size_t useful =
        std::clamp<std::size_t>(rows * rows / 2 * columns / worth_a_thread, 1, workers);
    const Tiles tiles = cut(rows, useful);
    const OneBlasThread one;
    const std::size_t entries = tiles.edge * tiles.edge;
    // One tile per thread. Allocated here, because a parallel region must not throw.
    std::vector<float> space(useful * entries);
    run_parts(tiles.count(), useful, [&](std::size_t number, std::size_t thread) {
        compute_tile(x, product, tiles, number, space.data() + entries * thread);
    });
    return product;
}

}  // namespace lanes
