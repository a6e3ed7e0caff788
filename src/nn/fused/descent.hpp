// Weights are changed by the product of what is below them and of errors: each weight is loaded and
// stored once for all images of a batch. So the upper layers are updated, and the first one where
// most pixels are not 0, as in augmented pictures, whose noise leaves two of five black, at other
// places in each. There the products and their order are those of input.hpp, bit by bit. Going
// through the lit pixels of each picture by itself was tried: fewer products, but each with a load
// of its own, and slower.
#pragma once

#include "loops.hpp"

namespace lanes::fused {

// Rows of weights, Width units of each, in registers while the images pass by.
template <std::size_t Rows, std::size_t Width, class T>
struct Sums {
    Unit<T> of[Rows][Width];

    // One image; values: for each row one.
    void add(const T* values, const T* slopes) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) of[i][j] += values[i] * units(slopes)[j];
    }
};

// How the sums become weights: they begin as these and replace them.
struct InPlace {
    template <std::size_t Rows, std::size_t Width, class T>
    void begin(Sums<Rows, Width, T>& sums, const T* weights, std::size_t stride) const {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) sums.of[i][j] = units(weights + i * stride)[j];
    }
    template <std::size_t Rows, std::size_t Width, class T>
    void end(const Sums<Rows, Width, T>& sums, T* weights, std::size_t stride) const {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) units(weights + i * stride)[j] = sums.of[i][j];
    }
};

// Or they begin at 0, and `scale` times the whole sum is subtracted.
template <class T>
struct Subtracted {
    T scale;

    template <std::size_t Rows, std::size_t Width>
    void begin(Sums<Rows, Width, T>& sums, const T* /*weights*/, std::size_t /*stride*/) const {
        sums = {};
    }
    template <std::size_t Rows, std::size_t Width>
    void end(const Sums<Rows, Width, T>& sums, T* weights, std::size_t stride) const {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j)
                units(weights + i * stride)[j] -= scale * sums.of[i][j];
    }
};

// Fetches memory that is needed soon, some of it at each call: another core has written it, and
// nobody has to wait for it then.
template <class T>
class Ahead {
public:
    Ahead(const T* data, std::size_t count, std::size_t calls)
        : next_(data), end_(data + count), step_(up_to_units(count / calls + 1, unit<T>)) {}

    void fetch_some() {
        const T* const end =
            end_ - next_ > static_cast<std::ptrdiff_t>(step_) ? next_ + step_ : end_;
        for (; next_ < end; next_ += unit<T>) __builtin_prefetch(next_, 0, 2);
    }

private:
    const T *next_, *end_;
    std::size_t step_;
};

// What the weights of one panel are changed by: left: (images, rows of the weights), one image
// every left_step; right: (images, Step).
template <std::size_t Step, class T>
struct Factors {
    const T* left;
    std::size_t left_step;
    const T* right;

    // `count` images, from `image` on, for the rows from `row` on
    template <class S>
    void add(std::size_t count, S& sums, std::size_t row, std::size_t image) const {
        const T *values = left + image * left_step + row, *slopes = right + image * Step;
        for (std::size_t i = 0; i < count; ++i, values += left_step, slopes += Step)
            sums.add(values, slopes);
    }
    // The same for a and b by turns.
    template <class S>
    void add(std::size_t count, S& a, std::size_t a_row, std::size_t a_image, S& b,
             std::size_t b_row, std::size_t b_image) const {
        const T *a_values = left + a_image * left_step + a_row, *a_slopes = right + a_image * Step;
        const T *b_values = left + b_image * left_step + b_row, *b_slopes = right + b_image * Step;
        for (std::size_t i = 0; i < count; ++i, a_values += left_step, a_slopes += Step,
                         b_values += left_step, b_slopes += Step) {
            a.add(a_values, a_slopes);
            b.add(b_values, b_slopes);
        }
    }
};

// Two half tiles are on their way, half a batch apart: while one goes to memory, the other one is
// in the middle of its images. Where a whole tile is stored at once, the multipliers wait for it
// (AVX-512: 120 in place of 133 GFLOP/s, of 140). Images: their number where it is known when this
// is compiled, so that no loop over them is left; otherwise 0.
template <std::size_t Width, std::size_t Images, std::size_t Step, class How, class T>
inline void change_panel(const How& how, T* weights, std::size_t stride, std::size_t rows,
                         const Factors<Step, T>& by, std::size_t images, Ahead<T>& ahead) {
    constexpr std::size_t half = tile_rows / 2;
    const std::size_t all = Images > 0 ? Images : images, early = all / 2, late = all - early,
                      in_tiles = rows / tile_rows * tile_rows;
    const auto at = [=](std::size_t row) { return weights + row * stride; };
    Sums<half, Width, T> a, b;
    for (std::size_t row = 0; row < in_tiles; row += tile_rows) {
        ahead.fetch_some();
        if (row == 0) {
            how.begin(a, weights, stride);
            by.add(early, a, 0, 0);
        }
        how.begin(b, at(row + half), stride);
        by.add(late, a, row, early, b, row + half, 0);
        how.end(a, at(row), stride);
        const std::size_t next = row + tile_rows;
        if (next < in_tiles) {
            how.begin(a, at(next), stride);
            by.add(early, a, next, 0, b, row + half, late);
        } else {
            by.add(early, b, row + half, late);
        }
        how.end(b, at(row + half), stride);
    }
    for (std::size_t row = in_tiles; row < rows; ++row) {
        Sums<1, Width, T> one;
        how.begin(one, at(row), stride);
        by.add(all, one, row, 0);
        how.end(one, at(row), stride);
    }
}

// weights: (rows, columns), of which `mine` are changed by (left, transposed) * right; left:
// (images, rows), one image every left_step; right: (images, columns). next: what is needed after
// this, as many numbers as left has, or nullptr.
template <class T, class How>
inline void change_weights(const How& how, Panels<T>& weights, std::size_t rows, const T* left,
                           std::size_t left_step, const Panels<T>& right, std::size_t images,
                           Columns mine, const T* next = nullptr) {
    constexpr std::size_t usual = 16, whole = Panels<T>::width;
    Ahead<T> ahead(next, next ? images * left_step : 0,
                   rows / tile_rows * ((mine.last - mine.first + whole - 1) / whole) + 1);
    in_tiles<T>(mine, [&](std::size_t column, auto width) {
        T* const from = weights.at(0, column);
        const std::size_t stride = weights.stride(column);
        const auto change = [&](auto step) {
            const Factors<step, T> by{left, left_step, right.at(0, column)};
            if (images == usual)
                change_panel<width, usual>(how, from, stride, rows, by, images, ahead);
            else
                change_panel<width, 0>(how, from, stride, rows, by, images, ahead);
        };
        if (right.stride(column) == whole)
            change(std::integral_constant<std::size_t, whole>());
        else if constexpr (width == 1)
            change(std::integral_constant<std::size_t,
                                          unit<T>>());  // the last panel, if it is not a whole one
    });
}

}  // namespace lanes::fused
