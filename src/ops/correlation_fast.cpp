// Blocks of the result stay in registers (correlation_blocks.hpp). The filter is divided into runs:
// parts of its columns with at most seven coefficients, without zeros at their ends. The
// coefficients of a run stay in registers, too, so that one loaded register of pixels serves all of
// them. Pixels are loaded directly from the image; those beyond the ends of its rows are masked. At
// the upper and lower edge of the image, and in small images, they come from a window that is
// padded with zeros. 3x3 filters have their own loop (correlation_3x3.cpp).
#include "lanes/ops/correlation.hpp"

#include "correlation_blocks.hpp"

#include "base/large_pages.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/workers.hpp"

#include <limits>
#include <vector>

namespace lanes {

namespace {

using ops::block_columns, ops::floats, ops::Images, ops::Index, ops::Register, ops::registers;
using Ints __attribute__((vector_size(ops::register_bytes))) = std::int32_t;

constexpr Index most_in_run = 7, largest_filter = 15, largest_half = largest_filter / 2,
                most_rows = 8;

struct Run {
    Index row, column, length;
    float coefficients[most_in_run];
};

std::vector<Run> runs_of(const Matrix& filter) {
    std::vector<Run> runs;
    const auto rows = static_cast<Index>(filter.shape(0)),
               columns = static_cast<Index>(filter.shape(1));
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

struct Task : Images {
    std::vector<Run> runs;
    Index half_rows, half_columns;  // of the filter
};

// The pixels that a block needs, starting at its first row and column minus half of the filter.
struct Pixels {
    const float* first;
    Index stride;
    Index column;  // of the first pixel, in the image
};

// Adds one run to a block. edge: pixels beyond the ends of the image's rows count as zeros.
template <Index rows, Index length, bool edge>
inline __attribute__((always_inline)) void add(Register (&sums)[rows][registers], const Run& run,
                                               const Pixels& pixels,
                                               [[maybe_unused]] Index columns) {
    Register coefficients[length];
#pragma unroll
    for (Index i = 0; i < length; ++i) coefficients[i] = run.coefficients[i] - Register{};
    [[maybe_unused]] Ints inside[registers];
    if constexpr (edge)
        for (Index v = 0; v < registers; ++v) {
            Ints lanes{};
            for (Index i = 0; i < floats; ++i) lanes[i] = static_cast<std::int32_t>(v * floats + i);
            const Ints column = lanes + static_cast<std::int32_t>(pixels.column + run.column);
            inside[v] = (column >= 0) & (column < static_cast<std::int32_t>(columns));
        }
    const float* from = pixels.first + run.row * pixels.stride + run.column;
#pragma unroll
    for (Index r = 0; r < rows + length - 1; ++r, from += pixels.stride) {
        Register line[registers];
#pragma unroll
        for (Index v = 0; v < registers; ++v) {
            line[v] = ops::load(from + v * floats);
            if constexpr (edge) line[v] = inside[v] ? line[v] : Register{};
        }
#pragma unroll
        for (Index y = 0; y < rows; ++y) {
            if (r - y < 0 || r - y >= length) continue;
#pragma unroll
            for (Index v = 0; v < registers; ++v) sums[y][v] += coefficients[r - y] * line[v];
        }
    }
}

template <Index rows, bool edge>
inline __attribute__((always_inline)) void add_any(Register (&sums)[rows][registers],
                                                   const Run& run, const Pixels& pixels,
                                                   Index columns) {
    switch (run.length) {
        case 1:
            return add<rows, 1, edge>(sums, run, pixels, columns);
        case 2:
            return add<rows, 2, edge>(sums, run, pixels, columns);
        case 3:
            return add<rows, 3, edge>(sums, run, pixels, columns);
        case 4:
            return add<rows, 4, edge>(sums, run, pixels, columns);
        case 5:
            return add<rows, 5, edge>(sums, run, pixels, columns);
        case 6:
            return add<rows, 6, edge>(sums, run, pixels, columns);
        default:
            return add<rows, most_in_run, edge>(sums, run, pixels, columns);
    }
}

template <Index rows, bool edge>
void correlate_block(const Task& task, const Pixels& pixels, float* result, Index stride) {
    ops::fetch_ahead<rows>(task, pixels.first + 2 * task.half_rows * pixels.stride, result, stride);
    Register sums[rows][registers] = {};
    for (const Run& run : task.runs) {
        const Index column = pixels.column + run.column;
        if (edge && (column < 0 || column + block_columns > task.columns))
            add_any<rows, true>(sums, run, pixels, task.columns);
        else
            add_any<rows, false>(sums, run, pixels, task.columns);
    }
    ops::store_block(sums, result, stride, task.bypass_caches);
}

// A copy of pixels, padded with zeros.
class Window {
public:
    // For the block of `rows` rows at (top, left).
    Pixels fill(const Task& task, Index rows, Index top, Index left) {
        const Index first = left - task.half_columns, from = std::max<Index>(0, first),
                    to = std::min(task.columns, first + needed);
        // If the row has enough pixels, the same number is copied for every block: a few
        // instructions instead of a call.
        const Index shifted = std::min(from, task.columns - needed);
        const bool same_number = shifted >= 0 && first - shifted <= around;
        for (Index r = 0; r < rows + 2 * task.half_rows; ++r) {
            const Index y = top + r - task.half_rows;
            float* line = pixels_[r] + around;
            std::fill_n(pixels_[r], width, 0.0F);
            if (y < 0 || y >= task.rows) continue;
            if (same_number)
                std::copy_n(task.from(y, shifted), needed, line + (shifted - first));
            else
                std::copy(task.from(y, from), task.from(y, to), line + (from - first));
        }
        return {pixels_[0] + around, width, first};
    }

private:
    static constexpr Index needed = block_columns + 2 * largest_half + 2, around = 16,
                           width = around + needed + around;
    alignas(64) float pixels_[most_rows + largest_filter - 1][width];
};

// A strip with rows of the image above and below it, so that a load beyond the end of a row stays
// inside the image.
template <Index rows>
void correlate_inside(const Task& task, Index top) {
    const auto block = [&](auto edge, Index left) {
        const Index column = left - task.half_columns;
        correlate_block<rows, edge>(task,
                                    {task.from(top - task.half_rows, column), task.columns, column},
                                    task.at(top, left), task.columns);
    };
    // The last block ends with the row and may overlap the one before.
    const Index end = task.columns - block_columns;
    block(std::true_type(), 0);
    Index left = task.last_aligned(top, block_columns);
    for (; left + task.half_columns <= end; left += block_columns) block(std::false_type(), left);
    if (left < end) block(std::true_type(), left);
    block(std::true_type(), end);
}

// A strip at the upper or lower edge of the image.
template <Index rows>
void correlate_outermost(const Task& task, Index top) {
    Window window;
    const Index end = task.columns - block_columns;
    for (Index left = 0; left < end + block_columns; left += block_columns) {
        const Index start = std::min(left, end);
        correlate_block<rows, false>(task, window.fill(task, rows, top, start), task.at(top, start),
                                     task.columns);
    }
}

// An image with fewer rows or columns than a block, or not many more.
template <Index rows>
void correlate_small(const Task& task, Index top) {
    Window window;
    alignas(64) float block[rows * block_columns];
    for (Index left = 0; left < task.columns; left += block_columns) {
        correlate_block<rows, false>(task, window.fill(task, rows, top, left), block,
                                     block_columns);
        const Index high = std::min(rows, task.rows - top),
                    wide = std::min(block_columns, task.columns - left);
        for (Index y = 0; y < high; ++y)
            std::copy_n(block + y * block_columns, wide, task.at(top + y, left));
    }
}

template <Index rows>
void correlate(const Task& task, std::size_t multiplications, Index workers) {
    const bool small = task.rows < rows || task.columns < 2 * block_columns ||
                       task.columns >= std::numeric_limits<std::int32_t>::max() - block_columns;
    ops::for_strips<rows>(task, multiplications, workers, [&](Index top) {
        if (small)
            correlate_small<rows>(task, top);
        else if (top > task.half_rows && top + rows + task.half_rows < task.rows)
            correlate_inside<rows>(task, top);
        else
            correlate_outermost<rows>(task, top);
    });
}

// fresh: the result's memory was never accessed. The system then first writes zeros to each page,
// which leaves them in the caches.
void correlate(const Matrix& filter, const Matrix& image, Matrix& result, int threads, bool fresh) {
    const Index workers = num_workers(threads);
    if (image.size() == 0) return;
    Images images{image.data(),
                  result.data(),
                  static_cast<Index>(image.shape(0)),
                  static_cast<Index>(image.shape(1)),
                  false,
                  0};
    const std::size_t bytes = image.size() * sizeof(float);
    // All rows must have the same alignment to cache lines.
    images.bypass_caches =
        !fresh && ops::should_bypass_caches(2 * bytes) && images.columns % floats == 0;
    // The hardware prefetcher stops at the end of a page. With larger filters, arithmetic takes
    // longer than reading and hides that.
    const std::size_t own_cache = cache_sizes().second;
    if (filter.size() <= 9 && bytes >= own_cache / 2)
        images.read_ahead = bytes >= 2 * own_cache ? 4 : 1;
    if (filter.shape(0) == 3 && filter.shape(1) == 3 && images.rows >= ops::smallest_rows_3x3 &&
        images.columns >= ops::smallest_columns_3x3)
        return ops::correlate_3x3(filter.data(), images, workers);
    const Task task{images, runs_of(filter), static_cast<Index>(filter.shape(0) / 2),
                    static_cast<Index>(filter.shape(1) / 2)};
    // Twelve rows of pixels at a time: if the length of a row is a power of two, no more lines stay
    // in a first-level cache.
    if (filter.shape(0) <= 5)
        correlate<most_rows>(task, image.size() * filter.size(), workers);
    else
        correlate<6>(task, image.size() * filter.size(), workers);
}

}  // namespace

void correlation_fast(const Matrix& filter, const Matrix& image, Matrix& result, int threads) {
    ops::require_filter("correlation_fast", filter);
    LANES_REQUIRE(&result != &image && &result != &filter,
                  "correlation_fast: the result is one of the arguments, which are still read "
                  "while it is written. Give another matrix.");
    if (result.shape() != image.shape()) result.resize(image.shape());
    correlate(filter, image, result, threads, false);
}

Matrix correlation_fast(const Matrix& filter, const Matrix& image, int threads) {
    ops::require_filter("correlation_fast", filter);
    auto result = Matrix::from_shape(image.shape());
    prefer_large_pages(result.data(), result.size() * sizeof(float));
    correlate(filter, image, result, threads, true);
    return result;
}

}  // namespace lanes
