#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <array>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::values_of;

// Every number once: row r, column c of `data` is 10 r + c, of `labels` 1000 more.
Matrix numbered(std::size_t rows, std::size_t columns, float from) {
    Matrix values(std::array<std::size_t, 2>{rows, columns});
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            values(r, c) = from + static_cast<float>(10 * r + c);
    return values;
}

struct Case {
    std::size_t rows, batch_size;
};

std::string count_advice(std::size_t got, const Case& one) {
    const std::size_t full = one.rows / one.batch_size;
    if (got == one.batch_size)
        return "batch_size is how many rows a batch has, not how many batches there are.";
    if (got == full && one.rows % one.batch_size != 0)
        return "The last rows are lost: the last batch gets the remaining ones.";
    if (got == full + 1 && one.rows % one.batch_size == 0)
        return "There is an empty batch at the end: here the rows divide.";
    if (got == 1) return "One batch holds everything: move on by batch_size rows after each.";
    if (got == one.rows)
        return "There is a batch for each row: move on by batch_size rows, not by one.";
    return "";
}

// Batch `number` of the answer against the rows that belong there.
void judge_batch(Judge& judge, const Dataset& batch, std::size_t number, const Case& one,
                 const Matrix& data, const Matrix& labels) {
    const std::size_t first = number * one.batch_size,
                      last = std::min(one.rows, first + one.batch_size);
    const Dataset whole{data, labels};
    const Dataset expected = slice_of(whole, first, last);
    const std::string whose = "batch " + std::to_string(number);
    const auto rows_advice = [&](std::size_t rows) -> std::string {
        if (last - first < one.batch_size && rows == one.batch_size)
            return "The last batch is filled up: it has only the rows that remain.";
        if (rows == one.rows) return "These are all rows of the data: cut them as well.";
        return rows + 1 == last - first
                   ? "One row is missing: xt::range(first, last) leaves last out already."
                   : "";
    };
    if (batch.x.shape(0) != last - first)
        judge.fail(whose + ".x has " + std::to_string(batch.x.shape(0)) + " rows, expected " +
                       std::to_string(last - first) + ".",
                   rows_advice(batch.x.shape(0)));
    if (batch.y.shape(0) != last - first)
        judge.fail(whose + ".y has " + std::to_string(batch.y.shape(0)) + " rows, expected " +
                       std::to_string(last - first) + ": one label for each row of .x.",
                   rows_advice(batch.y.shape(0)));
    const Dataset head = slice_of(whole, 0, last - first);
    About x, y;
    x.what = whose + ".x";
    y.what = whose + ".y";
    if (first > 0) {
        x.known.push_back(
            {values_of(head.x),
             "These are the first rows again: the start must move on with each batch."});
        y.known.push_back({values_of(head.y),
                           "These are the first labels again: they go along with their rows."});
    }
    judge.same(values_of(batch.x), values_of(expected.x), x);
    judge.same(values_of(batch.y), values_of(expected.y), y);
}

}  // namespace

CreateBatches::CreateBatches()
    : Exercise(text_of<CreateBatches>("create_batches",
                                      "Cuts the rows of data, and the rows of labels with them, "
                                      "into batches of batch_size neighbours, in order.\n"
                                      "The last batch gets what remains. A lanes::Dataset has the "
                                      "members x (rows of data) and y (rows of labels).",
                                      "one line, a loop",
                                      "xt::view(data, xt::range(first, last)) is the rows first to "
                                      "last - 1; the last batch ends at data.shape(0).")) {}

void CreateBatches::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const std::vector<Case> cases{{10, 4}, {12, 3}, {12, 4}, {7, 1},    {3, 8},
                                  {5, 5},  {0, 4},  {1, 16}, {1000, 32}};
    for (const Case& one : cases) {
        judge.begin(std::to_string(one.rows) + (one.rows == 1 ? " row" : " rows") +
                    " in batches of " + std::to_string(one.batch_size));
        const Matrix data = numbered(one.rows, 6, 0), labels = numbered(one.rows, 3, 20000);
        const auto batches = judge.call([&] { return answer(data, labels, one.batch_size); });
        const std::size_t expected = (one.rows + one.batch_size - 1) / one.batch_size;
        judge.same_count(batches.size(), expected, batches.size() == 1 ? "batch" : "batches",
                         count_advice(batches.size(), one));
        for (std::size_t i = 0; i < expected; ++i)
            judge_batch(judge, batches[i], i, one, data, labels);
    }
    judge.pass();
}

}  // namespace lanes::exercises
