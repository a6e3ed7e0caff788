// What the checks of average_gradients and average_at_once share: models with the gradients of
// their rank's examples, and the gradients of all examples.
#pragma once

#include "notebook/exercise/judge.hpp"

#include "lanes/distributed/communicator.hpp"
#include "lanes/nn/module.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::exercises {

struct ShareCase {
    std::vector<std::size_t> shares;  // examples of each rank
};

std::string words(const ShareCase& one);

// Returns how many collective operations one after the other the answer takes; with one rank 0.
double judge_gradients(notebook::Judge& judge,
                       void (*answer)(const Communicator&, Module&, std::size_t),
                       const ShareCase& one);

}  // namespace lanes::exercises
