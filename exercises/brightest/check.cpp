#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/lesson/start.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace lanes::exercises {

namespace {

using notebook::Judge;
using Rows = std::vector<std::size_t>;

struct BrightestCase {
    std::string name;
    Dataset set;
    std::size_t k;
};

std::string words(const BrightestCase& one) { return one.name; }

// Pixels are multiples of 1/256, so sums are exact in any order and type. Image `same` is a copy
// of image 0: a tie.
Dataset images(std::size_t count, std::size_t pixels, std::size_t same = 0) {
    Dataset set{Matrix(std::array<std::size_t, 2>{count, pixels}),
                xt::zeros<float>({count, std::size_t{10}})};
    Rng rng(count);
    for (float& pixel : set.x) pixel = static_cast<float>(rng.integer(0, 255)) / 256;
    for (std::size_t i = 0; i < count; ++i) set.y(i, (7 * i + 1) % 10) = 1;
    if (count != 0) set.x(count - 1, 0) = 1;  // the brightest pixel is not in the brightest image
    for (std::size_t j = 0; count != 0 && j < pixels; ++j) set.x(same, j) = set.x(0, j);
    return set;
}

std::string text_of(const Rows& rows) {
    std::string text = "{";
    for (const std::size_t row : rows) text += (text == "{" ? "" : ", ") + std::to_string(row);
    return text + "}";
}

std::vector<float> by_row(const Dataset& set, const std::function<float(const float*)>& f) {
    std::vector<float> values;
    for (std::size_t i = 0; i < set.size(); ++i)
        values.push_back(f(set.x.data() + i * set.x.shape(1)));
    return values;
}

Rows ordered(const std::vector<float>& values, std::size_t k, bool falling) {
    Rows rows(values.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return falling ? values[a] > values[b] : values[a] < values[b];
    });
    rows.resize(std::min(k, rows.size()));
    return rows;
}

// A sentence about rows that are not the right ones, if they show a known mistake.
std::string mistake(const BrightestCase& one, const Rows& got, const Rows& right) {
    const std::size_t pixels = one.set.x.shape(1);
    const auto sums = by_row(one.set, [&](const float* row) {
        float sum = 0;
        for (std::size_t j = 0; j < pixels; ++j) sum += row[j];
        return sum;
    });
    const auto peaks =
        by_row(one.set, [&](const float* row) { return *std::max_element(row, row + pixels); });
    Rows sorted = got, expected = right;
    std::sort(sorted.begin(), sorted.end());
    std::sort(expected.begin(), expected.end());
    if (got == ordered(sums, one.k, false))
        return "These are the darkest images: turn the comparison around.";
    if (got == Rows(right.rbegin(), right.rend()) && right.size() > 1)
        return "The brightest image comes first: reverse the order.";
    if (got == ordered(peaks, one.k, true))
        return "These are the images with the brightest single pixel: compare the means.";
    if (sorted == expected && got.size() > 1) {
        for (std::size_t i = 0; i < got.size(); ++i)
            if (sums[got[i]] != sums[right[i]])
                return "These are the right images in another order: the brightest comes first.";
        return "Of images that are equally bright the one with the smaller row comes first: "
               "std::stable_sort keeps their order.";
    }
    for (std::size_t i = 0; i < std::min(got.size(), right.size()); ++i)
        if (sums[got[i]] != sums[right[i]]) return "";
    return got.size() == right.size()
               ? "Of images that are equally bright the one with the smaller row comes first: "
                 "std::stable_sort keeps their order."
               : "";
}

}  // namespace

Brightest::Brightest()
    : Exercise(text_of<Brightest>(
          "brightest",
          "Gives the rows of the k brightest images of set.x, by the mean of their pixels; the "
          "brightest first.\n"
          "If two are equally bright, the smaller row comes first. If there are fewer than k "
          "images, it gives all of them.",
          "seven lines",
          "First the brightness of each row, in a vector. Then a vector of the rows 0, 1, 2, …, "
          "which std::stable_sort orders by it. Then resize.")) {}

void Brightest::check(Answer answer) const {
    const std::vector<BrightestCase> cases{{"the 3 brightest of 8 images", images(8, 9), 3},
                                           {"the brightest of 5 images", images(5, 4), 1},
                                           {"all of 12 images", images(12, 784), 12},
                                           {"images 0 and 6 are the same", images(8, 16, 6), 8},
                                           {"40 images, 17 of them", images(40, 25, 33), 17},
                                           {"5 of 3 images", images(3, 4), 5},
                                           {"0 of 4 images", images(4, 4), 0},
                                           {"one image", images(1, 4), 1}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const BrightestCase& one) {
        const Rows got = judge.call([&] { return answer(one.set, one.k); });
        const Rows right = spare::brightest(one.set, one.k);
        const std::size_t count = one.set.size();
        for (const std::size_t row : got)
            judge.require(
                row<count,
                    "row " + std::to_string(row) + " of " + std::to_string(count) + " images.",
                    one.k>
                        count
                    ? "There are fewer than k images: give all of them, "
                      "std::min(k, set.size())."
                    : "Give rows, which begin at 0.");
        judge.same_count(got.size(), right.size(), "rows",
                         one.k > count ? "There are fewer than k images: give all of them."
                                       : "Give k rows: resize the ordered rows.");
        judge.require(got == right,
                      "it gives " + text_of(got) + ", expected " + text_of(right) + ".",
                      mistake(one, got, right));
    });
}

}  // namespace lanes::exercises
