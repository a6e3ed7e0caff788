// The images of one batch, arranged for the first layer: in groups of a few images, and for each
// pixel the values of all images of the group next to each other. Most pixels are 0 (MNIST: 81 %),
// and a pixel that is 0 in the whole group is left out (MNIST: half of them). Groups contain some
// zeros that single images would not, but a loaded row of weights serves several images, which is
// worth more. Images with few zeros are used as they are.
#pragma once

#include "mlp/fused/loops.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lanes::fused {

constexpr std::size_t group = tile_rows;  // images

// a0 b0 a1 b1 …, of the first halves of a and b, or of the second halves
inline Unit<float> zip_first(Unit<float> a, Unit<float> b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline Unit<float> zip_second(Unit<float> a, Unit<float> b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
}
inline Unit<double> zip_first(Unit<double> a, Unit<double> b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
inline Unit<double> zip_second(Unit<double> a, Unit<double> b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// In place: one unit of pixels per image -> the values of all images per pixel. Each round moves
// one bit of the image's number from the front of an element's index to its end.
template <class T, std::size_t Images>
inline void transpose(Unit<T> (&block)[Images]) {
#pragma clang loop unroll(full)
    for (std::size_t round = 1; round < Images; round *= 2) {
        Unit<T> before[Images];
        for (std::size_t i = 0; i < Images; ++i) before[i] = block[i];
        for (std::size_t i = 0; i < Images / 2; ++i) {
            block[2 * i] = zip_first(before[i], before[i + Images / 2]);
            block[2 * i + 1] = zip_second(before[i], before[i + Images / 2]);
        }
    }
}

// The pixels of a group that are not 0 in all of its images, in ascending order.
template <class T>
struct List {
    std::size_t count;
    const std::uint32_t* places;
    const T* values;  // (count, group)
};

template <class T>
class Input {
public:
    Input() = default;
    Input(std::size_t images, std::size_t pixels)
        : pixels_(pixels),
          ends_((images + group - 1) / group + 1),
          places_((ends_.size() - 1) * round_up(pixels, unit<T>)),
          values_(places_.size() * group),
          black_(pixels) {}

    // row(i) returns the pixels of image i. They must stay valid until the next call.
    template <class RowOf>
    void take(std::size_t images, const RowOf& row) {
        rows_ = images > 0 && has_few_zeros(row(0)) ? in_one_piece(images, row) : nullptr;
        if (!rows_) take_lists(images, row);
    }

    // The same, but always makes lists.
    template <class RowOf>
    void take_lists(std::size_t images, const RowOf& row) {
        rows_ = nullptr;
        for (std::size_t first = 0; first < images; first += group) {
            std::array<const T*, group> rows{};
            for (std::size_t i = 0; i < group; ++i)
                rows[i] = first + i < images ? row(first + i) : black_.data();
            take_group(first / group, rows);
        }
        for (std::size_t number = (images + group - 1) / group; number + 1 < ends_.size(); ++number)
            ends_[number + 1] = ends_[number];
    }

    // All images, (images, pixels), if few pixels are 0; nullptr if there are lists.
    const T* rows() const { return rows_; }

    List<T> list(std::size_t number) const {
        const std::size_t begin = ends_[number];
        return {ends_[number + 1] - begin, places_.data() + begin, values_.data() + begin * group};
    }

private:
    using Bits = Unit<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

    // One image decides for the batch. Both ways of computing give the same sums.
    bool has_few_zeros(const T* image) const {
        std::size_t lit = 0;
        for (std::size_t pixel = 0; pixel < pixels_; ++pixel) lit += image[pixel] != 0;
        return 5 * lit > 2 * pixels_;
    }

    template <class RowOf>
    const T* in_one_piece(std::size_t images, const RowOf& row) {
        const T* const first = row(0);
        bool together = true;
        for (std::size_t i = 1; i < images; ++i)
            together = together && row(i) == first + i * pixels_;
        if (together) return first;
        for (std::size_t i = 0; i < images; ++i)
            std::memcpy(&values_[i * pixels_], row(i), pixels_ * sizeof(T));
        return values_.data();
    }

    void take_group(std::size_t number, const std::array<const T*, group>& rows) {
        std::uint32_t* const places = places_.data() + ends_[number];
        T* const values = values_.data() + ends_[number] * group;
        std::size_t found = 0;
        for (std::size_t pixel = 0; pixel < pixels_; pixel += unit<T>) {
            const std::size_t width = pixel + unit<T> <= pixels_ ? unit<T> : pixels_ - pixel;
            Unit<T> block[group] = {};
            if (width == unit<T>)
                for (std::size_t i = 0; i < group; ++i)
                    std::memcpy(&block[i], rows[i] + pixel, sizeof(Unit<T>));
            else
                for (std::size_t i = 0; i < group; ++i)
                    std::memcpy(&block[i], rows[i] + pixel, width * sizeof(T));
            Bits bits = {};
            for (std::size_t i = 0; i < group; ++i) bits |= reinterpret_cast<const Bits&>(block[i]);
            // For each pixel all bits are set if it is not 0 in one of the images, otherwise none.
            const auto lit = bits != Bits{};
            std::array<std::uint64_t, sizeof lit / sizeof(std::uint64_t)> words;
            std::memcpy(words.data(), &lit, sizeof lit);
            std::uint64_t any = 0, all = ~std::uint64_t{0};
            for (const std::uint64_t word : words) any |= word, all &= word;
            if (any == 0) continue;
            transpose<T>(block);
            if (all == ~std::uint64_t{0}) {
                for (std::size_t k = 0; k < unit<T>; ++k)
                    places[found + k] = static_cast<std::uint32_t>(pixel + k);
                std::memcpy(values + found * group, block, sizeof block);
                found += unit<T>;
                continue;
            }
            // Each pixel is written, but counted only if it is not 0. A branch would be
            // mispredicted at every edge in the image.
#pragma clang loop unroll(full)
            for (std::size_t k = 0; k < unit<T>; ++k) {
                places[found] = static_cast<std::uint32_t>(pixel + k);
                std::memcpy(values + found * group, reinterpret_cast<const T*>(block) + k * group,
                            group * sizeof(T));
                found += lit[k] != 0;
            }
        }
        ends_[number + 1] = ends_[number] + found;
    }

    std::size_t pixels_ = 0;
    std::vector<std::size_t> ends_;  // of the lists, one after the other; begins with 0
    std::vector<std::uint32_t> places_;
    std::vector<T> values_;
    std::vector<T> black_;  // the pixels of an image that is not there
    const T* rows_ = nullptr;
};

// Computes Width units of the first layer's sums for the images of a group, and passes them to
// finish(image, first column, sums).
template <std::size_t Width, class T, class Finish>
inline void sums_of_group(const Input<T>& input, std::size_t first, std::size_t images,
                          const Panels<T>& weights, std::size_t column, const Finish& finish) {
    Unit<T> sums[group][Width] = {};
    const T* const from = weights.at(0, column);
    const std::size_t stride = weights.stride(column);
    const List<T> list = input.list(first / group);
    const T* left = list.values;
    for (std::size_t n = 0; n < list.count; ++n, left += group) {
        const Unit<T>* const right = units(from + list.places[n] * stride);
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < group; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) sums[i][j] += left[i] * right[j];
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < group; ++i)
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j)
            if (first + i < images) finish(first + i, column + j * unit<T>, sums[i][j]);
}

// weights -= scale * pixels^T * errors, for the images of a group and Width units of columns
template <std::size_t Width, class T>
inline void descend_by_group(Panels<T>& weights, const Input<T>& input, std::size_t first,
                             std::size_t images, const Padded<T>& errors, std::size_t column,
                             T scale) {
    Unit<T> scaled_errors[group][Width];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < group; ++i)
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j)
            scaled_errors[i][j] =
                first + i < images ? -scale * units(errors.row(first + i) + column)[j] : Unit<T>{};
    T* const from = weights.at(0, column);
    const std::size_t stride = weights.stride(column);
    const List<T> list = input.list(first / group);
    const T* left = list.values;
    for (std::size_t n = 0; n < list.count; ++n, left += group) {
        Unit<T>* const to = units(from + list.places[n] * stride);
        Unit<T> sums[Width];
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) sums[j] = to[j];
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < group; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) sums[j] += left[i] * scaled_errors[i][j];
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) to[j] = sums[j];
    }
}

}  // namespace lanes::fused
