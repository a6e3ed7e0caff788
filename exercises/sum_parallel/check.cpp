#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/sums.hpp"
#include "notebook/exercise/judge.hpp"

namespace lanes::exercises {

using sums_check::SumCase;

SumParallel::SumParallel()
    : Exercise(text_of<SumParallel>(
          "sum_parallel",
          "Gives the sum of all numbers. The loop is divided among all cores: #pragma omp parallel "
          "for, with the clause reduction.",
          "four lines",
          "#pragma omp parallel for reduction(+ : total) stands directly above the loop; total is "
          "a "
          "double.")) {}

void SumParallel::check(Answer answer) const {
    notebook::Judge judge(text());
    judge.look_at(answer);
    for (const SumCase& one : sums_check::cases()) {
        if (one.in_four_totals) continue;  // another order gives another rounding error
        judge.begin(words(one));
        const std::vector<float> numbers = sums_check::with_wall(one.numbers);
        // A race condition does not show in every run.
        for (int repeat = 0; repeat < (numbers.size() > 10'000 ? 5 : 1); ++repeat) {
            const double got = judge.call([&] { return answer(numbers); });
            const auto again = [&] { return judge.call([&] { return answer(numbers); }); };
            judge.require(numbers.size() < 10'000 || got == again(),
                          "two calls with the same numbers give two results.",
                          "Several threads change one variable at the same time, and additions get "
                          "lost: a race condition. Give each thread a total of its own, by "
                          "reduction(+ : total).");
            sums_check::compare(judge, got, one, sums_check::Totals::any);
        }
    }
    judge.require_threads();
    judge.pass();
}

}  // namespace lanes::exercises
