// Counts the images of a packed set that a network classifies correctly. It holds a copy of the
// weights. It adds the same products in the same order as Trainer::predict, so both agree on every
// image.
#pragma once

#include "lanes/mlp/functions.hpp"
#include "mlp/fused/packed_set.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lanes::fused {

// Adds the products of a pair's pixels in one strip to the sums of its two images: Width units,
// starting with `column`.
template <std::size_t Width, class T>
inline void add_pair(const PairList<T>& list, const Padded<T>& weights, std::size_t column,
                     T* first, T* second) {
    Unit<T> sums[2][Width];
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < Width; ++j) {
        sums[0][j] = units(first + column)[j];
        sums[1][j] = units(second + column)[j];
    }
    for (std::size_t n = 0; n < list.count; ++n) {
        const Unit<T>* const right = units(weights.at(list.places[n], column));
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) {
            sums[0][j] += list.first[n] * right[j];
            sums[1][j] += list.second[n] * right[j];
        }
    }
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < Width; ++j) {
        units(first + column)[j] = sums[0][j];
        units(second + column)[j] = sums[1][j];
    }
}

template <class T>
class Evaluator {
public:
    Evaluator(const Sizes& sizes, const Weights<T>& weights, const Biases<T>& biases)
        : sizes_(sizes) {
        for (std::size_t layer = 0; layer + 1 < sizes.size(); ++layer) {
            const std::size_t rows = sizes[layer], columns = sizes[layer + 1];
            weights_.emplace_back(rows, columns);
            biases_.emplace_back(1, columns);
            for (std::size_t i = 0; i < rows; ++i)
                std::copy_n(weights[layer].data() + i * columns, columns, weights_[layer].row(i));
            std::copy(biases[layer].begin(), biases[layer].end(), biases_[layer].row(0));
        }
    }

    // How many images of slice s have their largest output at the place of their label.
    // activations: memory for the calling thread, from make_activations().
    std::size_t count_correct(const PackedSet<T>& set, std::size_t s,
                              std::vector<Padded<T>>& activations) const {
        const std::size_t images = set.images(s), last = weights_.size() - 1;
        first_layer(set.packed(s), activations[0]);
        for (std::size_t layer = 1; layer <= last; ++layer) {
            const Padded<T>& below = activations[layer - 1];
            product(images, sizes_[layer], Rows<T>{below.row(0), below.stride()}, weights_[layer],
                    weights_[layer].all(), [&](std::size_t row, std::size_t column, Unit<T> sums) {
                        T* const a = activations[layer].row(row) + column;
                        *units(a) = activation(layer, column, sums);
                    });
        }
        std::size_t right = 0;
        for (std::size_t i = 0; i < images; ++i)
            right += largest(activations[last].row(i), sizes_.back()) == set.labels(s)[i] ? 1 : 0;
        return right;
    }

    std::vector<Padded<T>> make_activations() const {
        std::vector<Padded<T>> activations;
        for (std::size_t layer = 1; layer < sizes_.size(); ++layer)
            activations.emplace_back(slice, sizes_[layer]);
        return activations;
    }

private:
    Unit<T> activation(std::size_t layer, std::size_t column, Unit<T> sums) const {
        return detail::sigmoid_and_prime<T, Unit<T>>(sums + *units(biases_[layer].row(0) + column))
            .value;
    }

    template <std::size_t Width>
    void add_slice(const PackedSlice<T>& images, std::size_t column, Padded<T>& sums) const {
        for (std::size_t s = 0, strips = images.strips(); s < strips; ++s)
            for (std::size_t pair = 0; pair < images.pairs(); ++pair)
                add_pair<Width>(images.list(s, pair), weights_[0], column, sums.row(2 * pair),
                                sums.row(2 * pair + 1));
    }

    void first_layer(const PackedSlice<T>& images, Padded<T>& sums) const {
        const std::size_t columns = sums.stride(), rows = 2 * images.pairs();
        std::fill(sums.row(0), sums.row(0) + rows * columns, T{0});
        std::size_t column = 0;
        for (; column + wide_units * unit<T> <= columns; column += wide_units * unit<T>)
            add_slice<wide_units>(images, column, sums);
        for (; column < columns; column += unit<T>) add_slice<1>(images, column, sums);
        for (std::size_t i = 0; i < rows; ++i)
            for (column = 0; column < columns; column += unit<T>) {
                Unit<T>* const a = units(sums.row(i) + column);
                *a = activation(0, column, *a);
            }
    }

    Sizes sizes_;
    std::vector<Padded<T>> weights_;  // [layer]: (sizes[layer], sizes[layer + 1])
    std::vector<Padded<T>> biases_;   // [layer]: (1, sizes[layer + 1])
};

}  // namespace lanes::fused
