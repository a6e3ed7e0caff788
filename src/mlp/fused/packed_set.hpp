// A set of images that is evaluated many times, such as the validation set after each epoch. It is
// packed once, without pixels that are 0.
//
// Images are packed in pairs, so that a loaded row of weights serves both. A pair consists of
// images with the same label, because these are black at similar places: of MNIST's pixels 19 % are
// not 0, and 26 % are computed.
//
// The pixels are ordered by strips. A strip is as many rows of the first layer's weights as stay in
// the first-level cache while all images of a slice use them. Image by image, each row would have
// to come from the second-level cache.
#pragma once

#include "lanes/base/workers.hpp"
#include "lanes/data/dataset.hpp"
#include "mlp/fused/loops.hpp"
#include "mlp/fused/team.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace lanes::fused {

template <class T>
std::size_t largest(const T* row, std::size_t count) {
    return static_cast<std::size_t>(std::max_element(row, row + count) - row);
}

constexpr std::size_t slice = 32;  // images whose activations stay in the first-level cache

// Calls what(first, last) for ranges of slices, on several threads. threads: 0 for num_workers().
template <class What>
void on_slices(std::size_t images, int threads, const What& what) {
    const std::size_t slices = (images + slice - 1) / slice;
    const auto parts = static_cast<unsigned>(
        std::clamp<std::size_t>(slices, 1, static_cast<std::size_t>(num_workers(threads))));
    Team(parts).run(
        [&](unsigned thread) { what(slices * thread / parts, slices * (thread + 1) / parts); });
}

#ifdef __AVX512F__
constexpr std::size_t wide_units = 8;  // of two images: 16 sums, one register each
#else
constexpr std::size_t wide_units = 2;  // 16 sums in registers of 16 bytes, four per unit
#endif
// Rows of weights per strip: 56 kB, of which images of one label need about half.
constexpr std::size_t strip = 896 / wide_units;

// The pixels of two images that are not 0 in at least one of them, in ascending order.
template <class T>
struct PairList {
    std::size_t count;
    const std::uint32_t* places;
    const T* first;   // values in the first image
    const T* second;  // values in the second image
};

// The images of a slice, in pairs.
template <class T>
class PackedSlice {
public:
    // Memory for the largest possible slice, reused from slice to slice.
    struct Scratch {
        std::vector<std::uint32_t> places;
        std::vector<T> first, second, black;
    };

    PackedSlice() = default;

    // row(i) gives the pixels of image i.
    template <class RowOf>
    PackedSlice(std::size_t images, std::size_t pixels, const RowOf& row, Scratch& scratch)
        : pairs_((images + 1) / 2), ends_(1) {
        scratch.places.resize(pairs_ * pixels + unit<T>);
        scratch.first.resize(scratch.places.size());
        scratch.second.resize(scratch.places.size());
        scratch.black.resize(pixels);
        std::size_t found = 0;
        for (std::size_t begin = 0; begin < pixels; begin += strip)
            for (std::size_t i = 0; i < images; i += 2) {
                const T* const first = row(i);
                const T* const second = i + 1 < images ? row(i + 1) : scratch.black.data();
                found = take(first, second, begin, std::min(pixels, begin + strip), scratch, found);
                ends_.push_back(found);
            }
        const auto end = static_cast<std::ptrdiff_t>(found);
        places_.assign(scratch.places.begin(), scratch.places.begin() + end);
        values_.reserve(2 * found);
        values_.assign(scratch.first.begin(), scratch.first.begin() + end);
        values_.insert(values_.end(), scratch.second.begin(), scratch.second.begin() + end);
    }

    std::size_t pairs() const { return pairs_; }
    std::size_t strips() const { return pairs_ > 0 ? (ends_.size() - 1) / pairs_ : 0; }

