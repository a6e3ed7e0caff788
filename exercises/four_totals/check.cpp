#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/sums.hpp"
#include "notebook/exercise/isolated_check.hpp"
#include "notebook/exercise/judge.hpp"

namespace lanes::exercises {

using sums_check::SumCase;

FourTotals::FourTotals()
    : Exercise(text_of<FourTotals>(
          "four_totals",
          "Gives the sum of all numbers, from four totals: numbers 0, 4, 8, … go to the first, 1, "
          "5, 9, … to the second, and so on.\n"
          "At the end the four totals are added. If the count is no multiple of 4, the last one to "
          "three numbers go to any of them.",
          "six lines",
          "One loop takes four numbers per step, as long as i + 4 <= numbers.size(); a second loop "
          "adds the rest.")) {}

void FourTotals::check(Answer answer) const {
    notebook::judge_cases(
        text(), answer, sums_check::cases(), [&](notebook::Judge& judge, const SumCase& one) {
            const std::vector<float> numbers = sums_check::with_wall(one.numbers);
            if (numbers.empty())  // i <= numbers.size() - 4 reads until it crashes
                notebook::run_isolated(judge, [&](notebook::IsolatedCheck& check) {
                    const char* words =
                        "Is 4 subtracted from numbers.size()? It is unsigned, so the difference "
                        "is a huge number if there are fewer than four. Write i + 4 <= "
                        "numbers.size().";
                    check.step("the call", words, words);
                    answer(numbers);
                });
            const double got = judge.call([&] { return answer(numbers); });
            sums_check::compare(judge, got, one, sums_check::Totals::four);
        });
}

}  // namespace lanes::exercises
