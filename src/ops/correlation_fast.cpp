// Some rows by two registers of the result at a time, a block, stay in registers. A filter is taken as runs: pieces of its columns of at most seven
// coefficients, without the zeros at their ends. A run's coefficients stay in registers too, so that a register of pixels, once loaded, serves all of them.
// Pixels come straight from the image; what a block reads beyond the ends of its rows is masked. At the image's upper and lower edge, and where it is small,
// they come from a window with zeros around them.
#include "lanes/ops/correlation.hpp"

#include "filter_check.hpp"
#include "stream_store.hpp"

#include "../base/openmp.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/workers.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lanes {

namespace {

using Index = std::ptrdiff_t;

// A register of the machine.
#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif
using Vector __attribute__((vector_size(register_bytes))) = float;
using Ints __attribute__((vector_size(register_bytes))) = std::int32_t;

constexpr Index floats = register_bytes / sizeof(float), vectors = 2, block_columns = vectors * floats;
constexpr Index most_in_run = 7, largest_filter = 15, largest_half = largest_filter / 2, most_rows = 8;

inline Vector load(const float* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);  // at any address
    return vector;
}

struct Run {
    Index row, column, length;
    float coefficients[most_in_run];
};

std::vector<Run> runs_of(const Matrix& filter) {
    std::vector<Run> runs;
    const auto rows = static_cast<Index>(filter.shape(0)), columns = static_cast<Index>(filter.shape(1));
    const auto at = [&](Index i, Index j) { return filter.data()[i * columns + j]; };
    for (Index j = 0; j < columns; ++j) {
        Index first = 0, last = rows;
        while (first < last && at(first, j) == 0) ++first;
        while (first < last && at(last - 1, j) == 0) --last;
        for (; first < last; first += most_in_run) {
            Run run{first, j, std::min(most_in_run, last - first), {}};
            for (Index i = 0; i < run.length; ++i) run.coefficients[i] = at(first + i, j);
            runs.push_back(run);
        }
    }
    return runs;
}

struct Task {
    const std::vector<Run>& runs;
    Index half_rows, half_columns;  // of the filter
    const float* image;
    float* result;
    Index rows, columns;
    bool around_caches;  // for the stores
    bool read_ahead;     // where memory sets the pace

    float* at(Index top, Index left) const { return result + top * columns + left; }
};

// Pixels that a block needs, from its first row and column minus half of the filter on.
struct Pixels {
    const float* first;
    Index stride;
    Index column;  // of the first, in the image
};

// Adds one run to a block. edge: pixels beyond the ends of the image's rows count as zeros.
template <Index rows, Index length, bool edge>
inline __attribute__((always_inline)) void add(Vector (&sums)[rows][vectors], const Run& run, const Pixels& pixels, [[maybe_unused]] Index columns) {
    Vector coefficients[length];
#pragma unroll
    for (Index i = 0; i < length; ++i) coefficients[i] = run.coefficients[i] - Vector{};
    [[maybe_unused]] Ints inside[vectors];
    if constexpr (edge)
        for (Index v = 0; v < vectors; ++v) {
            Ints column{};
            for (Index i = 0; i < floats; ++i) column[i] = static_cast<std::int32_t>(pixels.column + run.column + v * floats + i);
            inside[v] = (column >= 0) & (column < static_cast<std::int32_t>(columns));
        }
    const float* from = pixels.first + run.row * pixels.stride + run.column;
#pragma unroll
    for (Index r = 0; r < rows + length - 1; ++r, from += pixels.stride) {
        Vector line[vectors];
#pragma unroll
        for (Index v = 0; v < vectors; ++v) {
            line[v] = load(from + v * floats);
            if constexpr (edge) line[v] = inside[v] ? line[v] : Vector{};
        }
#pragma unroll
        for (Index y = 0; y < rows; ++y) {
            if (r - y < 0 || r - y >= length) continue;
#pragma unroll
            for (Index v = 0; v < vectors; ++v) sums[y][v] += coefficients[r - y] * line[v];
        }
    }
}

template <Index rows, bool edge>
void correlate_block(const Task& task, const Pixels& pixels, float* result, Index stride) {
    if (task.read_ahead) {
        // Pixels of the rows that the strip above has not read, some blocks from here: a machine that reads ahead by itself stops at the end of a page.
        for (Index y = 2 * task.half_rows; y < rows + 2 * task.half_rows; ++y)
            for (Index v = 0; v < vectors; ++v) __builtin_prefetch(pixels.first + y * pixels.stride + 4 * block_columns + v * floats);
    }
    if (!task.around_caches) {
        for (Index y = 0; y < rows; ++y)  // for the next block
            for (Index v = vectors; v < 2 * vectors; ++v) __builtin_prefetch(result + y * stride + v * floats, 1);
    }
    Vector sums[rows][vectors] = {};
    for (const Run& run : task.runs) {
        switch (run.length) {
            case 1:
                add<rows, 1, edge>(sums, run, pixels, task.columns);
                break;
            case 2:
                add<rows, 2, edge>(sums, run, pixels, task.columns);
                break;
            case 3:
                add<rows, 3, edge>(sums, run, pixels, task.columns);
                break;
            case 4:
                add<rows, 4, edge>(sums, run, pixels, task.columns);
                break;
            case 5:
                add<rows, 5, edge>(sums, run, pixels, task.columns);
                break;
            case 6:
                add<rows, 6, edge>(sums, run, pixels, task.columns);
                break;
            default:
                add<rows, most_in_run, edge>(sums, run, pixels, task.columns);
        }
    }
#if defined(__clang__)
    if (task.around_caches && reinterpret_cast<std::uintptr_t>(result) % sizeof(Vector) == 0) {
        for (Index y = 0; y < rows; ++y)
            for (Index v = 0; v < vectors; ++v) __builtin_nontemporal_store(sums[y][v], reinterpret_cast<Vector*>(result + y * stride + v * floats));
        return;
    }
#endif
    for (Index y = 0; y < rows; ++y) std::memcpy(result + y * stride, sums[y], sizeof sums[y]);
}