    PairList<T> list(std::size_t number_of_strip, std::size_t pair) const {
        const std::size_t number = number_of_strip * pairs_ + pair, begin = ends_[number];
        return {ends_[number + 1] - begin, places_.data() + begin, values_.data() + begin,
                values_.data() + places_.size() + begin};
    }

private:
    static std::size_t take(const T* first, const T* second, std::size_t begin, std::size_t end,
                            Scratch& scratch, std::size_t found) {
        std::size_t pixel = begin;
#ifdef __AVX512F__
        if constexpr (std::is_same_v<T, float>)
            for (; pixel + unit<T> <= end; pixel += unit<T>) {
                const __m512 a = _mm512_loadu_ps(first + pixel),
                             b = _mm512_loadu_ps(second + pixel), zero = _mm512_setzero_ps();
                const auto lit = static_cast<__mmask16>(_mm512_cmp_ps_mask(a, zero, _CMP_NEQ_UQ) |
                                                        _mm512_cmp_ps_mask(b, zero, _CMP_NEQ_UQ));
                const auto places = _mm512_add_epi32(
                    _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                    _mm512_set1_epi32(static_cast<int>(pixel)));
                // A whole unit is stored, and the next store overwrites its unused end: a masked
                // store would take many times as long.
                _mm512_storeu_si512(&scratch.places[found],
                                    _mm512_maskz_compress_epi32(lit, places));
                _mm512_storeu_ps(&scratch.first[found], _mm512_maskz_compress_ps(lit, a));
                _mm512_storeu_ps(&scratch.second[found], _mm512_maskz_compress_ps(lit, b));
                found += static_cast<std::size_t>(__builtin_popcount(lit));
            }
#endif
        // Each pixel is written, but counted only if it is not 0. A branch would be mispredicted at
        // every edge in the image.
        for (; pixel < end; ++pixel) {
            scratch.places[found] = static_cast<std::uint32_t>(pixel);
            scratch.first[found] = first[pixel];
            scratch.second[found] = second[pixel];
            found += static_cast<std::size_t>((first[pixel] != 0) | (second[pixel] != 0));
        }
        return found;
    }

    std::size_t pairs_ = 0;
    std::vector<std::size_t> ends_;  // of the lists, ordered by strip, then by pair; begins with 0
    std::vector<std::uint32_t> places_;
    std::vector<T> values_;  // of all first images, then of all second ones
};

template <class T>
class PackedSet {
public:
    PackedSet(const BasicDataset<T>& data, int threads)
        : size_(data.size()), slices_((size_ + slice - 1) / slice), labels_(size_) {
        const std::size_t classes = data.y.shape(1), pixels = data.x.shape(1);
        std::vector<std::size_t> order, begins(classes + 1);
        for (std::size_t i = 0; i < size_; ++i)
            ++begins[(labels_[i] = largest(data.y.data() + i * classes, classes)) + 1];
        for (std::size_t label = 0; label < classes; ++label) begins[label + 1] += begins[label];
        order.resize(size_);
        for (std::size_t i = 0; i < size_; ++i) order[begins[labels_[i]]++] = i;
        std::sort(labels_.begin(), labels_.end());
        on_slices(size_, threads, [&](std::size_t first, std::size_t last) {
            typename PackedSlice<T>::Scratch scratch;
            for (std::size_t s = first; s < last; ++s)
                slices_[s] = PackedSlice<T>(
                    images(s), pixels,
                    [&](std::size_t i) { return data.x.data() + order[s * slice + i] * pixels; },
                    scratch);
        });
    }

    std::size_t size() const { return size_; }
    std::size_t slices() const { return slices_.size(); }
    std::size_t images(std::size_t s) const { return std::min(slice, size_ - s * slice); }
    const PackedSlice<T>& packed(std::size_t s) const { return slices_[s]; }
    const std::size_t* labels(std::size_t s) const { return &labels_[s * slice]; }

private:
    std::size_t size_;
    std::vector<PackedSlice<T>> slices_;
    std::vector<std::size_t> labels_;
};

}  // namespace lanes::fused
