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

// After so many steps, if each gradient counts `weight`.
Values after(const ServerCase& one, int steps, double weight) {
    Values values{{one.elements()}, std::vector<double>(one.elements(), 0.0)};
    for (std::size_t worker = 0; worker < one.workers(); ++worker)
        for (int push = 0; push < steps; ++push) values.numbers[one.element(worker, push)] = weight;
    return values;
}

About about_steps(const ServerCase& one, int steps) {
    const double w = static_cast<double>(one.workers());
    About about;
    about.tolerance = {1e-4, 1e-4};
    about.known = {
        {after(one, steps, 1),
         "The gradients are added up. A step uses their mean: divide by the number of workers."},
        {after(one, steps, 1 / (w + 1)),
         "Divided by comm.size(). The server is one of the ranks, but sends no gradient: there are "
         "comm.size() - 1 workers."},
        {after(one, steps, -1 / w), "The step goes uphill: subtract the gradient, do not add it."},
        {after(one, steps - 1, 1 / w),
         "These are the weights before this step. Make the step first, then send."},
        {after(one, steps, 1 / w / one.learning_rate), "The learning rate is missing."},
    };
    return about;
}

void judge_case(Judge& judge, ServerAnswer answer, const ServerCase& one) {
    const Served served =
        play_workers(judge, answer, one,
                     "In each step the server receives one gradient of every worker, and then "
                     "sends the weights to every worker.");
    const double weight = 1 / static_cast<double>(one.workers());
    for (int step = 0; step < one.steps; ++step) {
        const auto& first = served.replies[0][static_cast<std::size_t>(step)];
        for (std::size_t worker = 1; worker < one.workers(); ++worker)
            judge.require(served.replies[worker][static_cast<std::size_t>(step)] == first,
                          "in step " + std::to_string(step) + ", worker 1 and worker " +
                              std::to_string(worker + 1) + " get different weights.",
                          "Receive the gradients of all workers before the step, and send after "
                          "it. An answer to each gradient at once is the asynchronous server.");
        About about = about_steps(one, step + 1);
        about.what =
            "what the weights were reduced by, in learning rates, as the workers get them "
            "in step " +
            std::to_string(step);
        judge.same(changes(first, one), after(one, step + 1, weight), about);
    }
    About about = about_steps(one, one.steps);
    about.known.insert(about.known.begin(),
                       {after(one, 0, 0),
                        "These are the weights of the start, though the workers "
                        "got others. Change `weights` itself, not a copy."});
    about.what = "what the server's weights were reduced by in the end, in learning rates";
    judge.same(changes(served.weights, one), after(one, one.steps, weight), about);
}

}  // namespace

ServeSynchronous::ServeSynchronous()
    : Exercise(text_of<ServeSynchronous>(
          "serve_synchronous",
          "Rank 0 calls it. In each step it receives a gradient from every other rank, subtracts "
          "learning_rate times their mean from the weights, and sends the weights to all of them.",
          "about nine lines",
          "One loop over the steps holds three loops: over the workers, to receive and add up; "
          "over the weights; over the workers, to send.")) {}

void ServeSynchronous::check(Answer answer) const {
    const std::vector<ServerCase> cases{
        {{1}, 1, 0.5f}, {{2, 2}, 2, 0.5f}, {{3, 3, 3}, 3, 0.25f}, {{1, 1, 1, 1, 1}, 1, 2}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ServerCase& one) {
        judge_case(judge, answer, one);
    });
}

}  // namespace lanes::exercises
