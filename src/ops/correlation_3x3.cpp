// correlation_fast for 3x3 filters. Nine coefficients and the sums of a block fit into the
// registers together. So each line of pixels is read once, and its neighbours to the left and right
// are combined from registers; outside the image they are zeros.
#include "correlation_blocks.hpp"

#include <utility>

namespace lanes::ops {

namespace {

constexpr Index rows = smallest_rows_3x3;

// The last float of `left`, then all but the last of `right`: the pixels one to the left of
// `right`.
template <int... i>
inline Register moved_right(Register left, Register right, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(left, right, (static_cast<int>(floats) - 1 + i)...);
}

template <int... i>
inline Register moved_left(Register left, Register right, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(left, right, (1 + i)...);
}

constexpr std::make_integer_sequence<int, floats> each_float;

// The rows of pixels below a strip. The outermost rows may be outside the image; then they are
// zeros, and the same zeros serve the whole row.
struct Lines {
    const float *above, *first, *below;
    bool has_above, has_below;
};

enum class Place { begin, middle, end };  // of a block in its row

// Where a filter has zeros that can be skipped, as the course's filters for sharpening and edges
// have.
enum class Zeros { none, corners, middle_column, middle_row };

constexpr bool used(Zeros zeros, Index i, Index j) {
    if (zeros == Zeros::corners) return i == 1 || j == 1;
    if (zeros == Zeros::middle_column) return j != 1;
    return zeros == Zeros::none || i != 1;
}

Zeros zeros_of(const float* filter) {
    for (const Zeros zeros : {Zeros::corners, Zeros::middle_column, Zeros::middle_row}) {
        bool found = true;
        for (Index i = 0; i < 9; ++i)
            found = found && (used(zeros, i / 3, i % 3) || filter[i] == 0);
        if (found) return zeros;
    }
    return Zeros::none;
}

// width: number of registers side by side
template <Zeros zeros, Place place, Index width = registers>
inline __attribute__((always_inline)) void correlate_block(const Register (&filter)[3][3],
                                                           const Images& images, const Lines& lines,
                                                           Index top, Index left) {
    float* result = images.at(top, left);
    fetch_ahead<rows>(images, lines.first + images.columns + left, result, images.columns);
    Register sums[rows][width] = {};
#pragma unroll
    for (Index r = 0; r < rows + 2; ++r) {
        const float* line = lines.first + (r - 1) * images.columns + left;
        if (r == 0) line = lines.has_above ? lines.above + left : lines.above;
        if (r == rows + 1) line = lines.has_below ? lines.below + left : lines.below;
        Register pixels[width], before[width], after[width];
#pragma unroll
        for (Index v = 0; v < width; ++v) pixels[v] = load(line + v * floats);
        before[0] =
            place == Place::begin ? moved_right(Register{}, pixels[0], each_float) : load(line - 1);
#pragma unroll
        for (Index v = 1; v < width; ++v) {
            before[v] = moved_right(pixels[v - 1], pixels[v], each_float);
            after[v - 1] = moved_left(pixels[v - 1], pixels[v], each_float);
        }
        after[width - 1] = place == Place::end
                               ? moved_left(pixels[width - 1], Register{}, each_float)
                               : load(line + (width - 1) * floats + 1);
#pragma unroll
        for (Index y = 0; y < rows; ++y) {
            const Index i = r - y;
            if (i < 0 || i > 2) continue;
#pragma unroll
            for (Index v = 0; v < width; ++v) {
                if (used(zeros, i, 0)) sums[y][v] += filter[i][0] * before[v];
                if (used(zeros, i, 1)) sums[y][v] += filter[i][1] * pixels[v];
                if (used(zeros, i, 2)) sums[y][v] += filter[i][2] * after[v];
            }
        }
    }
    store_block(sums, result, images.columns, images.bypass_caches);
}

template <Zeros zeros>
void correlate_strip(const Register (&filter)[3][3], const Images& images, Index top) {
    static constexpr float outside[1 + block_columns + 1] = {};
    const bool has_above = top > 0, has_below = top + rows < images.rows;
    const Lines lines{has_above ? images.from(top - 1, 0) : outside + 1, images.from(top, 0),
                      has_below ? images.from(top + rows, 0) : outside + 1, has_above, has_below};
    correlate_block<zeros, Place::begin, 1>(filter, images, lines, top, 0);
    Index left = images.last_aligned(top, floats);
    for (; left + block_columns < images.columns; left += block_columns)
        correlate_block<zeros, Place::middle>(filter, images, lines, top, left);
    // The last block ends with the row. It may overlap the block before; the overlap is computed
    // twice.
    if (left + floats < images.columns)
        correlate_block<zeros, Place::end>(filter, images, lines, top,
                                           images.columns - block_columns);
    else
        correlate_block<zeros, Place::end, 1>(filter, images, lines, top, images.columns - floats);
}

}  // namespace

void correlate_3x3(const float* filter, const Images& images, Index workers) {
    Register coefficients[3][3];
    for (Index i = 0; i < 9; ++i) coefficients[i / 3][i % 3] = filter[i] - Register{};
    const auto with = [&](void (*strip)(const Register(&)[3][3], const Images&, Index)) {
        for_strips<rows>(images, static_cast<std::size_t>(9 * images.rows * images.columns),
                         workers, [&](Index top) { strip(coefficients, images, top); });
    };
    switch (zeros_of(filter)) {
        case Zeros::corners:
            return with(correlate_strip<Zeros::corners>);
        case Zeros::middle_column:
            return with(correlate_strip<Zeros::middle_column>);
        case Zeros::middle_row:
            return with(correlate_strip<Zeros::middle_row>);
        case Zeros::none:
            return with(correlate_strip<Zeros::none>);
    }
}

}  // namespace lanes::ops
