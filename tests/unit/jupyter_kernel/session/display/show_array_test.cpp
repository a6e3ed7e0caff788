// Arrays print through compiled code. The text must be that of xtensor's own printer, which is
// called here by its name, except for blanks at the ends of lines: xtensor 0.24 writes them, as we
// do, and 0.25 does not.
#include "xcpp/xtensor.hpp"

#include "xcpp/detail/text.hpp"

#include <gtest/gtest.h>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xcomplex.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <regex>
#include <sstream>

namespace {

std::string without_blanks_at_line_ends(const std::string& text) {
    return std::regex_replace(text, std::regex(" +\n"), "\n");
}

template <class E>
std::string by_xtensor(const E& expression) {
    std::ostringstream out;
    xt::pretty_print(expression, static_cast<std::ostream&>(out));
    return without_blanks_at_line_ends(out.str());
}

template <class E>
std::string by_us(const E& expression) {
    std::ostringstream out;
    out << expression;
    EXPECT_EQ(out.str(), xcpp::detail::text_of(expression));
    return without_blanks_at_line_ends(out.str());
}

#define EXPECT_SAME(...) EXPECT_EQ(by_us(__VA_ARGS__), by_xtensor(__VA_ARGS__))

TEST(ShowArray, RealNumbers) {
    const xt::xarray<double> a = {{1, 2}, {3, 4}};
    EXPECT_EQ(by_us(a + 1), "{{ 2.,  3.},\n { 4.,  5.}}");
    EXPECT_SAME(a);
    EXPECT_SAME(a / 3);
    EXPECT_SAME(a * -0.25);
    EXPECT_SAME(a * 1e9);
    EXPECT_SAME(a * 1e-9);
    EXPECT_SAME(a * 1e200);
    EXPECT_SAME(a / 0);
    EXPECT_SAME(a - a);
    EXPECT_SAME(xt::xarray<double>{0.001, 1234567.0, -1.5});
    EXPECT_SAME(xt::xarray<double>{1.0, std::nan("")});
    EXPECT_SAME(xt::xtensor<float, 1>{0.1f, 0.2f, 12.345678f});
}

TEST(ShowArray, OtherElements) {
    EXPECT_SAME(xt::xarray<int>{{1, -200}, {30, 4}});
    EXPECT_SAME(xt::xarray<int>{-1, 100});
    EXPECT_SAME(xt::xarray<unsigned char>{1, 200});
    EXPECT_SAME(xt::xarray<long>{0, 0});
    EXPECT_SAME(xt::xarray<bool>{true, false});
    EXPECT_SAME(xt::xarray<bool>{true, true});
    EXPECT_SAME(xt::xarray<std::string>{"a", "long"});
    EXPECT_SAME(xt::xtensor<std::complex<double>, 1>{std::complex<double>(1, 2),
                                                     std::complex<double>(-3.5, -4)});
}

TEST(ShowArray, ShapesAndViews) {
    const xt::xarray<double> a = xt::arange<double>(24).reshape({2, 3, 4});
    EXPECT_SAME(a);
    EXPECT_SAME(xt::view(a, 1));
    EXPECT_SAME(xt::view(a, xt::all(), 1, xt::range(0, 2)));
    EXPECT_SAME(xt::sum(a));
    EXPECT_SAME(xt::sum(a, {0}));
    EXPECT_SAME(xt::transpose(a));
    EXPECT_SAME(xt::xarray<double>::from_shape({0, 3}));
    EXPECT_SAME(xt::ones<double>({3, 2}));
    EXPECT_SAME(xt::arange<int>(60));
    EXPECT_SAME(xt::arange<double>(17) * 1000.5);
}

TEST(ShowArray, BigArraysAreSummarised) {
    EXPECT_SAME(xt::arange<double>(5000));
    EXPECT_SAME(xt::xarray<int>(xt::arange<int>(10000).reshape({100, 100})));
    EXPECT_SAME(xt::xarray<float>(xt::ones<float>({20, 20, 20})));
    EXPECT_SAME(xt::xarray<float>(xt::ones<float>({2, 2000})));
}

TEST(ShowArray, TheStreamsOptionsCount) {
    std::ostringstream ours, theirs;
    const xt::xarray<double> a = {1.23456789, 2};
    ours << xt::print_options::precision(2) << a;
    theirs << xt::print_options::precision(2);
    xt::pretty_print(a, static_cast<std::ostream&>(theirs));
    EXPECT_EQ(ours.str(), theirs.str());
    ours.precision(3);
    theirs.precision(3);
    ours << a;
    xt::pretty_print(a, static_cast<std::ostream&>(theirs));
    EXPECT_EQ(ours.str(), theirs.str());
}

}  // namespace
