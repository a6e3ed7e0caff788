// make_all: batches in order, whoever makes them; no process is left.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Answer = MakeAll::Answer;
using Batches = std::vector<ImageBatch>;

Dataset images() {
    Dataset result{Matrix::from_shape({20, 784}), xt::zeros<float>({20, 10})};
    Rng(5).fill_uniform(result.x.data(), result.x.size(), 0.1F, 0.9F);
    for (std::size_t i = 0; i < 20; ++i) result.y(i, i % 10) = 1;
    return result;
}

// Job i names images i, i + 3, … The first job may be larger: with several workers its batch comes
// last.
std::vector<BatchJob> jobs(std::size_t number, std::size_t others, std::size_t first = 0) {
    std::vector<BatchJob> result;
    for (std::size_t i = 0; i < number; ++i) {
        const std::size_t size = i == 0 && first > 0 ? first : others;
        BatchJob job{i, {}, xt::zeros<float>({size, std::size_t{10}}), {}};
        for (std::size_t k = 0; k < size; ++k) {
            job.images.push_back((i + 3 * k) % 20);
            job.labels(k, job.images[k] % 10) = 1;
        }
        result.push_back(job);
    }
    return result;
}

constexpr const char* hangs =
    "Start the workers, put the jobs, close the queue, and then get one result per job. Without "
    "jobs.close() the workers wait for\nmore jobs, and join waits for the workers. If Worker has "
    "not passed its check, its processes may have died: repair it first.";

// What made_all did well with small batches, and not with one that is larger than a pipe.
constexpr const char* hangs_with_large_batches =
    "Small batches went well. A large one does not fit into the pipe of the result queue: its "
    "worker waits in put until somebody gets it,\nand a join that stands before the calls of get "
    "waits for that worker: a deadlock. First get one result per job, then join.";

Batches made(IsolatedCheck& check, Answer answer, const std::vector<BatchJob>& given, int workers,
             const AugmentationBounds& bounds, const char* if_it_hangs = hangs) {
    static const Dataset data = images();
    check.step("make_all of " + count_of(given.size(), "job") + " with " +
                   count_of(static_cast<std::size_t>(workers), "worker"),
               if_it_hangs, "It crashed. Is there one element per job in what it returns?");
    return answer(given, workers, data, bounds, 7);
}

// The processes that this one has started and that were not waited for.
std::vector<int> children_of(int pid) {
    std::vector<int> result;
    const std::string id = std::to_string(pid);
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    for (int child = 0; file >> child;) result.push_back(child);
    return result;
}

void require_batches(IsolatedCheck& check, const Batches& got, const std::vector<BatchJob>& given) {
    check.require(got.size() == given.size(),
                  count_of(given.size(), "job") + " were given, and " +
                      count_of(got.size(), "batch") + " came back.",
                  "One batch per job.");
    for (std::size_t i = 0; i < got.size(); ++i) {
        check.require(
            got[i].index == i,
            "batch " + std::to_string(i) + " has the index " + std::to_string(got[i].index) + ".",
            "Batches arrive in any order. Each carries the index of its job: put it "
            "there, batches[batch.index].");
        check.require(got[i].x.shape(0) == given[i].images.size() && got[i].y == given[i].labels,
                      "batch " + std::to_string(i) + " has not the images and labels of job " +
                          std::to_string(i) + ".",
                      "Return the batches as the workers made them.");
    }
}

void plain(IsolatedCheck& check, Answer answer, std::size_t number, std::size_t size, int workers) {
    const auto given = jobs(number, size);
    const Batches got = made(check, answer, given, workers, {0, 0, 0, 0});
    require_batches(check, got, given);
    const Dataset data = images();
    for (std::size_t i = 0; i < got.size(); ++i)
        check.require(got[i].x == rows_of(data, {given[i].images.begin(), given[i].images.end()}).x,
                      "with bounds of 0, batch " + std::to_string(i) +
                          " has other images than its job names.",
                      "Give the workers the images and the bounds that make_all was given.");
    const std::size_t left = children_of(getpid()).size();
    check.require(left == 0,
                  "make_all has returned, and " + count_of(left, "process") +
                      (left == 1 ? " is" : " are") + " still there.",
                  "Close the jobs, so that the workers end, and join each of them.");
}

void by_any_number(IsolatedCheck& check, Answer answer) {
    const auto given = jobs(9, 3, 600);
    const AugmentationBounds some{15, 2, 0.1, 0.1};
    const Batches one = made(check, answer, given, 1, some, hangs_with_large_batches),
                  three = made(check, answer, given, 3, some, hangs_with_large_batches);
    require_batches(check, one, given);
    require_batches(check, three, given);
    for (std::size_t i = 0; i < one.size(); ++i)
        check.require(one[i].x == three[i].x,
                      "one worker and three workers make different batches.",
                      "All workers get the same seed, the one that make_all was given.");
    const Dataset data = images();
    check.require(one[0].x != rows_of(data, {given[0].images.begin(), given[0].images.end()}).x,
                  "the images come back as they are.", "Give the workers the bounds.");
}

// Each of the workers must have been started: a worker is seen as a child of this process.
void at_once(IsolatedCheck& check, Answer answer) {
    PipeQueue<int> seen;
    const int parent = getpid();
    check.step("four workers are counted", "");
    Actor spy(check, "an observer", [&] {
        std::size_t most = 0;
        for (int i = 0; i < 1500 && most < 5; ++i) {
            most = std::max(most, children_of(parent).size());
            pause(1);
        }
        seen.put(static_cast<int>(most) - 1);
    });
    made(check, answer, jobs(150, 16), 4, {15, 2, 0.1, 0.1});
    const int most = seen.get();
    check.require(most >= 4,
                  "4 workers were asked for, and at most " +
                      count_of(static_cast<std::size_t>(std::max(most, 0)), "process") +
                      " ran at the same time.",
                  "Start all of them before you wait for a result; a std::vector of "
                  "std::unique_ptr<Worker> holds any number.");
    spy.finish(check, "", "");
}

}  // namespace

MakeAll::MakeAll()
    : Exercise(text_of<MakeAll>(
          "make_all",
          {"make_all", "std::vector<lanes::ImageBatch> make_all(…)",
           "Makes the batches of all given jobs with so many workers, and returns them in the "
           "order of the jobs: job i has index i.\nAt the end no worker runs any more.",
           "a dozen lines",
           "Jobs jobs; lanes::PipeQueue<std::string> result; then start the workers, put the jobs, "
           "close the queue,\nget one result per job, and join the workers."})) {}

void MakeAll::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const auto play = [&](const char* what, const auto& scene) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { scene(isolated); });
    };
    play("three jobs, one worker", [&](IsolatedCheck& c) { plain(c, answer, 3, 2, 1); });
    play("seven jobs, three workers", [&](IsolatedCheck& c) { plain(c, answer, 7, 4, 3); });
    play("one job, four workers", [&](IsolatedCheck& c) { plain(c, answer, 1, 1, 4); });
    play("no job", [&](IsolatedCheck& c) { plain(c, answer, 0, 1, 2); });
    play("the same jobs by one worker and by three",
         [&](IsolatedCheck& c) { by_any_number(c, answer); });
    play("four workers at the same time", [&](IsolatedCheck& c) { at_once(c, answer); });
    judge.pass();
}

}  // namespace lanes::exercises
