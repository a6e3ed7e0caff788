#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/ops/sobel.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;

struct Case {
    std::string words;
    Matrix filter;
    bool is_separable;
};

Matrix product(const Matrix& column, const Matrix& row) {
    auto result = Matrix::from_shape({column.shape(0), row.shape(1)});
    for (std::size_t i = 0; i < result.shape(0); ++i)
        for (std::size_t j = 0; j < result.shape(1); ++j) result(i, j) = column(i, 0) * row(0, j);
    return result;
}

Matrix random(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    Matrix values(std::array<std::size_t, 2>{rows, columns});
    Rng(77).split(seed).fill_uniform(values.data(), values.size(), -2, 2);
    return values;
}

std::vector<Case> cases() {
    Matrix almost = product(random(5, 1, 1), random(1, 3, 2));
    almost(4, 2) += 0.5F;
    Matrix first_rows_alike = product(random(3, 1, 3), random(1, 5, 4));
    first_rows_alike(2, 0) += 1;
    return {
        {"a mean of 5x5", blur_5x5(), true},
        {"Sobel's filter of 5x3, with zeros in the middle column", sobel_5x3(), true},
        {"a filter whose first row and first column are 0",
         {{0, 0, 0, 0, 0}, {0, 0, 0, 2, 4}, {0, 0, 0, 1, 2}},
         true},
        {"a filter whose first coefficient is 0", {{0, 1, 2}, {0, 3, 6}, {0, -1, -2}}, true},
        {"the sharpening filter", sharpen_3x3(), false},
        {"the identity of 3x3", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, false},
        {"a product of random numbers, 7x3", product(random(7, 1, 5), random(1, 3, 6)), true},
        {"a product of thirds, which are rounded",
         product(Matrix{{1.0F / 3}, {2.0F / 3}, {1.0F / 7}}, Matrix{{0.1F, 0.7F, 1.0F / 9}}), true},
        {"the same with one coefficient changed in the last row", almost, false},
        {"the same with one coefficient changed in the first column", first_rows_alike, false},
        {"a filter of large coefficients", product(random(3, 1, 7) * 1000, random(1, 3, 8) * 1000),
         true},
        {"a row of 1x5", random(1, 5, 9), true},
        {"one coefficient", {{3}}, true},
        {"zeros", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, true},
        {"Gauss's filter, very small coefficients",
         product(Matrix{{1e-4F}, {2e-4F}, {1e-4F}}, Matrix{{1e-4F, 2e-4F, 1e-4F}}), true},
        {"very small coefficients that are no product",
         {{1e-8F, 2e-8F, 1e-8F}, {2e-8F, 1e-8F, 2e-8F}, {1e-8F, 2e-8F, 1e-8F}},
         false}};
}

float largest(const Matrix& m) {
    float most = 0;
    for (const float value : m) most = std::max(most, std::fabs(value));
    return most;
}

std::string size(const Matrix& m) {
    return std::to_string(m.shape(0)) + "x" + std::to_string(m.shape(1));
}

void judge_product(Judge& judge, const Matrix& column, const Matrix& row, const Matrix& filter) {
    const bool exchanged = column.shape(0) == 1 && column.shape(1) == filter.shape(1) &&
                           row.shape(1) == 1 && filter.shape(0) != 1;
    judge.require(column.shape(0) == filter.shape(0) && column.shape(1) == 1 && row.shape(0) == 1 &&
                      row.shape(1) == filter.shape(1),
                  "the pair holds " + size(column) + " and " + size(row) + ", expected " +
                      std::to_string(filter.shape(0)) + "x1 and 1x" +
                      std::to_string(filter.shape(1)) + ".",
                  exchanged ? "Column and row are exchanged: the column comes first." : "");
    const Matrix got = product(column, row);
    const float most = largest(filter);
    for (std::size_t i = 0; i < filter.shape(0); ++i)
        for (std::size_t j = 0; j < filter.shape(1); ++j) {
            const float allowed = 1e-4F * most;
            if (std::fabs(got(i, j) - filter(i, j)) <= allowed) continue;
            std::string words =
                "Divide either the column or the row by the coefficient that they "
                "have in common, not none and not both.";
            if (std::isnan(got(i, j)) || std::isinf(got(i, j)))
                words =
                    "A coefficient of 0 was divided by: choose the largest one, which is 0 "
                    "only if all are.";
            judge.fail("column times row is " + to_text(got(i, j)) + " at (" + std::to_string(i) +
                           ", " + std::to_string(j) + "), the filter has " + to_text(filter(i, j)) +
                           ".",
                       words);
        }
}

}  // namespace

Split::Split()
    : Exercise(text_of<Split>(
          "split",
          "Gives a column and a row whose product is the filter, or std::nullopt if there are "
          "none: "
          "filter(i, j) = column(i, 0) * row(0, j),\n"
          "up to rounding, 1e-5 of the largest coefficient.",
          "twelve lines",
          "Look for the coefficient with the largest absolute value, at (p, q). The column is that "
          "of q, the row that of p divided by it. Then compare all products with the filter.")) {}

void Split::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    for (const Case& one : cases()) {
        judge.begin(one.words);
        const ColumnAndRow got = judge.call([&] { return answer(one.filter); });
        if (one.is_separable && !got)
            judge.fail("the answer is std::nullopt, but the filter is separable.",
                       "Compare up to rounding: |column * row - filter| <= 1e-5 of the largest "
                       "coefficient; and start at a coefficient that is not 0.");
        if (!one.is_separable && got)
            judge.fail("the answer is a column and a row, but the filter is not separable.",
                       "Compare every product column(i, 0) * row(0, j) with filter(i, j), relative "
                       "to the largest coefficient.");
        if (got) judge_product(judge, got->first, got->second, one.filter);
    }
    judge.pass();
}

}  // namespace lanes::exercises
