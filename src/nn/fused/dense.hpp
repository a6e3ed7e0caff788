// The first layer's update where most pixels are not 0, as in augmented pictures, whose noise leaves two of five black, at other places in each: the pictures
// are read as they lie, and each weight is loaded and stored once for all images of a batch. The same products in the same order as by input.hpp, bit by bit.
// Going through the lit pixels of each picture by itself was tried: fewer products, but each with a load of its own, and slower.
#pragma once

#include "loops.hpp"

namespace lanes::fused {

// Rows pixels, Width units of their weights. pixels: of the first image; slopes: (images, Width units), one image every slope_step.
template <std::size_t Rows, std::size_t Width, class T>
inline void descend_tile(T* weights, std::size_t stride, std::size_t images, const T* pixels, std::size_t pixel_step, const T* slopes, std::size_t slope_step) {
    Unit<T> sums[Rows][Width];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) sums[i][j] = units(weights + i * stride)[j];
    for (std::size_t image = 0; image < images; ++image, pixels += pixel_step, slopes += slope_step) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) sums[i][j] += pixels[i] * units(slopes)[j];
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) units(weights + i * stride)[j] = sums[i][j];
}

// Fetches memory that is needed soon, some of it at each call: another core has written it, and nobody has to wait for it then.
template <class T>
class Ahead {
public:
    Ahead(const T* data, std::size_t count, std::size_t calls) : next_(data), end_(data + count), step_(up_to_units(count / calls + 1, unit<T>)) {}

    void fetch_some() {
        const T* const end = end_ - next_ > static_cast<std::ptrdiff_t>(step_) ? next_ + step_ : end_;
        for (; next_ < end; next_ += unit<T>) __builtin_prefetch(next_, 0, 2);
    }

private:
    const T *next_, *end_;
    std::size_t step_;
};

// weights += (pixels, transposed) * slopes; pictures: (images, pixels), slopes: (images, columns). next: the pictures of the next batch, or nullptr.
template <class T>
inline void descend_dense(Panels<T>& weights, const T* pictures, std::size_t pixels, const Padded<T>& slopes, std::size_t images, Columns mine, const T* next) {
    Ahead<T> ahead(next, next ? images * pixels : 0, pixels / tile_rows * ((mine.last - mine.first + Panels<T>::width - 1) / Panels<T>::width) + 1);
    in_tiles<T>(mine, [&](std::size_t column, auto width) {
        const std::size_t stride = weights.stride(column);
        const auto tile = [&](std::size_t pixel, auto rows) {
            ahead.fetch_some();
            descend_tile<rows, width>(weights.at(pixel, column), stride, images, pictures + pixel, pixels, slopes.at(0, column), slopes.stride());
        };
        std::size_t pixel = 0;
        for (; pixel + tile_rows <= pixels; pixel += tile_rows) tile(pixel, std::integral_constant<std::size_t, tile_rows>());
        for (; pixel < pixels; ++pixel) tile(pixel, std::integral_constant<std::size_t, 1>());
    });
}

}  // namespace lanes::fused
