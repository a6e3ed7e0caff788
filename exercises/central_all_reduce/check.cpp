#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/rank_sums.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

std::vector<float> sum_of(const std::vector<std::vector<float>>& values, std::size_t first,
                          std::size_t last) {
    std::vector<float> sum(values[0].size(), 0);
    for (std::size_t rank = first; rank < last; ++rank)
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[rank][i];
    return sum;
}

About about_rank(const std::vector<std::vector<float>>& before, std::size_t rank) {
    const std::size_t p = before.size();
    std::vector<float> twice = sum_of(before, 0, p);
    for (std::size_t i = 0; i < twice.size(); ++i) twice[i] += before[rank][i];
    About about;
    about.what = "rank " + std::to_string(rank);
    about.known = {
        {as_values(before[rank]),
         rank == 0 ? "The values are as they were. Add what arrives to `values`."
                   : "The values are as they were. Rank 0 must send the sums back, and all others "
                     "receive them into `values`."},
        {as_values(sum_of(before, 1, p)), "The values of rank 0 itself are missing in the sum."},
        {as_values(sum_of(before, 0, rank + 1)),
         "This is the sum of the ranks up to this one. Rank 0 receives the values of all ranks "
         "before it sends the sums to anyone: two loops, one after the other."},
        {as_values(before[p - 1]),
         "These are the values of the last rank: what arrives takes the place of what was there. "
         "Receive into another vector, and add it to `values`."},
        {as_values(twice), "The own values are in it twice."},
    };
    if (p == 1) about.known.clear();
    return about;
}

}  // namespace

CentralAllReduce::CentralAllReduce()
    : Exercise(text_of<CentralAllReduce>(
          "central_all_reduce",
          "Afterwards, the values of each rank are the sums over all ranks, element by element. "
          "Rank 0 receives the values of all others, adds them to its own, and sends the sums "
          "back.",
          "about ten lines",
          "All ranks but 0 send, then receive. Rank 0 has two loops over the other ranks: in the "
          "first it receives and adds, in the second it sends.")) {}

void CentralAllReduce::check(Answer answer) const {
    const std::vector<SumCase> cases{{4, 5}, {2, 3}, {3, 1}, {7, 4}, {2, 0}, {1, 3}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const SumCase& one) {
        const std::vector<std::vector<float>> before = values_of_ranks(one);
        std::vector<std::vector<float>> got = before;
        const SimulatedRun run =
            play_ranks(judge, one.ranks,
                       "Every send needs its receive: each rank but 0 sends once and receives "
                       "once; rank 0 receives from each of them, and sends to each of them.",
                       [&](const Communicator& comm) {
                           answer(comm, got[static_cast<std::size_t>(comm.rank())]);
                       });
        require_count(judge, got, one);
        for (std::size_t rank = 0; rank < got.size(); ++rank)
            judge.same(as_values(got[rank]), as_values(sum_of_ranks(one)),
                       about_rank(before, rank));
        for (std::size_t rank = 1; rank < got.size(); ++rank)
            judge.require(run.ranks[rank].messages_sent == 1,
                          "the sum is right, but rank " + std::to_string(rank) + " sends " +
                              std::to_string(run.ranks[rank].messages_sent) + " messages.",
                          "Here rank 0 does all the work: each other rank sends its values once.");
    });
}

}  // namespace lanes::exercises
