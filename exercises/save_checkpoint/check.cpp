#include "exercise.hpp"

#include "../common/checkpoint_files.hpp"
#include "../common/needs.hpp"
#include "lanes/distributed/simulated_ranks.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct SaveCase {
    int ranks;
    int step;
    std::size_t count;
    bool is_older_there;
    bool is_disk_full = false;
};

std::string words(const SaveCase& one) {
    return std::to_string(one.ranks) + (one.ranks == 1 ? " rank, step " : " ranks, step ") +
           std::to_string(one.step) + ", " + std::to_string(one.count) + " weights, " +
           (one.is_older_there ? "an older file is there" : "no file yet") +
           (one.is_disk_full ? ", the disk is full" : "");
}

Values as_values(const std::vector<float>& values) {
    return {{values.size()}, {values.begin(), values.end()}};
}

void judge_events(Judge& judge, const std::vector<std::string>& events) {
    const std::string name = "training.bin";
    const auto count = [&](const std::string& kind) {
        return std::count(events.begin(), events.end(), kind + " " + name);
    };
    const auto moved = std::find(events.begin(), events.end(), "move " + name);
    judge.require(count("delete") == 0, "the older file was removed before the new one was there.",
                  "If the program dies between the two, both are lost. std::rename replaces an "
                  "existing file in one step.");
    judge.require(
        moved != events.end() && std::find(events.begin(), moved, "modify " + name) == moved,
        "the file was written under its own name.",
        "If the program dies while it writes, the older state is gone and the new one is "
        "incomplete. Write another file in the same folder, then std::rename it.");
    judge.require(std::find(moved, events.end(), "modify " + name) == events.end(),
                  "the file was still being written after std::rename.",
                  "A stream writes its buffer when it is closed. Close it first: file.close(), or "
                  "a block { } around it.");
    judge.require(count("move") == 1,
                  "the file was replaced " + std::to_string(count("move")) + " times.",
                  "All ranks have the same weights: rank 0 alone writes them.");
}

void judge_content(Judge& judge, const std::string& path, const SaveCase& one,
                   const std::vector<float>& weights) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::size_t expected = sizeof(int) + weights.size() * sizeof(float);
    judge.require(bytes.size() == expected,
                  "the file has " + std::to_string(bytes.size()) + " bytes instead of " +
                      std::to_string(expected) + ".",
                  bytes.size() == weights.size() * sizeof(float) && !weights.empty()
                      ? "The step is missing before the weights."
                      : "It holds the step as an int, then all weights as floats, as they are in "
                        "memory: file.write with sizeof step and weights.size() * sizeof(float).");
    int step = 0;
    std::memcpy(&step, bytes.data(), sizeof step);
    std::vector<float> stored(weights.size());
    std::memcpy(stored.data(), bytes.data() + sizeof step, stored.size() * sizeof(float));
    judge.require(step == one.step,
                  "the file says step " + std::to_string(step) + " instead of " +
                      std::to_string(one.step) + ".",
                  "The step comes first, as an int, then the weights.");
    About about;
    about.what = "the weights in the file";
    judge.same(as_values(stored), as_values(weights), about);
}

// The older file is complete after a write that has failed. The answer may report it or not.
void judge_full_disk(Judge& judge, SaveCheckpoint::Answer answer, const SaveCase& one) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/training.bin";
    const std::vector<float> older(one.count, 7), weights(one.count, 8);
    write_checkpoint(path, one.step - 1, older);
    judge.call([&] {
        const FullDisk full(one.count * sizeof(float) * 3 / 4);
        try {
            simulate_ranks(one.ranks, [&](const Communicator& comm) {
                answer(comm, path, one.step, weights);
            });
        } catch (const std::exception&) {
            // as it should be
        }
    });
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::string advice =
        "A stream remembers that a write has failed: after file.close(), `if (!file)` throw an "
        "exception, before std::rename.";
    const std::size_t expected = sizeof(int) + older.size() * sizeof(float);
    judge.require(bytes.size() == expected,
                  "the disk was full, and the file at the path now has " +
                      std::to_string(bytes.size()) + " bytes: the older one, which had all " +
                      std::to_string(expected) + ", is lost.",
                  advice);
    judge.require(
        std::memcmp(bytes.data() + sizeof(int), older.data(), expected - sizeof(int)) == 0,
        "the disk was full, and the older file has changed.", advice);
}

void judge_case(Judge& judge, SaveCheckpoint::Answer answer, const SaveCase& one) {
    if (one.is_disk_full) {
        judge_full_disk(judge, answer, one);
        return;
    }
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/training.bin";
    std::vector<float> weights(one.count);
    for (std::size_t i = 0; i < one.count; ++i) weights[i] = 1 / (static_cast<float>(i) + 3);
    if (one.is_older_there) write_checkpoint(path, one.step - 1, std::vector<float>(one.count, 7));
    const FolderWatch watch(folder.path());
    judge.call([&] {
        return simulate_ranks(
            one.ranks, [&](const Communicator& comm) { answer(comm, path, one.step, weights); });
    });
    const std::vector<std::string> events = watch.events();
    judge.require(std::ifstream(path).good(), "there is no file at the path that was given.",
                  "Rank 0 writes a file and gives it this name by std::rename.");
    judge_events(judge, events);
    for (const std::string& name : folder.names())
        judge.require(name == "training.bin",
                      "the file " + name + " is left beside the checkpoint.",
                      "Only rank 0 writes, and its file is renamed.");
    judge_content(judge, path, one, weights);
}

}  // namespace

SaveCheckpoint::SaveCheckpoint()
    : Exercise(text_of<SaveCheckpoint>(
          "save_checkpoint",
          "Stores the step as an int and the weights as floats, in binary, in the file at `path`. "
          "Whenever a program dies or the disk is full, the file is complete: the older one or the "
          "new one. Rank 0 writes alone.",
          "about nine lines",
          "Write path + \".part\" by a std::ofstream with std::ios::binary, close it, throw an "
          "exception if (!file), and give it its name: std::rename(part.c_str(), path.c_str()).")) {
}

void SaveCheckpoint::check(Answer answer) const {
    const std::vector<SaveCase> cases{{2, 7, 10, false}, {2, 8, 10, true},
                                      {1, 3, 1, true},   {4, 20, 5000, true},
                                      {3, 5, 0, true},   {2, 9, 400000, true, true}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const SaveCase& one) {
        judge_case(judge, answer, one);
    });
}

}  // namespace lanes::exercises