// A copy of pixels with zeros around it.
class Window {
public:
    // For the block of `rows` rows at (top, left).
    Pixels fill(const Task& task, Index rows, Index top, Index left) {
        const Index first = left - task.half_columns, from = std::max<Index>(0, first), to = std::min(task.columns, first + needed);
        for (Index r = 0; r < rows + 2 * task.half_rows; ++r) {
            const Index y = top + r - task.half_rows;
            std::fill_n(pixels_[r], needed, 0.0F);
            if (y >= 0 && y < task.rows) std::copy(task.image + y * task.columns + from, task.image + y * task.columns + to, pixels_[r] + (from - first));
        }
        return {pixels_[0], needed, first};
    }

private:
    static constexpr Index needed = block_columns + 2 * largest_half + 2;
    alignas(64) float pixels_[most_rows + largest_filter - 1][needed];
};

// Rows top to top + rows - 1 of the result, as far as there are any, are a strip.
template <Index rows>
void correlate_strip(const Task& task, Index top) {
    // with a row above and below: what is read beyond the end of a row is then still in the image
    const bool inside = top > task.half_rows && top + rows + task.half_rows < task.rows;
    if (inside && task.columns >= 2 * block_columns && task.columns < std::numeric_limits<std::int32_t>::max() - block_columns) {
        const auto pixels = [&](Index left) {
            return Pixels{task.image + (top - task.half_rows) * task.columns + left - task.half_columns, task.columns, left - task.half_columns};
        };
        const Index end = task.columns - block_columns;  // the last block ends with the row; what it shares with the one before is computed twice
        correlate_block<rows, true>(task, pixels(0), task.at(top, 0), task.columns);
        // from here on at borders of cache lines: a store across one takes twice as long
        Index left = block_columns - static_cast<Index>(reinterpret_cast<std::uintptr_t>(task.at(top, block_columns)) % sizeof(Vector) / sizeof(float));
        for (; left + task.half_columns <= end; left += block_columns) correlate_block<rows, false>(task, pixels(left), task.at(top, left), task.columns);
        if (left < end) correlate_block<rows, true>(task, pixels(left), task.at(top, left), task.columns);
        correlate_block<rows, true>(task, pixels(end), task.at(top, end), task.columns);
    } else {
        Window window;
        alignas(64) float block[rows * block_columns];
        for (Index left = 0; left < task.columns; left += block_columns) {
            correlate_block<rows, false>(task, window.fill(task, rows, top, left), block, block_columns);
            const Index high = std::min(rows, task.rows - top), wide = std::min(block_columns, task.columns - left);
            for (Index y = 0; y < high; ++y) std::copy_n(block + y * block_columns, wide, task.at(top + y, left));
        }
    }
    if (task.around_caches) ops::finish_stores();
}

template <Index rows>
void correlate(const Task& task, std::size_t multiplications, Index workers) {
    constexpr std::size_t worth_a_thread = 1000000;  // multiplications: waking a thread costs about as much
    const Index strips = (task.rows + rows - 1) / rows;
    const Index parts = std::clamp<Index>(static_cast<Index>(multiplications / worth_a_thread), 1, std::min(workers, strips));
    if (parts == 1) {  // without a word to OpenMP, which takes a microsecond
        for (Index strip = 0; strip < strips; ++strip) correlate_strip<rows>(task, strip * rows);
        return;
    }
    [[maybe_unused]] const Index at_once = std::max<Index>(1, strips / (8 * parts));
#pragma omp parallel for num_threads(static_cast<int>(parts)) schedule(dynamic, at_once)
    for (Index strip = 0; strip < strips; ++strip) correlate_strip<rows>(task, strip * rows);
}

}  // namespace

void correlation_fast(const Matrix& filter, const Matrix& image, Matrix& result, int threads) {
    ops::require_filter("correlation_fast", filter);
    LANES_REQUIRE(&result != &image && &result != &filter,
                  "correlation_fast: the result is one of the arguments, which are still read while it is written. Give another matrix.");
    const auto workers = static_cast<Index>(openmp_threads(static_cast<std::size_t>(num_workers(threads))));
    if (result.shape() != image.shape()) result.resize(image.shape());
    if (image.size() == 0) return;
    const std::vector<Run> runs = runs_of(filter);
    Task task{runs,          static_cast<Index>(filter.shape(0) / 2), static_cast<Index>(filter.shape(1) / 2), image.data(),
              result.data(), static_cast<Index>(image.shape(0)),      static_cast<Index>(image.shape(1)),      false,
              false};
    // where all rows lie alike to the borders of cache lines
    task.around_caches = image.size() * sizeof(float) >= ops::around_caches_from && task.columns % floats == 0;
    task.read_ahead = task.around_caches && filter.size() <= 9;  // the arithmetic of larger filters takes longer than reading, and leaves time for it
    // Twelve rows of pixels at a time: no more lines stay in a first-level cache where rows are a power of two long.
    if (filter.shape(0) <= 5)
        correlate<most_rows>(task, image.size() * filter.size(), workers);
    else
        correlate<6>(task, image.size() * filter.size(), workers);
}

Matrix correlation_fast(const Matrix& filter, const Matrix& image, int threads) {
    auto result = Matrix::from_shape(image.shape());
    ops::prefer_large_pages(result.data(), result.size() * sizeof(float));
    correlation_fast(filter, image, result, threads);
    return result;
}

}  // namespace lanes
