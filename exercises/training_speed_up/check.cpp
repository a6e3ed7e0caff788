#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct TrainingCase {
    int gpus;
    double computing, bytes, latency, bandwidth;
};

std::string words(const TrainingCase& one) {
    return std::to_string(one.gpus) + (one.gpus == 1 ? " GPU" : " GPUs") + " that compute for " +
           to_text(one.computing) + " s, " + to_text(one.bytes) + " bytes, latency " +
           to_text(one.latency) + " s, bandwidth " + to_text(one.bandwidth) + " bytes/s";
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

TrainingSpeedUp::TrainingSpeedUp()
    : Exercise(text_of<TrainingSpeedUp>(
          "training_speed_up",
          "Gives the examples per second of all GPUs divided by those of one GPU alone. In each "
          "step a GPU computes for `computing` seconds on its own batch, then the gradients of so "
          "many bytes go around a ring; a GPU that is alone sends nothing. All have batches of the "
          "same size.",
          "three lines",
          "ring_seconds says how long the ring takes. The share of the time in which a GPU "
          "computes "
          "is the efficiency; all GPUs together are gpus times as fast as one with this "
          "efficiency.")) {}

void TrainingSpeedUp::check(Answer answer) const {
    const std::vector<TrainingCase> cases{{4, 5, 800, 0.5, 400},
                                          {8, 1, 1600, 0, 100},
                                          {2, 10, 10, 1, 10},
                                          {1, 2, 500, 1, 10},
                                          {1000, 5, 1e6, 1e-3, 1e6}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const TrainingCase& one) {
        const double p = one.gpus;
        const double ring = 2 * (p - 1) * (one.latency + one.bytes / p / one.bandwidth);
        const double efficiency = one.computing / (one.computing + ring);
        About about;
        about.tolerance = {1e-12, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(efficiency, "This is the efficiency of one GPU. There are `gpus` of them.");
        add(1 / efficiency,
            "This is how much longer a step takes than on one GPU. In this time all GPUs compute "
            "their batches.");
        add(p, "The time of the messages is missing: ring_seconds.");
        add(one.computing / (one.computing / p + ring),
            "Here the computation is divided among the GPUs. Each of them has a batch of the same "
            "size, so each computes as long as one alone.");
        add(p * ring / (one.computing + ring),
            "This is the share of the time in which the GPUs wait, not that in which they "
            "compute.");
        add(p * one.computing / ring,
            "Computing and sending follow one another: the step takes the sum of both times.");
        add(p / (one.computing + ring),
            "These are batches per second. Divide by those of one GPU: 1 / computing.");
        const double got = judge.call(
            [&] { return answer(one.gpus, one.computing, one.bytes, one.latency, one.bandwidth); });
        judge.same(number(got), number(p * efficiency), about);
    });
}

}  // namespace lanes::exercises
