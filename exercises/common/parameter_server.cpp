#include "parameter_server.hpp"

#include "lanes/base/error.hpp"
#include "lanes/distributed/simulated_ranks.hpp"

#include <numeric>

namespace lanes::exercises {

std::size_t ServerCase::elements() const {
    return static_cast<std::size_t>(std::accumulate(pushes.begin(), pushes.end(), 0));
}

std::size_t ServerCase::element(std::size_t worker, int push) const {
    const auto end = pushes.begin() + static_cast<std::ptrdiff_t>(worker);
    return static_cast<std::size_t>(std::accumulate(pushes.begin(), end, push));
}

std::string words(const ServerCase& one) {
    std::string text;
    for (const int number : one.pushes)
        text += (text.empty() ? "" : " and ") + std::to_string(number);
    return std::to_string(one.workers()) + (one.workers() == 1 ? " worker" : " workers") +
           " with " + text + " gradients, " + std::to_string(one.steps) + " steps";
}

Served play_workers(notebook::Judge& judge, ServerAnswer answer, const ServerCase& one,
                    const std::string& stuck) {
    std::vector<float> start(one.elements());
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = one.start(i);
    Served served{start, {}};
    served.replies.resize(one.workers());
    const auto program = [&](const Communicator& comm) {
        if (comm.rank() == 0) {
            answer(comm, served.weights, one.steps, one.learning_rate);
            return;
        }
        const auto worker = static_cast<std::size_t>(comm.rank() - 1);
        for (int push = 0; push < one.pushes[worker]; ++push) {
            std::vector<float> gradient(start.size(), 0.0f);
            gradient[one.element(worker, push)] = 1;
            comm.send(gradient, 0);
            comm.receive(gradient, 0);
            served.replies[worker].push_back(gradient);
        }
    };
    judge.call([&] {
        try {
            simulate_ranks(static_cast<int>(one.workers()) + 1, program);
        } catch (const Error& error) {
            const std::string what = error.what();
            if (what.find("wait forever") == std::string::npos) throw;
            judge.fail(what, stuck);
        }
    });
    judge.same_count(served.weights.size(), start.size(), "weights of the server",
                     "The number of weights must not change.");
    return served;
}

notebook::Values changes(const std::vector<float>& weights, const ServerCase& one) {
    notebook::Values values{{weights.size()}, {}};
    for (std::size_t i = 0; i < weights.size(); ++i)
        values.numbers.push_back((one.start(i) - weights[i]) / one.learning_rate);
    return values;
}

}  // namespace lanes::exercises
