// The pictures of one batch as the first layer wants them: in groups of a few images, pixel by
// pixel the values of a group's images side by side. Most of a picture is 0 (MNIST: 81 %), and a
// pixel that is 0 in a whole group is left out (MNIST: half of them). Looking at groups and not at
// single images, a row of weights that was loaded serves several images; that is worth more than
// the zeros that come with it. Pictures with few zeros are left as they are.
#pragma once

#include "loops.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lanes::fused {

constexpr std::size_t group = tile_rows;  // images

// a0 b0 a1 b1 … of the first or the second halves of a and b
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

// A unit of pixels of each of some images -> so many images for each pixel, in the same memory.
// Each round moves one bit of the image's number from the front of an element's address to its end.
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

// Pixels of a group, in ascending order.
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
          places_((ends_.size() - 1) * up_to_units(pixels, unit<T>)),
          values_(places_.size() * group),
          black_(pixels) {}

    // row(i) gives the pixels of image i, which stay where they are until the next ones are taken.
    template <class RowOf>
    void take(std::size_t images, const RowOf& row) {
        rows_ = images > 0 && has_few_zeros(row(0)) ? in_one_piece(images, row) : nullptr;
        if (!rows_) take_lists(images, row);
    }

    // The same, and lists in any case.
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

    // All pictures, (images, pixels), where few pixels are 0; nullptr where there are lists.
    const T* rows() const { return rows_; }

    List<T> list(std::size_t number) const {
        const std::size_t begin = ends_[number];
        return {ends_[number + 1] - begin, places_.data() + begin, values_.data() + begin * group};
    }

private:
    using Bits = Unit<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

    // One picture speaks for all. Either way of computing gives the same sums.
    bool has_few_zeros(const T* picture) const {
        std::size_t lit = 0;
        for (std::size_t pixel = 0; pixel < pixels_; ++pixel) lit += picture[pixel] != 0;
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
            const auto lit =
                bits !=
                Bits{};  // for each pixel: is it not 0 in one of the images? All bits or none.
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
            // each pixel is written and only counted if it is lit: a branch would be guessed wrong
            // at every border in a picture
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
    std::vector<std::size_t>
        ends_;  // of the lists, the first of which begins at 0: one behind the other
    std::vector<std::uint32_t> places_;
    std::vector<T> values_, black_;
    const T* rows_ = nullptr;
};

// Width units of the first layer's sums, for the images of a group; they go to finish(image, first
// column, sums).
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

// weights -= scale * (the pixels of a group's images, transposed) * (their errors), Width units
template <std::size_t Width, class T>
inline void descend_by_group(Panels<T>& weights, const Input<T>& input, std::size_t first,
                             std::size_t images, const Padded<T>& errors, std::size_t column,
                             T scale) {
    Unit<T> slopes[group][Width];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < group; ++i)
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j)
            slopes[i][j] =
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
            for (std::size_t j = 0; j < Width; ++j) sums[j] += left[i] * slopes[i][j];
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) to[j] = sums[j];
    }
}

}  // namespace lanes::fused
