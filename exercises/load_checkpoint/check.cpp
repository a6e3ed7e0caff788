#include "exercise.hpp"

#include "../common/checkpoint_files.hpp"
#include "../common/needs.hpp"
#include "lanes/base/error.hpp"
#include "lanes/distributed/simulated_ranks.hpp"
#include "notebook/exercise/judge.hpp"

#include <exception>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct LoadCase {
    int ranks;
    int step;  // 0: there is no file
    std::size_t count;
    bool is_cut = false;  // the file ends too early
};

std::string words(const LoadCase& one) {
    return std::to_string(one.ranks) + (one.ranks == 1 ? " rank, " : " ranks, ") +
           std::to_string(one.count) + " weights, " +
           (one.step == 0 ? "no file" : "a file of step " + std::to_string(one.step)) +
           (one.is_cut ? " that ends too early" : "");
}

Values as_values(const std::vector<float>& values) {
    return {{values.size()}, {values.begin(), values.end()}};
}

std::vector<float> fresh(int rank, std::size_t count) {
    std::vector<float> weights(count);
    for (std::size_t i = 0; i < count; ++i)
        weights[i] = static_cast<float>(100 * (rank + 1)) + static_cast<float>(i);
    return weights;
}

constexpr const char* only_rank_0 =
    "Only rank 0 has the file: machines of a cluster may have disks of their own. Let rank 0 read, "
    "then comm.broadcast both the step and the weights.";

void judge_rank(Judge& judge, const LoadCase& one, int rank, int step,
                const std::vector<float>& got, const std::vector<float>& expected) {
    const std::string who = "rank " + std::to_string(rank);
    std::string why = rank > 0 ? only_rank_0 : "It is the int at the beginning of the file.";
    if (one.step == 0)
        why =
            "Without a file the training begins with step 0: `if (file)` says whether there is "
            "one. All ranks must return the same.";
    judge.require(step == one.step,
                  who + " returns step " + std::to_string(step) + " instead of " +
                      std::to_string(one.step) + ".",
                  why);
    judge.same_count(got.size(), one.count, "weights on " + who,
                     "The number of weights must not change.");
    About about;
    about.what = "the weights of " + who;
    const std::vector<float> own = fresh(rank, one.count);
    if (rank > 0 && one.step == 0)
        about.known = {{as_values(own),
                        "These are its own. Without a file, too, all ranks begin "
                        "with the weights of rank 0: comm.broadcast(weights)."}};
    else if (rank > 0)
        about.known = {{as_values(own), only_rank_0}};
    else if (one.step > 0)
        about.known = {{as_values(own),
                        "The weights are as they were: read the file into "
                        "`weights`."}};
    if (one.step == 0 && rank == 0)
        about.words = "Without a file, the weights of rank 0 must stay as they are.";
    else if (rank == 0)
        about.words = "The weights come after the step: first read sizeof(int) bytes.";
    judge.same(as_values(got), as_values(expected), about);
}

// Half of the weights are missing: the answer must throw, on rank 0 or on all.
void judge_cut_file(Judge& judge, LoadCheckpoint::Answer answer, const LoadCase& one) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/training.bin";
    write_checkpoint(path, one.step, std::vector<float>(one.count / 2, 1));
    std::string what;
    judge.call([&] {
        try {
            simulate_ranks(one.ranks, [&](const Communicator& comm) {
                std::vector<float> weights = fresh(comm.rank(), one.count);
                answer(comm, path, weights);
            });
        } catch (const std::exception& error) {
            what = error.what();
        }
    });
    judge.require(!what.empty(),
                  "the file ends after " + std::to_string(one.count / 2) + " of " +
                      std::to_string(one.count) + " weights, and no rank reports it.",
                  "The training would go on with a mixture of stored and new weights. After "
                  "file.read, `if (!file)` throw an exception.");
    judge.require(what.find("simulate_ranks") == std::string::npos, what,
                  "An exception that no rank catches ends all of them. If the others are to go on, "
                  "tell them by a broadcast first.");
}

void judge_case(Judge& judge, LoadCheckpoint::Answer answer, const LoadCase& one) {
    if (one.is_cut) {
        judge_cut_file(judge, answer, one);
        return;
    }
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/training.bin";
    std::vector<float> expected = fresh(0, one.count);
    if (one.step > 0) {
        for (float& weight : expected) weight = 1 / weight;
        write_checkpoint(path, one.step, expected);
    }
    std::vector<std::vector<float>> weights;
    for (int rank = 0; rank < one.ranks; ++rank) weights.push_back(fresh(rank, one.count));
    std::vector<int> steps(weights.size(), -1);
    judge.call([&] {
        try {
            simulate_ranks(one.ranks, [&](const Communicator& comm) {
                const auto rank = static_cast<std::size_t>(comm.rank());
                // The other machines have no such folder.
                const std::string here = rank == 0 ? path : folder.path() + "/elsewhere/none.bin";
                steps[rank] = answer(comm, here, weights[rank]);
            });
        } catch (const Error& error) {
            const std::string what = error.what();
            if (what.find("simulate_ranks") == std::string::npos) throw;
            judge.fail(what,
                       "Every rank calls the same broadcasts, in the same order, whether it has a "
                       "file or not.");
        }
    });
    for (int rank = 0; rank < one.ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        judge_rank(judge, one, rank, steps[at], weights[at], expected);
    }
}

}  // namespace

LoadCheckpoint::LoadCheckpoint()
    : Exercise(text_of<LoadCheckpoint>(
          "load_checkpoint",
          "Gives all ranks the weights of the file at `path` and returns its step. Only rank 0 is "
          "sure to have the file. If it has none, the result is 0, and all ranks get the weights "
          "of rank 0. A file that ends too early is reported by an exception.",
          "about eleven lines",
          "Rank 0 opens the file by std::ifstream with std::ios::binary; if (file) it reads the "
          "step and the weights, and throws an exception if that fails. Then every rank calls "
          "comm.broadcast(step) and "
          "comm.broadcast(weights).")) {}

void LoadCheckpoint::check(Answer answer) const {
    const std::vector<LoadCase> cases{{2, 7, 10},   {2, 0, 10}, {1, 3, 4},
                                      {4, 20, 500}, {1, 0, 3},  {2, 8, 10, true}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const LoadCase& one) {
        judge_case(judge, answer, one);
    });
}

}  // namespace lanes::exercises
