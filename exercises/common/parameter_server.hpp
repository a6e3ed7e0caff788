// What the checks of serve_synchronous and serve_asynchronous share: workers that send gradients
// and keep what they get. Every gradient has a single element that is not 0, each another one: the
// weights show which gradients are in them.
#pragma once

#include "notebook/exercise/judge.hpp"

#include "lanes/distributed/communicator.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::exercises {

using ServerAnswer = void (*)(const Communicator&, std::vector<float>&, int, float);

struct ServerCase {
    std::vector<int> pushes;  // gradients of each worker
    int steps;                // of the server
    float learning_rate;

    std::size_t workers() const { return pushes.size(); }
    std::size_t elements() const;                             // one per gradient
    std::size_t element(std::size_t worker, int push) const;  // that of a gradient
    float start(std::size_t element) const { return 1 + 0.5f * static_cast<float>(element); }
};

std::string words(const ServerCase& one);

struct Served {
    std::vector<float> weights;                            // of the server, in the end
    std::vector<std::vector<std::vector<float>>> replies;  // by worker and gradient
};

// A simulation that does not end fails the check with `stuck`.
Served play_workers(notebook::Judge& judge, ServerAnswer answer, const ServerCase& one,
                    const std::string& stuck);

// How much each weight has changed, in learning rates. A right step of one gradient is 1.
notebook::Values changes(const std::vector<float>& weights, const ServerCase& one);

}  // namespace lanes::exercises
