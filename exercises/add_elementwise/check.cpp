#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <array>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

std::vector<Sizes> cases() {
    return {{2, 3, 1}, {5, 4}, {}, {3, 7, 2, 7, 3}, {1, 1, 1}, {784, 128, 64, 10}};
}

Matrix random(std::array<std::size_t, 2> shape, Rng& rng) {
    Matrix array(shape);
    rng.fill_uniform(array.data(), array.size(), -2, 2);
    return array;
}

Vector random(std::array<std::size_t, 1> shape, Rng& rng) {
    Vector array(shape);
    rng.fill_uniform(array.data(), array.size(), -2, 2);
    return array;
}

Values combined(const Values& a, const Values& b, double (*f)(double, double)) {
    Values result = a;
    for (std::size_t i = 0; i < result.numbers.size(); ++i)
        result.numbers[i] = f(a.numbers[i], b.numbers[i]);
    return result;
}

template <class List>
void judge_lists(Judge& judge, List (*answer)(const List&, const List&), const List& a,
                 const List& b) {
    const List a_before = a, b_before = b;  // NOLINT(performance-unnecessary-copy-initialization):
                                            // an answer may write into them all the same
    const List sums = judge.call([&] { return answer(a, b); });
    const std::size_t count = a.size();
    judge.same_count(
        sums.size(), count, sums.size() == 1 ? "array" : "arrays",
        sums.size() == 2 * count
            ? "The lists are put one behind the other: add array i of one to array i of the other."
        : sums.size() + 1 == count ? "One array is missing: the loop runs over all of list1.size()."
                                   : "The sum has as many arrays as each of the lists.");
    for (std::size_t i = 0; i < count; ++i) {
        const Values x = values_of(a_before[i]), y = values_of(b_before[i]);
        About about;
        about.what = "array " + std::to_string(i);
        about.known = {
            {x, "This is list1[i] as it was: list2[i] is not added."},
            {y, "This is list2[i] as it was: list1[i] is not added."},
            {combined(x, y, [](double l, double r) { return l - r; }), "This is the difference."},
            {combined(x, y, [](double l, double r) { return l * r; }), "This is the product."},
            {combined(x, x, [](double l, double r) { return l + r; }), "This is list1[i] twice."}};
        if (i > 0)
            about.known.push_back({combined(values_of(a_before[0]), values_of(b_before[0]),
                                            [](double l, double r) { return l + r; }),
                                   "This is the sum of the first arrays again: is i used?"});
        judge.same(values_of(sums[i]), combined(x, y, [](double l, double r) { return l + r; }),
                   about);
    }
    for (std::size_t i = 0; i < count; ++i)
        judge.require(a[i] == a_before[i] && b[i] == b_before[i],
                      "the function has changed its own argument, array " + std::to_string(i) + ".",
                      "Add into a new list. The network still needs the old weights.");
}

}  // namespace

AddElementwise::AddElementwise()
    : Exercise(text_of<AddElementwise>(
          "add_elementwise",
          {"add_elementwise",
           "template <class Array>\n"
           "std::vector<Array> add_elementwise(const std::vector<Array>& list1, const "
           "std::vector<Array>& list2)",
           "Gives the list of the sums list1[i] + list2[i]. The lists are equally long, and are "
           "left as they are.\n"
           "Array is a matrix of weights or a vector of biases: one function serves both.",
           "one line, a loop",
           "sums.push_back(list1[i] + list2[i]): xtensor adds all elements of two arrays by +."})) {
}

void AddElementwise::check(Answer weights, AnswerForBiases biases) const {
    Judge judge(text());
    judge.look_at(biases);
    judge.look_at(weights);
    const Rng seeds(22);
    for (const Sizes& sizes : cases()) {
        Rng rng = seeds.split(sizes.size());
        Weights<float> w1, w2;
        Biases<float> b1, b2;
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
            w1.push_back(random(std::array<std::size_t, 2>{sizes[i], sizes[i + 1]}, rng));
            w2.push_back(random(std::array<std::size_t, 2>{sizes[i], sizes[i + 1]}, rng));
            b1.push_back(random(std::array<std::size_t, 1>{sizes[i + 1]}, rng));
            b2.push_back(random(std::array<std::size_t, 1>{sizes[i + 1]}, rng));
        }
        judge.begin(sizes.empty() ? "lists of no arrays"
                                  : "weights of sizes " + lanes::detail::Part(sizes).text());
        judge_lists(judge, weights, w1, w2);
        judge.begin(sizes.empty() ? "lists of no vectors"
                                  : "biases of sizes " + lanes::detail::Part(sizes).text());
        judge_lists(judge, biases, b1, b2);
    }
    judge.pass();
}

}  // namespace lanes::exercises
