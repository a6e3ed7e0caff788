// What the given cells of the notebook 00_start are made of: the time of sums, the ink of digits,
// and the library's versions of the answers.
//
//   const std::vector<float> numbers(1'000'000, 0.5f);
//   lanes::SumTimes times(numbers);
//   times.add("one total", lanes::spare::one_total, lanes::spare::one_total);
//   times.add("four totals", lanes::spare::four_totals, lanes::spare::four_totals);
//   times.add("all cores", lanes::spare::sum_parallel, lanes::spare::sum_parallel);
//   times.show();
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/dataset.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

class SumTimes {
public:
    using Sum = std::function<double(const std::vector<float>& numbers)>;

    explicit SumTimes(std::vector<float> numbers, int calls = 10);

    // Times a sum. If it is not filled in, the library's version is timed, and this says so.
    // Throws Error if the result is not that of the first one.
    void add(const std::string& name, const Sum& sum, const Sum& library);

    double speed_up(std::size_t row) const;  // time of the first one / time of this one

    // A table, and two sentences that say what it means on this machine. The rows are: one total,
    // four totals on the same core, all cores.
    void show() const;

private:
    struct Row {
        std::string name;
        double seconds;  // per call
    };

    std::vector<float> numbers_;
    int calls_;
    double expected_ = 0;
    std::vector<Row> rows_;
};

// The mean brightness of each class of the first images of a data set, as bars. Gives the means.
std::vector<double> show_ink(const Dataset& set, std::size_t images,
                             const std::function<double(const Matrix& image)>& brightness);

// The images of these rows, in this order, eight in a row.
void show_rows(const Dataset& set, const std::vector<std::size_t>& rows);

namespace spare {

double brightness(const Matrix& image);
std::vector<std::size_t> brightest(const Dataset& set, std::size_t k);
double one_total(const std::vector<float>& numbers);
double four_totals(const std::vector<float>& numbers);
double sum_parallel(const std::vector<float>& numbers);

}  // namespace spare

}  // namespace lanes
