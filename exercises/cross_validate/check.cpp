#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;
using Numbers = std::vector<int>;

struct PartsCase {
    int pictures;
    int parts;
};

std::string words(const PartsCase& one) {
    return std::to_string(one.pictures) + " pictures in " + std::to_string(one.parts) + " parts";
}

std::string list(const Numbers& numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
    return text.empty() ? "none" : text;
}

Numbers of_part(const PartsCase& one, int part, bool others) {
    Numbers numbers;
    for (int i = 0; i < one.pictures; ++i)
        if ((i % one.parts == part) != others) numbers.push_back(i);
    return numbers;
}

// The accuracy in each part: another one in each.
double accuracy_in(int part) { return 1.0 / (part + 2); }

Values number(double value) { return {{1}, {value}}; }

std::string advice(const PartsCase& one, int part, const Numbers& train, const Numbers& val) {
    const Numbers right_train = of_part(one, part, true);
    const Numbers right_val = of_part(one, part, false);
    if (train == right_val && val == right_train)
        return "train and val are exchanged: the pictures of one part are for validation.";
    if (val == right_val && train.size() == static_cast<std::size_t>(one.pictures))
        return "The pictures of val are in train, too. The network would be tested with pictures "
               "that it has learned (data leakage).";
    if (val.size() == right_val.size() && val != right_val && !val.empty() &&
        val.back() - val.front() == static_cast<int>(val.size()) - 1)
        return "These are neighbours. The pictures are sorted by class, so a part of neighbours "
               "has one class alone: take every picture i with i % parts == part.";
    if (val.size() > right_val.size())
        return "Make new lists for each part: those of the part before are in them still.";
    return "Part " + std::to_string(part) +
           " are the pictures i with i % parts == " + std::to_string(part) +
           ", all others are for training.";
}

void judge_parts(Judge& judge, CrossValidate::Answer answer, const PartsCase& one) {
    int calls = 0;
    const auto accuracy_of = [&](const Numbers& train, const Numbers& val) {
        const int part = calls++;
        judge.require(part < one.parts, "accuracy_of was called more than once per part.",
                      "parts is their number: 0 to parts - 1.");
        const Numbers right_train = of_part(one, part, true);
        const Numbers right_val = of_part(one, part, false);
        judge.require(train == right_train && val == right_val,
                      "in part " + std::to_string(part) + " expected train: " + list(right_train) +
                          ", val: " + list(right_val) + "\n     got train: " + list(train) +
                          ", val: " + list(val),
                      advice(one, part, train, val));
        return accuracy_in(part);
    };
    const double got = judge.call([&] { return answer(one.pictures, one.parts, accuracy_of); });
    judge.require(calls == one.parts,
                  "accuracy_of was called " + std::to_string(calls) + " times, and " +
                      std::to_string(one.parts) + " is right.",
                  "Each part is used for validation once.");
    double right = 0;
    double sum = 0;
    for (int part = 0; part < one.parts; ++part) {
        right += accuracy_in(part) * static_cast<double>(of_part(one, part, false).size());
        sum += accuracy_in(part);
    }
    About about;
    about.what = "the share of right answers";
    about.known = {
        {number(right), "This is the number of right answers. Divide it by that of the pictures."},
        {number(sum), "This is the sum of the accuracies."},
        {number(sum / one.parts),
         "This is the mean over the parts. They are of different sizes: each accuracy counts as "
         "often as its part has pictures."},
        {number(accuracy_in(one.parts - 1)), "This is the accuracy of the last part alone."}};
    judge.same(number(got), number(right / one.pictures), about);
}

}  // namespace

CrossValidate::CrossValidate()
    : Exercise(text_of<CrossValidate>(
          "cross_validate",
          "Uses each picture for validation once. For each part, val holds the numbers i with "
          "i % parts == part, and train all others, in order; accuracy_of(train, val) trains and "
          "gives the accuracy. Returns the share of all pictures that were right.",
          "nine lines",
          "accuracy_of(train, val) * val.size() is the number of right answers of a part. Add "
          "these up and divide by the number of pictures.")) {}

void CrossValidate::check(Answer answer) const {
    const std::vector<PartsCase> cases{{7, 3}, {40, 6}, {12, 4}, {5, 5}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const PartsCase& one) {
        judge_parts(judge, answer, one);
    });
}

}  // namespace lanes::exercises
