#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/distributed/simulated_ranks.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct RingCase {
    int ranks;
    std::size_t count;
};

std::string words(const RingCase& one) {
    return std::to_string(one.ranks) + (one.ranks == 1 ? " rank, " : " ranks, ") +
           std::to_string(one.count) + (one.count == 1 ? " value" : " values");
}

std::vector<float> values_of_rank(int rank, std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(10 * (rank + 1)) + static_cast<float>(i) / 4;
    return values;
}

notebook::Values as_values(const std::vector<float>& values) {
    return {{values.size()}, {values.begin(), values.end()}};
}

}  // namespace

PassAround::PassAround()
    : Exercise(text_of<PassAround>(
          "pass_around",
          "Each rank sends its values to the rank at its right, rank + 1, and returns those of the "
          "rank at its left. The right neighbour of the last rank is rank 0. Only send and receive "
          "may be used, any number of ranks must work, and all ranks together may take as long as "
          "three messages one after the other.",
          "about eight lines",
          "Ranks with an even number send first, those with an odd number receive first. A rank "
          "that is alone keeps its values.")) {}

void PassAround::check(Answer answer) const {
    const std::vector<RingCase> cases{{2, 3}, {4, 2}, {3, 3}, {5, 1}, {8, 2}, {4, 0}, {1, 3}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const RingCase& one) {
        std::vector<std::vector<float>> got(static_cast<std::size_t>(one.ranks));
        // One message takes one second.
        const SimulatedRun run = judge.call([&] {
            return simulate_ranks(one.ranks,
                                  [&](const Communicator& comm) {
                                      got[static_cast<std::size_t>(comm.rank())] =
                                          answer(comm, values_of_rank(comm.rank(), one.count));
                                  },
                                  {1, 1e30});
        });
        for (int rank = 0; rank < one.ranks; ++rank) {
            const auto of = [&](int other) {
                return as_values(values_of_rank((other + one.ranks) % one.ranks, one.count));
            };
            About about;
            about.what = "rank " + std::to_string(rank);
            about.known = {{of(rank), "These are its own values. Return what was received."},
                           {of(rank + 1),
                            "These are the values of its right neighbour. Send to the right, to "
                            "rank + 1, and receive from the left."},
                           {of(0), "These are the values of rank 0. Each rank sends its own."}};
            judge.same(as_values(got[static_cast<std::size_t>(rank)]), of(rank - 1), about);
        }
        judge.require(run.seconds < 3.5,
                      "the result is right, but it takes as long as " + to_text(run.seconds) +
                          " messages one after the other.",
                      "Each rank waits for the one before it. Let half of the ranks send first: "
                      "then many messages travel at the same time.");
    });
}

}  // namespace lanes::exercises
