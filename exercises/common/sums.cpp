#include "sums.hpp"

#include "lanes/base/rng.hpp"

#include <cmath>

namespace lanes::exercises::sums_check {

namespace {

constexpr float large = 0x1p60f;  // 1 is lost beside it, also in a double
constexpr float wall = 1e12f;

// Whole numbers: their sums are exact in a double, in any order.
std::vector<float> random(std::size_t count) {
    std::vector<float> numbers(count);
    Rng rng(count);
    for (float& number : numbers) number = static_cast<float>(rng.integer(1, 999));
    return numbers;
}

std::vector<float> with_large(std::size_t count) {
    std::vector<float> numbers = random(count);
    numbers[4] = large;
    numbers[4 * ((count - 5) / 4)] = -large;
    return numbers;
}

notebook::Values number(double value) { return {{1}, {value}}; }

template <class Total>
double in_one(const std::vector<float>& numbers, std::size_t first, std::size_t last) {
    Total total = 0;
    for (std::size_t i = first; i < last; ++i) total += numbers[i];
    return total;
}

template <class Total>
double in_four(const std::vector<float>& numbers, std::size_t count) {
    Total total[4] = {0, 0, 0, 0};
    for (std::size_t i = 0; i < count; ++i) total[i % 4] += numbers[i];
    return double(total[0]) + double(total[1]) + double(total[2]) + double(total[3]);
}

double in_quarters(const std::vector<float>& numbers) {
    const std::size_t n = numbers.size(), quarter = n / 4;
    double total = 0;
    for (std::size_t k = 0; k < 4; ++k)
        total += in_one<double>(numbers, k * quarter, k == 3 ? n : (k + 1) * quarter);
    return total;
}

}  // namespace

std::string words(const SumCase& one) { return one.name; }

std::vector<SumCase> cases() {
    return {{"4 numbers", {1, 2, 4, 8}},
            {"8 numbers", random(8)},
            {"no number", {}},
            {"1 number", {7}},
            {"3 numbers", {5, 6, 7}},
            {"1001 numbers", random(1001)},
            {"1002 numbers", random(1002)},
            {"1003 numbers", random(1003)},
            {"a million numbers", random(1'000'000)},
            {"40 numbers, of which 4 is 2^60 and 32 is -2^60", with_large(40), true},
            {"43 numbers, of which 4 is 2^60 and 36 is -2^60", with_large(43), true}};
}

std::vector<float> with_wall(const std::vector<float>& numbers) {
    std::vector<float> result = numbers;
    result.insert(result.end(), 8, wall);
    result.resize(numbers.size());
    return result;
}

void compare(notebook::Judge& judge, double got, const SumCase& one, Totals totals) {
    const std::vector<float>& numbers = one.numbers;
    const std::size_t n = numbers.size();
    judge.require(std::abs(got) < 1e11,
                  "numbers past the end were added: the result is " + std::to_string(got) + ".",
                  "There are numbers.size() of them. A step that takes four needs i + 4 <= "
                  "numbers.size(); the rest is added one by one.");
    notebook::About about;
    about.tolerance = {1e-6, 1e-12};
    const double right = in_four<double>(numbers, n);
    const auto add = [&](double gives, const std::string& text) {  // sums are exact: no tolerance
        if (gives == got && gives != right) about.known.push_back({number(gives), text});
    };
    if (totals == Totals::four) {
        add(in_four<double>(numbers, n / 4 * 4),
            "The last one to three numbers are missing: after the loop over fours, add the rest.");
        if (one.in_four_totals) {
            add(in_one<double>(numbers, 0, n),
                "This is what one total gives: beside 2^60 a small number is lost. Use four "
                "totals, total[4].");
            add(in_quarters(numbers),
                "Here each total has a quarter of the numbers, one after another. Number i belongs "
                "to total i % 4.");
        }
    } else {
        for (int threads = 2; threads <= 256; ++threads)
            if (n != 0)
                add(threads * in_one<double>(numbers, 0, n),
                    "This is the sum " + std::to_string(threads) +
                        " times: each thread adds up all numbers. parallel alone repeats the "
                        "loop, parallel for divides it.");
    }
    add(0,
        "This is 0: what the totals of the threads or of the loop hold must come together at "
        "the end.");
    add(n != 0 ? right - numbers[0] : 0, "The first number is missing.");
    add(in_one<float>(numbers, 0, n),
        "This is what a total of type float gives: it has 24 bits, and large sums are rounded. Use "
        "double.");
    if (about.known.empty() && n > 100'000 && std::abs(got - right) < 1e-3 * std::abs(right))
        add(got,
            "The digits at the end differ: are the totals of type float? They have 24 bits, and "
            "large sums are rounded. Use double.");
    judge.same(number(got), number(right), about);
}

}  // namespace lanes::exercises::sums_check
