// Four rows by two cache lines of the result at a time stay in registers: each line of pixels that is loaded serves all filter rows that need it. Pixels come
// straight from the image; only at its left and right edge are they copied into a window with zeros around it.
#include "lanes/ops/correlation.hpp"

#include "filter_check.hpp"
#include "stream_store.hpp"

#include "lanes/base/workers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace lanes {

namespace {

using ops::Line, ops::load_line;
using Index = std::ptrdiff_t;

constexpr Index block_rows = 4, lines = 2, floats = 16, block_columns = lines * floats, largest_filter = 15;

struct Filter {
    const float* values;
    Index rows, columns;
};

using RowPointers = std::array<const float*, block_rows + largest_filter - 1>;
using Sums = Line<float>[block_rows][lines];

// rows[r]: the r-th row of pixels that the block needs, from the block's first column minus filter.columns / 2 on. filter_rows and filter_columns as constants
// let the compiler unroll everything; 0 stands for any size.
template <Index filter_rows, Index filter_columns>
inline void correlate_block(const Filter& filter, const RowPointers& rows, Sums& result) {
    const Index high = filter_rows ? filter_rows : filter.rows, wide = filter_columns ? filter_columns : filter.columns;
    Line<float> sums[block_rows][lines] = {};
    const auto add = [&](Index r, Index j) {
        Line<float> pixels[lines];
#pragma unroll
        for (Index line = 0; line < lines; ++line) pixels[line] = load_line(rows[r] + j + line * floats);
#pragma unroll
        for (Index y = 0; y < block_rows; ++y) {
            const Index i = r - y;  // the row of the filter that lies on these pixels
            if (i < 0 || i >= high) continue;
            const float coefficient = filter.values[i * wide + j];
#pragma unroll
            for (Index line = 0; line < lines; ++line) sums[y][line] += coefficient * pixels[line];
        }
    };
    if constexpr (filter_rows > 0) {
#pragma unroll
        for (Index r = 0; r < filter_rows + block_rows - 1; ++r)
#pragma unroll
            for (Index j = 0; j < filter_columns; ++j) add(r, j);
    } else {
        for (Index r = 0; r < high + block_rows - 1; ++r)
            for (Index j = 0; j < wide; ++j) add(r, j);
    }
#pragma unroll
    for (Index y = 0; y < block_rows; ++y)
#pragma unroll
        for (Index line = 0; line < lines; ++line) result[y][line] = sums[y][line];
}

struct Task {
    Filter filter;
    const float* image;
    float* result;
    Index rows, columns;
    std::vector<float> black;  // a row outside of the image
};

// Copies what the block at (top, left) needs, with zeros outside of the image, and points rows at it.
struct Window {
    float pixels[block_rows + largest_filter - 1][block_columns + largest_filter - 1 + floats];

    void fill(const Task& task, Index top, Index left, RowPointers& rows) {
        const Index first = left - task.filter.columns / 2, width = block_columns + task.filter.columns - 1;
        const Index from = std::max<Index>(0, first), to = std::min(task.columns, first + width);
        for (Index r = 0; r < block_rows + task.filter.rows - 1; ++r) {
            const Index y = top + r - task.filter.rows / 2;
            std::fill(pixels[r], pixels[r] + width, 0.0F);
            if (y >= 0 && y < task.rows) std::copy(task.image + y * task.columns + from, task.image + y * task.columns + to, pixels[r] + (from - first));
            rows[r] = pixels[r];
        }
    }
};

void store(const Task& task, Index top, Index left, const Sums& sums) {
    const Index high = std::min(block_rows, task.rows - top), wide = std::min(block_columns, task.columns - left);
    for (Index y = 0; y < high; ++y) {
        float* to = task.result + (top + y) * task.columns + left;
        if (wide == block_columns)
            std::memcpy(to, sums[y], block_columns * sizeof(float));
        else
            std::memcpy(to, sums[y], static_cast<std::size_t>(wide) * sizeof(float));
    }
}

// Rows top to top + block_rows - 1 of the result, as far as there are any.
template <Index filter_rows, Index filter_columns>
void correlate_rows(const Task& task, Index top) {
    const Index half = task.filter.columns / 2;
    RowPointers starts{}, rows{};
    for (Index r = 0; r < block_rows + task.filter.rows - 1; ++r) {
        const Index y = top + r - task.filter.rows / 2;
        starts[r] = y >= 0 && y < task.rows ? task.image + y * task.columns : task.black.data();
    }
    Window window;
    Sums sums;
    for (Index left = 0; left < task.columns; left += block_columns) {
        if (left >= half && left + block_columns + half <= task.columns)
            for (Index r = 0; r < block_rows + task.filter.rows - 1; ++r) rows[r] = starts[r] + left - half;
        else
            window.fill(task, top, left, rows);
        correlate_block<filter_rows, filter_columns>(task.filter, rows, sums);
        store(task, top, left, sums);
    }
}

using Rows = void (*)(const Task&, Index);

Rows rows_for(const Filter& filter) {
    const auto is = [&](Index rows, Index columns) { return filter.rows == rows && filter.columns == columns; };
    if (is(3, 3)) return correlate_rows<3, 3>;
    if (is(5, 5)) return correlate_rows<5, 5>;
    if (is(7, 7)) return correlate_rows<7, 7>;
    if (is(5, 3)) return correlate_rows<5, 3>;
    if (is(3, 5)) return correlate_rows<3, 5>;
    return correlate_rows<0, 0>;
}

}  // namespace

Matrix correlation_fast(const Matrix& filter, const Matrix& image, int threads) {
    ops::require_filter("correlation_fast", filter);
    const Index workers = num_workers(threads);
    auto result = Matrix::from_shape(image.shape());
    if (image.size() == 0) return result;
    ops::prefer_large_pages(result.data(), result.size() * sizeof(float));
    const Task task{{filter.data(), static_cast<Index>(filter.shape(0)), static_cast<Index>(filter.shape(1))},
                    image.data(),
                    result.data(),
                    static_cast<Index>(image.shape(0)),
                    static_cast<Index>(image.shape(1)),
                    std::vector<float>(image.shape(1), 0.0F)};
    constexpr std::size_t worth_a_thread = 200000;  // multiplications: waking a thread costs about as much
    [[maybe_unused]] const Index parts = std::clamp<Index>(static_cast<Index>(image.size() * filter.size() / worth_a_thread), 1, workers);
    const Rows correlate = rows_for(task.filter);
#pragma omp parallel for num_threads(static_cast<int>(parts)) schedule(static) if (parts > 1)
    for (Index top = 0; top < task.rows; top += block_rows) correlate(task, top);
    return result;
}

}  // namespace lanes
