#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/parameter_server.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

Values filled(const ServerCase& one, double value) {
    return {{one.elements()}, std::vector<double>(one.elements(), value)};
}

// Whether each answer has the gradient that it answers, and no two have the same number of them.
void judge_replies(Judge& judge, const Served& served, const ServerCase& one) {
    std::vector<int> replies(one.elements() + 1, 0);  // by gradients that are in it
    for (std::size_t worker = 0; worker < one.workers(); ++worker)
        for (std::size_t push = 0; push < served.replies[worker].size(); ++push) {
            const Values got = changes(served.replies[worker][push], one);
            const std::string which = "the answer to gradient " + std::to_string(push) +
                                      " of worker " + std::to_string(worker + 1);
            judge.require(got.numbers[one.element(worker, static_cast<int>(push))] != 0,
                          which + " does not have that gradient in it.",
                          "Make the step first, then send the weights.");
            const auto in_it = static_cast<std::size_t>(std::count_if(
                got.numbers.begin(), got.numbers.end(), [](double change) { return change != 0; }));
            judge.require(
                ++replies[in_it] == 1,
                std::to_string(in_it) + " gradients are in " + which + ", as in an answer before.",
                "Answer each gradient at once, before the next one is received: nobody "
                "waits for the others.");
        }
}

void judge_case(Judge& judge, ServerAnswer answer, const ServerCase& one) {
    const Served served = play_workers(
        judge, answer, one,
        "The workers are not equally fast, and one may send several gradients before another sends "
        "one. Receive from any rank: comm.receive(gradient) returns the sender's rank. Send the "
        "weights to this one only, one answer per gradient.");
    About about;
    about.tolerance = {1e-4, 1e-4};
    about.what = "what the server's weights were reduced by in the end, in learning rates";
    about.known = {{filled(one, 0), "These are the weights of the start. Change `weights` itself."},
                   {filled(one, -1), "The steps go uphill: subtract the gradient, do not add it."},
                   {filled(one, 1 / one.learning_rate), "The learning rate is missing."},
                   {filled(one, 1 / static_cast<double>(one.workers())),
                    "Divided by the number of workers. Here each gradient is a step of its own."}};
    judge.same(changes(served.weights, one), filled(one, 1), about);
    judge_replies(judge, served, one);
}

}  // namespace

ServeAsynchronous::ServeAsynchronous()
    : Exercise(text_of<ServeAsynchronous>(
          "serve_asynchronous",
          "Rank 0 calls it. In each step it receives one gradient, of whichever rank sends first, "
          "subtracts learning_rate times this gradient from the weights, and sends the weights to "
          "that rank.",
          "about six lines",
          "const int worker = comm.receive(gradient); receives from any rank and says from "
          "which.")) {}

void ServeAsynchronous::check(Answer answer) const {
    const std::vector<ServerCase> cases{{{2}, 2, 0.5f},
                                        {{2, 2}, 4, 0.25f},
                                        {{1, 4}, 5, 0.5f},
                                        {{3, 0, 1}, 4, 0.125f},
                                        {{1, 1, 1, 1}, 4, 2}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ServerCase& one) {
        judge_case(judge, answer, one);
    });
}

}  // namespace lanes::exercises
