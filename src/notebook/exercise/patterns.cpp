// What a difference between two arrays looks like.
#include "values.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::notebook {

namespace {

bool close(double a, double b, double absolute, double relative) {
    const double largest = std::max(std::fabs(a), std::fabs(b));
    if (std::isinf(largest)) return a == b;  // the difference of the others is no measure
    return std::fabs(a - b) <= absolute + relative * largest;
}

bool same(double a, double b) { return close(a, b, 1e-6, 1e-5); }

// Whether the elements that `meant` names differ, most of them, and no others do.
template <class Meant>
bool only(const Values& got, const Values& expected, Meant meant) {
    std::size_t wrong = 0, all = 0;
    for (std::size_t i = 0; i < got.rows(); ++i)
        for (std::size_t j = 0; j < got.columns(); ++j) {
            const bool right = same(got.at(i, j), expected.at(i, j)), is_meant = meant(i, j);
            if (!right && !is_meant) return false;
            wrong += right ? 0 : 1;
            all += is_meant ? 1 : 0;
        }
    return wrong > 0 && 3 * wrong > 2 * all;  // some may be right by chance
}

std::string of_shapes(const Values& got, const Values& expected) {
    const std::vector<std::size_t> turned(expected.shape.rbegin(), expected.shape.rend());
    if (expected.shape.size() == 2 && got.shape == turned) return "Rows and columns are swapped.";
    if (got.numbers.size() == expected.numbers.size())
        return "There are as many elements as expected, in another shape.";
    if (got.numbers.empty()) return "The array is empty: was it given a shape?";
    return "";
}

std::string of_factor(const Values& got, const Values& expected) {
    double factor = 0;
    for (std::size_t i = 0; i < got.numbers.size(); ++i) {
        if (std::fabs(expected.numbers[i]) < 1e-3) continue;
        const double ratio = got.numbers[i] / expected.numbers[i];
        if (factor != 0 && !close(ratio, factor, 0, 1e-3)) return "";
        factor = ratio;
    }
    if (factor == 0 || got.numbers.size() < 3 || close(factor, 1, 0, 1e-3)) return "";
    if (close(factor, -1, 0, 1e-3)) return "Every sign is wrong.";
    return "Every element is " + to_text(static_cast<float>(std::round(factor * 1000) / 1000)) +
           " times the expected one.";
}

}  // namespace

Values each(const Values& x, const std::function<double(double)>& f) {
    Values result = x;
    for (double& number : result.numbers) number = f(number);
    return result;
}

bool are_close(const Values& a, const Values& b, double absolute, double relative) {
    return a.shape == b.shape && std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(),
                                            [&](double left, double right) {
                                                return close(left, right, absolute, relative);
                                            });
}

std::string recognise(const Values& got, const Values& expected) {
    if (got.shape != expected.shape) return of_shapes(got, expected);
    if (got.shape.empty() || got.shape.size() > 2 || got.numbers.empty()) return "";
    const auto& a = got.numbers;
    const auto& b = expected.numbers;
    const bool finite = std::all_of(b.begin(), b.end(), [](double x) { return std::isfinite(x); });
    if (finite && std::any_of(a.begin(), a.end(), [](double x) { return std::isnan(x); }))
        return "nan comes from a variable that was never set, such as a sum without = 0, from "
               "memory that nothing was written to, or from 0 / 0, inf - inf, inf / inf or the "
               "root of a negative number.";
    const bool fractions =
        std::any_of(b.begin(), b.end(), [](double x) { return x != std::trunc(x); });
    if (std::all_of(a.begin(), a.end(), [](double x) { return x == 0; }))
        return std::string("All elements are 0: is the result written anywhere?") +
               (fractions ? " Or are fractions cut off, as in 1 / 2?" : "");
    const auto size = [](double x, double y) { return std::fabs(x) < std::fabs(y); };
    const double largest = std::fabs(*std::max_element(b.begin(), b.end(), size));
    if (std::any_of(a.begin(), a.end(),
                    [&](double x) { return std::fabs(x) > 1e9 * (1 + largest); }))
        return "A number as far from all others comes from memory that nothing was written to.";
    bool truncated = fractions;
    for (std::size_t i = 0; truncated && i < a.size(); ++i)
        truncated = a[i] == std::trunc(b[i]) || a[i] == std::round(b[i]);
    if (truncated)
        return "Fractions are cut off: a value passes through an int. 1 / 2 is 0 in C++, 1.0f / 2 "
               "is 0.5.";
    if (std::all_of(a.begin(), a.end(), [&](double x) { return x == a[0]; }) && a.size() > 1)
        return "All elements are equal: is the index used?";
    if (const std::string factor = of_factor(got, expected); !factor.empty()) return factor;
    if (got.shape.size() == 1) return "";

    const std::size_t rows = got.rows(), columns = got.columns();
    if (rows == columns && rows > 1) {
        const auto turned = [&] {
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < rows; ++j)
                    if (!same(got.at(i, j), expected.at(j, i))) return false;
            return true;
        };
        if (turned()) return "The result is transposed: row and column index are swapped.";
        if (only(got, expected, [](auto i, auto j) { return i > j; }))
            return "Only the upper half and the diagonal are right: the lower half is missing.";
        if (only(got, expected, [](auto i, auto j) { return i < j; }))
            return "Only the lower half and the diagonal are right: the upper half is missing.";
        if (only(got, expected, [](auto i, auto j) { return i == j; }))
            return "Only the diagonal is wrong.";
    }
    if (rows > 1 && only(got, expected, [&](auto i, auto) { return i + 1 == rows; }))
        return "Only the last row is wrong: does the loop reach it?";
    if (columns > 1 && only(got, expected, [&](auto, auto j) { return j + 1 == columns; }))
        return "Only the last column is wrong: does the loop reach it?";
    if (rows > 1 && only(got, expected, [](auto i, auto) { return i > 0; }))
        return "Only the first row is right: is the row's index used?";
    if (columns > 1 && only(got, expected, [](auto, auto j) { return j > 0; }))
        return "Only the first column is right: is the column's index used?";
    return "";
}

std::string picture(const Values& got, const Values& expected, const std::vector<bool>& differs) {
    if (got.shape.size() != 2 || got.shape != expected.shape) return "";
    const std::size_t rows = got.rows(), columns = got.columns();
    const auto wrong = static_cast<std::size_t>(std::count(differs.begin(), differs.end(), true));
    if (rows < 2 || columns < 2 || wrong < 2 || wrong == differs.size()) return "";
    constexpr std::size_t most_rows = 8, most_columns = 24;
    const std::size_t height = std::min(rows, most_rows), width = std::min(columns, most_columns);
    std::string text =
        "x marks what differs" +
        std::string(rows > height || columns > width ? ", the matrix made smaller:" : ":");
    for (std::size_t y = 0; y < height; ++y) {
        text += "\n  ";
        for (std::size_t x = 0; x < width; ++x) {
            bool any = false;
            for (std::size_t i = y * rows / height; i < (y + 1) * rows / height; ++i)
                for (std::size_t j = x * columns / width; j < (x + 1) * columns / width; ++j)
                    any = any || differs[i * columns + j];
            text += any ? " x" : " .";
        }
    }
    return text;
}

}  // namespace lanes::notebook
