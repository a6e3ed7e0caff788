// What the checks of sums over ranks share: numbers of ranks and values, and arrays of whole
// numbers, for which every order of additions gives the same sum.
#pragma once

#include "notebook/exercise/judge.hpp"

#include "lanes/distributed/simulated_ranks.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes::exercises {

struct SumCase {
    int ranks;
    std::size_t count;  // values of each rank
};

std::string words(const SumCase& one);

// No two ranks have equal values.
std::vector<std::vector<float>> values_of_ranks(const SumCase& one);
std::vector<float> sum_of_ranks(const SumCase& one);

notebook::Values as_values(const std::vector<float>& values);

// Fails if an answer has changed the number of values on a rank.
void require_count(notebook::Judge& judge, const std::vector<std::vector<float>>& got,
                   const SumCase& one);

// Runs `program` on simulated ranks; if they wait for each other, the check fails with `stuck`.
SimulatedRun play_ranks(notebook::Judge& judge, int ranks, const std::string& stuck,
                        const std::function<void(const Communicator&)>& program,
                        const SimulatedNetwork& network = {});

}  // namespace lanes::exercises
