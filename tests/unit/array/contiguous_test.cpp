#include "lanes/array/contiguous.hpp"

#include "lanes/array/types.hpp"

#include <gtest/gtest.h>

#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <vector>

namespace lanes {
namespace {

template <class C>
std::vector<double> elements(const C& values) {
    const Contiguous found(values);
    return {found.data(), found.data() + found.size()};
}

using Doubles = std::vector<double>;

const Matrix matrix{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};

TEST(ContiguousElements, OfWhatLiesInOrderAreNotCopied) {
    EXPECT_EQ(Contiguous(matrix).data(), matrix.data());
    EXPECT_EQ(Contiguous(xt::view(matrix, xt::range(1, 3), xt::all())).data(), matrix.data() + 3);
    EXPECT_EQ(Contiguous(xt::view(matrix, 2, xt::range(1, 3))).data(), matrix.data() + 7);
    const std::vector<float> values{1, 2};
    EXPECT_EQ(Contiguous(values).data(), values.data());
    const std::array<int, 2> two{1, 2};
    EXPECT_EQ(Contiguous(two).data(), two.data());
    const xt::xtensor_fixed<float, xt::xshape<2, 2>> fixed{{1, 2}, {3, 4}};
    EXPECT_EQ(Contiguous(fixed).data(), fixed.data());
}

TEST(ContiguousElements, ComeRowsFirst) {
    using xt::all;
    using xt::range;
    EXPECT_EQ(elements(xt::view(matrix, all(), 1)), (Doubles{2, 5, 8}));
    EXPECT_EQ(elements(xt::view(matrix, all(), range(0, 2))), (Doubles{1, 2, 4, 5, 7, 8}));
    EXPECT_EQ(elements(xt::view(matrix, range(0, 3, 2), 0)), (Doubles{1, 7}));
    EXPECT_EQ(elements(xt::view(matrix, xt::keep(2, 0), 0)), (Doubles{7, 1}));
    EXPECT_EQ(elements(xt::flip(matrix, 0)), (Doubles{7, 8, 9, 4, 5, 6, 1, 2, 3}));
    EXPECT_EQ(elements(xt::transpose(matrix)), (Doubles{1, 4, 7, 2, 5, 8, 3, 6, 9}));
    EXPECT_EQ(elements(xt::strided_view(matrix, {all(), 2})), (Doubles{3, 6, 9}));
    const xt::xarray<float, xt::layout_type::column_major> columns = matrix;
    EXPECT_EQ(elements(columns), (Doubles{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(ContiguousElements, OfExpressionsAreComputed) {
    EXPECT_EQ(elements(xt::sum(matrix, {0})), (Doubles{12, 15, 18}));
    EXPECT_EQ(elements(xt::view(matrix, 0, xt::all()) * 2.0f), (Doubles{2, 4, 6}));
    EXPECT_EQ(elements(xt::arange<float>(0, 3)), (Doubles{0, 1, 2}));
    EXPECT_EQ(elements(xt::broadcast(matrix(1, 0), {2})), (Doubles{4, 4}));
    EXPECT_EQ(elements(xt::view(matrix, 0, xt::all()) > 1.0f), (Doubles{0, 1, 1}));
    EXPECT_TRUE(elements(xt::view(matrix, xt::range(1, 1), xt::all())).empty());
}

TEST(WriteRowMajor, ReachesViewsAndColumns) {
    const auto count_up = [](std::size_t count) {
        return [=](float* to) {
            for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(i);
        };
    };
    Matrix changed = matrix;
    auto column = xt::view(changed, xt::all(), 1);
    write_row_major(column, count_up(3));
    EXPECT_EQ(changed, (Matrix{{1, 0, 3}, {4, 1, 6}, {7, 2, 9}}));
    write_row_major(changed, count_up(9));
    EXPECT_EQ(changed, (Matrix{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}));
    xt::xtensor<float, 2, xt::layout_type::column_major> columns = matrix;
    write_row_major(columns, count_up(9));
    EXPECT_EQ(columns(0, 1), 1);
    EXPECT_EQ(columns(2, 0), 6);
}

}  // namespace
}  // namespace lanes
