// Nine coefficients and a block's sums fit into the registers together. So each line of pixels is read once, and its neighbours to the left and right are put
// together from what was read: at the ends of the image's rows, where they would lie outside, from zeros.
#include "correlation_blocks.hpp"

#include "lanes/base/error.hpp"

#include <utility>

namespace lanes::ops {

namespace {

constexpr Index rows = smallest_rows_3x3;

// The last float of `left`, then all but the last of `right`: what lies one pixel to the left of `right`.
template <int... i>
inline Register moved_right(Register left, Register right, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(left, right, (static_cast<int>(floats) - 1 + i)...);
}

template <int... i>
inline Register moved_left(Register left, Register right, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(left, right, (1 + i)...);
}

constexpr std::make_integer_sequence<int, floats> lanes_of_register;

// The rows of pixels under a strip. The outermost may be outside the image; then they are zeros, the same ones for all of the row.
struct Lines {
    const float *above, *first, *below;
    bool has_above, has_below;
};

enum class Place { begin, middle, end };  // of a block in its row

// corners: false where the filter has zeros there. width: registers side by side
template <bool corners, Place place, Index width = registers>
inline __attribute__((always_inline)) void correlate_block(const Register (&filter)[3][3], const Images& images, const Lines& lines, Index top, Index left) {
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
        if (corners || (r > 0 && r <= rows)) {
            before[0] = place == Place::begin ? moved_right(Register{}, pixels[0], lanes_of_register) : load(line - 1);
#pragma unroll
            for (Index v = 1; v < width; ++v) {
                before[v] = moved_right(pixels[v - 1], pixels[v], lanes_of_register);
                after[v - 1] = moved_left(pixels[v - 1], pixels[v], lanes_of_register);
            }
            after[width - 1] = place == Place::end ? moved_left(pixels[width - 1], Register{}, lanes_of_register) : load(line + (width - 1) * floats + 1);
        }
#pragma unroll
        for (Index y = 0; y < rows; ++y) {
            const Index i = r - y;
            if (i < 0 || i > 2) continue;
#pragma unroll
            for (Index v = 0; v < width; ++v) {
                if (corners || i == 1) sums[y][v] += filter[i][0] * before[v];
                sums[y][v] += filter[i][1] * pixels[v];
                if (corners || i == 1) sums[y][v] += filter[i][2] * after[v];
            }
        }
    }
    store_block(sums, result, images.columns, images.around_caches);
}

template <bool corners>
void correlate_strip(const Register (&filter)[3][3], const Images& images, Index top) {
    static constexpr float zeros[1 + block_columns + 1] = {};
    const bool has_above = top > 0, has_below = top + rows < images.rows;
    const Lines lines{has_above ? images.from(top - 1, 0) : zeros + 1, images.from(top, 0), has_below ? images.from(top + rows, 0) : zeros + 1, has_above,
                      has_below};
    correlate_block<corners, Place::begin, 1>(filter, images, lines, top, 0);
    Index left = images.last_aligned(top, floats);
    for (; left + block_columns < images.columns; left += block_columns) correlate_block<corners, Place::middle>(filter, images, lines, top, left);
    // The last block ends with the row; what it shares with the one before is computed twice.
    if (left + floats < images.columns)
        correlate_block<corners, Place::end>(filter, images, lines, top, images.columns - block_columns);
    else
        correlate_block<corners, Place::end, 1>(filter, images, lines, top, images.columns - floats);
}

}  // namespace

void correlate_3x3(const float* filter, const Images& images, Index workers) {
    Register coefficients[3][3];
    for (Index i = 0; i < 9; ++i) coefficients[i / 3][i % 3] = filter[i] - Register{};
    const bool corners = filter[0] != 0 || filter[2] != 0 || filter[6] != 0 || filter[8] != 0;
    for_strips<rows>(images, static_cast<std::size_t>(9 * images.rows * images.columns), workers,
                     [&](Index top) { corners ? correlate_strip<true>(coefficients, images, top) : correlate_strip<false>(coefficients, images, top); });
}

}  // namespace lanes::ops
