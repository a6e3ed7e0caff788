#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;
using Names = std::vector<std::string>;

struct NamesCase {
    Names names;
    std::size_t n;
};

std::string list(const Names& names) {
    if (names.empty()) return "none";
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
}

std::string words(const NamesCase& one) {
    return "n = " + std::to_string(one.n) + " and the names " + list(one.names);
}

// The names whose number, after `first`, is divided by n: these, or all others.
Names every(const Names& names, std::size_t n, std::size_t first, bool others = false) {
    Names result;
    for (std::size_t i = 0; i < names.size(); ++i)
        if ((i >= first && (i - first) % n == 0) != others) result.push_back(names[i]);
    return result;
}

std::string advice(const NamesCase& one, const Names& sorted, const plates::NameSplit& got,
                   const plates::NameSplit& right) {
    if (got.train == right.val && got.val == right.train)
        return "train and val are exchanged: the few pictures are for validation.";
    if (got.val == every(one.names, one.n, 0) && got.train == every(one.names, one.n, 0, true))
        return "The names were not sorted. A folder lists its files in an order that differs from "
               "machine to machine; then everybody has another split.";
    if (got.val == every(sorted, one.n, one.n - 1))
        return "The first picture that goes to val is the one with number 0, not number n - 1.";
    if (got.val == every(sorted, one.n, 1)) return "Numbers start at 0, as in i % n == 0.";
    if (got.val == right.val && got.train == sorted)
        return "The pictures of val are in train, too. The network would be tested with pictures "
               "that it has learned (data leakage).";
    if (got.val == right.val && got.train.empty()) return "All other pictures belong into train.";
    if (got.val.size() == one.n && one.n != right.val.size())
        return "n is the distance between two pictures of val, not their number.";
    return "";
}

}  // namespace

SplitNames::SplitNames()
    : Exercise(text_of<SplitNames>(
          "split_names",
          "Sorts the names, and puts those with the numbers 0, n, 2n, … into val and all others "
          "into train.",
          "six lines",
          "std::sort(names.begin(), names.end()) sorts. Then go through them with a number i: "
          "i % n == 0 decides; push_back appends.")) {}

void SplitNames::check(Answer answer) const {
    const std::vector<NamesCase> cases{
        {{"a", "b", "c", "d", "e", "f", "g", "h"}, 6},
        {{"d", "b", "h", "a", "g", "c", "f", "e"}, 6},
        {{"07", "03", "11", "00", "05", "01", "09", "02", "10", "04", "08", "06"}, 3},
        {{"b", "c", "a"}, 2},
        {{"two", "one"}, 7},
        {{}, 6}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const NamesCase& one) {
        Names sorted = one.names;
        std::sort(sorted.begin(), sorted.end());
        const plates::NameSplit right{every(sorted, one.n, 0, true), every(sorted, one.n, 0)};
        const plates::NameSplit got = judge.call([&] { return answer(one.names, one.n); });
        judge.require(got.train == right.train && got.val == right.val,
                      "expected val: " + list(right.val) + ", train: " + list(right.train) +
                          "\n     got val: " + list(got.val) + ", train: " + list(got.train),
                      advice(one, sorted, got, right));
    });
}

}  // namespace lanes::exercises
