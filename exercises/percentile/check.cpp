#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/lesson/spare_queue.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct PercentileCase {
    std::string name;
    std::vector<double> sorted;
    double p;
};

std::string words(const PercentileCase& one) { return one.name; }

notebook::Values number(double value) { return {{1}, {value}}; }

std::vector<double> random(std::size_t n) {
    std::vector<double> values(n);
    Rng rng(n);
    for (double& value : values) value = rng.uniform(1, 100);
    std::sort(values.begin(), values.end());
    return values;
}

double at(const std::vector<double>& values, double position) {
    const auto last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(std::clamp(position, 0.0, last))];
}

}  // namespace

PercentileOf::PercentileOf()
    : Exercise(text_of<PercentileOf>(
          "percentile",
          "Gives the p-th percentile of values in ascending order: the value at the position "
          "p / 100 * (n - 1), counted from 0.\n"
          "Between two positions it is interpolated linearly.",
          "four lines",
          "std::size_t below is the whole part of the position; the rest, from 0 to 1, is the "
          "share of the value above. At the last value there is none above.")) {}

void PercentileOf::check(Answer answer) const {
    const std::vector<PercentileCase> cases{{"the median of three values", {1, 5, 7}, 50},
                                            {"the median of four values", {1, 2, 6, 9}, 50},
                                            {"the median of two values", {3, 10}, 50},
                                            {"one value", {4.5}, 50},
                                            {"one value, p = 100", {4.5}, 100},
                                            {"p = 0", {2, 3, 8}, 0},
                                            {"p = 100", {2, 3, 8}, 100},
                                            {"90 % of 11 values", random(11), 90},
                                            {"99 % of 1000 values", random(1000), 99},
                                            {"12.5 % of 6 values", random(6), 12.5}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const PercentileCase& one) {
        // A value behind the end would be seen, also one that is multiplied by 0.
        std::vector<double> sorted = one.sorted;
        sorted.insert(sorted.end(), 2, std::numeric_limits<double>::infinity());
        sorted.resize(one.sorted.size());
        const double got = judge.call([&] { return answer(sorted, one.p); });
        const auto n = static_cast<double>(sorted.size());
        const double position = one.p / 100 * (n - 1);
        About about;
        about.tolerance = {1e-9, 1e-9};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(at(sorted, position),
            "This is the value below the position. Between two values, go on by the rest of the "
            "position.");
        add(at(sorted, std::ceil(position)), "This is the value above the position.");
        add(at(sorted, std::round(position)), "This is the nearest value: interpolate.");
        add(at(sorted, one.p / 100 * n),
            "Is the position p / 100 * n? The last position is n - 1, so it is p / 100 * (n - 1).");
        add(spare::percentile(sorted, 100 - one.p), "This is the percentile 100 - p.");
        add(spare::percentile(sorted, one.p / 100),
            "Is p divided by 100 twice? p is given in percent.");
        judge.require(std::isfinite(got), "a value behind the last one was used.",
                      "At the last position there is no value above: std::min(below + 1, "
                      "sorted.size() - 1).");
        judge.same(number(got), number(spare::percentile(sorted, one.p)), about);
    });
}

}  // namespace lanes::exercises
