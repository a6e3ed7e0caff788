// The update of a layer's weights: weights -= learning_rate * inputs^T * errors. Each weight is
// loaded and stored once for all images of a batch.
//
// It is used for all layers above the first. For the first layer it is used if few pixels are 0, as
// in augmented images, where noise leaves 40 % of the pixels black, at other places in each image.
// Otherwise input.hpp skips the zeros; both add the same products in the same order, so the weights
// are equal bit by bit. Skipping the zeros of each single image was tried: there are fewer
// products, but each needs a load of its own, and it is slower.
#pragma once

#include "mlp/fused/loops.hpp"

namespace lanes::fused {

// Sums for some rows of the weights, Width units of each; in registers during the loop over images.
template <std::size_t Rows, std::size_t Width, class T>
struct Sums {
    Unit<T> of[Rows][Width];

    // Adds one image. values: one input per row; errors: Width units.
    void add(const T* values, const T* errors) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) of[i][j] += values[i] * units(errors)[j];
    }
};

// Two ways from sums to weights. InPlace: the sums start with the weights and replace them.
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

// Subtracted: the sums start at 0, and `scale` times each sum is subtracted from the weight.
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

// Prefetches memory that is needed soon, a part of it at each call: the next batch, which another
// core has written.
template <class T>
class Prefetcher {
public:
    // calls: how often fetch_some will be called.
    Prefetcher(const T* data, std::size_t count, std::size_t calls)
        : next_(data), end_(data + count), step_(round_up(count / calls + 1, unit<T>)) {}

    void fetch_some() {
        const T* const end =
            end_ - next_ > static_cast<std::ptrdiff_t>(step_) ? next_ + step_ : end_;
        for (; next_ < end; next_ += unit<T>) __builtin_prefetch(next_, 0, 2);
    }

private:
    const T* next_;
    const T* end_;
    std::size_t step_;  // numbers per call
};

// The two factors whose product changes the weights of one panel. left: (images, rows of the
// weights), left_step numbers from image to image; right: (images, Step).
template <std::size_t Step, class T>
struct Factors {
    const T* left;
    std::size_t left_step;
    const T* right;

    // Adds `count` images, starting with `image`, to the sums of the rows that start with `row`.
    template <class S>
    void add(std::size_t count, S& sums, std::size_t row, std::size_t image) const {
        const T* values = left + image * left_step + row;
        const T* errors = right + image * Step;
        for (std::size_t i = 0; i < count; ++i, values += left_step, errors += Step)
            sums.add(values, errors);
    }
    // The same for two sums in turns: one image for a, one for b.
    template <class S>
    void add(std::size_t count, S& a, std::size_t a_row, std::size_t a_image, S& b,
             std::size_t b_row, std::size_t b_image) const {
        const T *a_values = left + a_image * left_step + a_row, *a_errors = right + a_image * Step;
        const T *b_values = left + b_image * left_step + b_row, *b_errors = right + b_image * Step;
        for (std::size_t i = 0; i < count; ++i, a_values += left_step, a_errors += Step,
                         b_values += left_step, b_errors += Step) {
            a.add(a_values, a_errors);
            b.add(b_values, b_errors);
        }
    }
};

// Software pipelining: two half tiles, a and b, are computed half a batch apart. While one is
// stored, the other is in the middle of its images. If a whole tile were stored at once, the
// multipliers would have to wait for it (AVX-512: 120 instead of 133 GFLOP/s, of at most 140).
// Images: the number of images if it is known at compile time, so that the loop over them can be
// unrolled; otherwise 0.
template <std::size_t Width, std::size_t Images, std::size_t Step, class How, class T>
inline void change_panel(const How& how, T* weights, std::size_t stride, std::size_t rows,
                         const Factors<Step, T>& by, std::size_t images,
                         Prefetcher<T>& prefetcher) {
    constexpr std::size_t half = tile_rows / 2;
    const std::size_t all = Images > 0 ? Images : images;
    const std::size_t early = all / 2;
    const std::size_t late = all - early;
    const std::size_t in_tiles = rows / tile_rows * tile_rows;
    const auto at = [=](std::size_t row) { return weights + row * stride; };
    Sums<half, Width, T> a, b;
    for (std::size_t row = 0; row < in_tiles; row += tile_rows) {
        prefetcher.fetch_some();
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

// Changes the columns `mine` of weights: (rows, columns) by left^T * right. left: (images, rows),
// left_step numbers from image to image; right: (images, columns). next: data to prefetch, as many
// numbers as left has, or nullptr.
template <class T, class How>
inline void change_weights(const How& how, Panels<T>& weights, std::size_t rows, const T* left,
                           std::size_t left_step, const Panels<T>& right, std::size_t images,
                           Columns mine, const T* next = nullptr) {
    constexpr std::size_t usual = 16;  // images per batch
    constexpr std::size_t whole = Panels<T>::width;
    Prefetcher<T> prefetcher(next, next ? images * left_step : 0,
                             rows / tile_rows * ((mine.last - mine.first + whole - 1) / whole) + 1);
    in_tiles<T>(mine, [&](std::size_t column, auto width) {
        T* const from = weights.at(0, column);
        const std::size_t stride = weights.stride(column);
        const auto change = [&](auto step) {
            const Factors<step, T> by{left, left_step, right.at(0, column)};
            if (images == usual)
                change_panel<width, usual>(how, from, stride, rows, by, images, prefetcher);
            else
                change_panel<width, 0>(how, from, stride, rows, by, images, prefetcher);
        };
        if (right.stride(column) == whole)
            change(std::integral_constant<std::size_t, whole>());
        else if constexpr (width == 1)
            change(std::integral_constant<std::size_t, unit<T>>());  // a last, narrower panel
    });
}

}  // namespace lanes::fused
