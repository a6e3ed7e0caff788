#include "lanes/lesson/start.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/notebook/display.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/table.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <utility>

namespace lanes {

SumTimes::SumTimes(std::vector<float> numbers, int calls)
    : numbers_(std::move(numbers)), calls_(calls) {}

void SumTimes::add(const std::string& name, const Sum& sum, const Sum& library) {
    const auto call = answer_or(sum, library);
    const double got = call(numbers_);
    if (rows_.empty()) expected_ = got;
    LANES_REQUIRE(std::abs(got - expected_) <= 1e-6 * std::abs(expected_), "SumTimes: ", name,
                  " gives ", got, ", and ", rows_.empty() ? name : rows_[0].name, " gives ",
                  expected_, ". A wrong result is not timed: look at its check.");
    double total = 0;  // what is never used might not be computed
    rows_.push_back({name, seconds_per_call(calls_, [&] { total += call(numbers_); })});
    LANES_REQUIRE(std::isfinite(total), "SumTimes: the sum of ", name, " is no number.");
}

double SumTimes::speed_up(std::size_t row) const {
    LANES_REQUIRE(row < rows_.size(), "SumTimes: row ", row, " of ", rows_.size(),
                  ". Add the sums first.");
    return rows_[0].seconds / rows_[row].seconds;
}

void SumTimes::show() const {
    LANES_REQUIRE(rows_.size() == 3, "SumTimes: ", rows_.size(),
                  " sums. Add three: one total, "
                  "four totals, all cores.");
    const auto count = static_cast<double>(numbers_.size());
    Table table({"sum of " + std::to_string(numbers_.size()) + " numbers", "time per call",
                 "speed-up", "per addition", "memory read"});
    for (std::size_t i = 0; i < rows_.size(); ++i)
        table.row(rows_[i].name, with_unit(1e3 * rows_[i].seconds, "ms"),
                  with_unit(speed_up(i), "x"), with_unit(1e9 * rows_[i].seconds / count, "ns"),
                  with_unit(4e-9 * count / rows_[i].seconds, "GB/s"));
    table.note(machine_line()).show();

    const int cores = num_workers();
    const double four = speed_up(1), all = speed_up(2);
    std::cout << "On this machine: "
              << (four > 1.3 ? "four totals are faster on the same core, so memory bandwidth did "
                               "not limit one total; the latency of its additions did."
                             : "four totals gain little, so latency did not limit one total; "
                               "memory bandwidth is the likely limit.")
              << "\nOn this machine: ";
    if (all > 0.8 * cores)
        std::cout << "the speed-up of all cores is near the number of cores.\n";
    else if (all < four)
        std::cout << "one core with four totals reads more per second than all cores together. So "
                     "it is not the memory that limits all cores: other programs use the cores, or "
                     "two of them are hardware threads of one core.\n";
    else
        std::cout << "the speed-up of all cores is clearly below their number. They share the "
                     "bandwidth of the memory, or other programs use some of them.\n";
}

std::vector<double> show_ink(const Dataset& set, std::size_t images,
                             const std::function<double(const Matrix& image)>& brightness) {
    const std::size_t classes = set.y.shape(1);
    std::vector<double> ink(classes), count(classes);
    for (std::size_t i = 0; i < std::min(images, set.size()); ++i) {
        const std::size_t digit = xt::argmax(xt::view(set.y, i))();
        ink[digit] += brightness(set.image(i));
        count[digit] += 1;
    }
    std::vector<std::string> names;
    for (std::size_t digit = 0; digit < classes; ++digit) {
        names.push_back(std::to_string(digit));
        ink[digit] /= std::max(count[digit], 1.0);
    }
    const std::string which = std::to_string(images) + " images";
    Plot("Ink per digit, " + which)
        .x("digit")
        .y("mean brightness, 0 to 1")
        .bars(which, names, ink)
        .show();
    return ink;
}

void show_rows(const Dataset& set, const std::vector<std::size_t>& rows) {
    std::vector<Matrix> images;
    images.reserve(rows.size());
    for (const std::size_t row : rows) images.push_back(set.image(row));
    show_images(images, {}, 8);
}

namespace spare {

double brightness(const Matrix& image) {
    return std::accumulate(image.begin(), image.end(), 0.0) / static_cast<double>(image.size());
}

std::vector<std::size_t> brightest(const Dataset& set, std::size_t k) {
    std::vector<double> light;
    light.reserve(set.size());
    for (std::size_t i = 0; i < set.size(); ++i)
        light.push_back(xt::sum<double>(xt::view(set.x, i))());
    std::vector<std::size_t> order(set.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return light[a] != light[b] ? light[a] > light[b] : a < b;
    });
    order.resize(std::min(k, order.size()));
    return order;
}

double one_total(const std::vector<float>& numbers) {
    double total = 0;
    for (const float number : numbers) total += number;
    return total;
}

double four_totals(const std::vector<float>& numbers) {
    double total[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= numbers.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) total[k] += numbers[i + k];
    for (; i < numbers.size(); ++i) total[0] += numbers[i];
    return total[0] + total[1] + total[2] + total[3];
}

double sum_parallel(const std::vector<float>& numbers) {
    double total = 0;
#pragma omp parallel for reduction(+ : total) num_threads(num_workers())
    for (std::size_t i = 0; i < numbers.size(); ++i) total += numbers[i];
    return total;
}

}  // namespace spare

}  // namespace lanes
