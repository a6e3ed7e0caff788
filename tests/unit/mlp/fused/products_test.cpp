// The products of the fused step, each against three plain loops.
#include "mlp/fused/backprop_product.hpp"
#include "mlp/fused/input.hpp"
#include "mlp/fused/packed_set.hpp"
#include "mlp/fused/update.hpp"

#include "mlp/random_data.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Matrix;
using lanes::fused::Padded;
using lanes::fused::Panels;
using lanes::fused::Unit;
using lanes::fused::unit;
using lanes_test::random_data;

Padded<float> padded(const Matrix& from) {
    Padded<float> to(from.shape(0), from.shape(1));
    for (std::size_t i = 0; i < from.shape(0); ++i)
        for (std::size_t j = 0; j < from.shape(1); ++j) to.row(i)[j] = from(i, j);
    return to;
}

Panels<float> panels(const Matrix& from) {
    Panels<float> to(from.shape(0), from.shape(1));
    for (std::size_t i = 0; i < from.shape(0); ++i)
        for (std::size_t j = 0; j < from.shape(1); ++j) *to.at(i, j) = from(i, j);
    return to;
}

const std::vector<std::array<std::size_t, 3>> shapes{
    {1, 1, 1}, {3, 5, 7}, {16, 30, 10}, {7, 70, 33}, {33, 19, 130}};

TEST(BackpropProduct, IsErrorsTimesTheTransposedWeights) {
    for (const auto& [images, rows, columns] : shapes) {
        const Matrix errors = random_data(images, columns, 1, 0).x;
        const Matrix weights = random_data(rows, columns, 1, 0, 5).x;
        Matrix found = xt::zeros<float>({images, rows});
        lanes::fused::BackpropProduct<float> product(columns);
        product.product(images, padded(errors), panels(weights), rows, columns,
                        Padded<float>(1, rows).all(),
                        [&, rows = rows](std::size_t image, std::size_t row, Unit<float> sums) {
                            for (std::size_t j = 0; j < unit<float> && row + j < rows; ++j)
                                found(image, row + j) = sums[j];
                        });
        for (std::size_t i = 0; i < images; ++i)
            for (std::size_t row = 0; row < rows; ++row) {
                double expected = 0;
                for (std::size_t j = 0; j < columns; ++j)
                    expected += errors(i, j) * weights(row, j);
                ASSERT_NEAR(found(i, row), expected, 1e-4) << i << ", " << row;
            }
    }
}

TEST(ChangeWeights, SubtractsTheProductOfInputsAndErrors) {
    for (const auto& [images, rows, columns] : shapes) {
        const Matrix inputs = random_data(images, rows, 1, 0).x;
        const Matrix errors = random_data(images, columns, 1, 0, 5).x;
        const Matrix before = random_data(rows, columns, 1, 0, 6).x;
        const float rate = 0.5f;
        Panels<float> subtracted = panels(before), in_place = panels(before);
        const auto all = Padded<float>(1, columns).all();
        change_weights(lanes::fused::Subtracted<float>{rate}, subtracted, rows, inputs.data(), rows,
                       panels(errors), images, all);
        change_weights(lanes::fused::InPlace(), in_place, rows, inputs.data(), rows,
                       panels(Matrix(-rate * errors)), images, all);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t j = 0; j < columns; ++j) {
                double expected = before(row, j);
                for (std::size_t i = 0; i < images; ++i)
                    expected -= rate * inputs(i, row) * errors(i, j);
                ASSERT_NEAR(*subtracted.at(row, j), expected, 1e-4) << row << ", " << j;
                ASSERT_NEAR(*in_place.at(row, j), expected, 1e-4) << row << ", " << j;
            }
    }
}

TEST(Input, ListsHoldEveryPixelThatIsNot0) {
    for (const auto& [images, pixels, classes] : shapes)
        for (const double zeros : {0.0, 0.5, 0.95}) {
            const Matrix x = random_data(images, pixels, classes, zeros).x;
            lanes::fused::Input<float> input(images, pixels);
            input.take_lists(images, [&](std::size_t i) { return &x(i, 0); });
            Matrix found = xt::zeros<float>({images, pixels});
            for (std::size_t first = 0; first < images; first += lanes::fused::group) {
                const auto list = input.list(first / lanes::fused::group);
                for (std::size_t n = 0; n < list.count; ++n)
                    for (std::size_t i = 0; i < lanes::fused::group && first + i < images; ++i)
                        found(first + i, list.places[n]) = list.values[n * lanes::fused::group + i];
            }
            ASSERT_EQ(found, x);
        }
}

TEST(PackedSlice, HoldsEveryPixelThatIsNot0) {
    for (const std::size_t images : {1, 2, 7, 32}) {
        const std::size_t pixels = 1000;  // more than one strip
        const Matrix x = random_data(images, pixels, 1, 0.8).x;
        lanes::fused::PackedSlice<float>::Scratch scratch;
        const lanes::fused::PackedSlice<float> slice(
            images, pixels, [&](std::size_t i) { return &x(i, 0); }, scratch);
        Matrix found = xt::zeros<float>({2 * slice.pairs(), pixels});
        for (std::size_t strip = 0; strip < slice.strips(); ++strip)
            for (std::size_t pair = 0; pair < slice.pairs(); ++pair) {
                const auto list = slice.list(strip, pair);
                for (std::size_t n = 0; n < list.count; ++n) {
                    found(2 * pair, list.places[n]) = list.first[n];
                    found(2 * pair + 1, list.places[n]) = list.second[n];
                }
            }
        for (std::size_t i = 0; i < images; ++i)
            for (std::size_t pixel = 0; pixel < pixels; ++pixel)
                ASSERT_EQ(found(i, pixel), x(i, pixel)) << i << ", " << pixel;
    }
}

}  // namespace
