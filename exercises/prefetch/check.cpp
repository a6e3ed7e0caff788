// prefetch: the workers are played by the check, which returns batches in any order and counts.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <string>

namespace lanes::exercises {

namespace {

using notebook::Judge;

struct PrefetchCase {
    std::string name;
    std::size_t jobs;
    std::size_t ahead;
    std::uint64_t first_index;
    enum class Arrive { in_order, last_first, at_random } arrive;
};
using Arrive = PrefetchCase::Arrive;

std::string words(const PrefetchCase& one) { return one.name; }

std::string text(std::size_t number) { return std::to_string(number); }

class Workers {
public:
    Workers(Judge& judge, const PrefetchCase& one) : judge_(judge), one_(one) {
        for (std::size_t i = 0; i < one.jobs; ++i) {
            jobs_.push_back({one.first_index + i, {i}, xt::zeros<float>({1, 10}), {}});
            jobs_.back().labels(0, i % 10) = 1;
        }
    }

    const std::vector<BatchJob>& jobs() const { return jobs_; }

    void put(const BatchJob& job) {
        judge_.require(put_ < one_.jobs, "more jobs were put than given.",
                       "Each of the given jobs is put once.");
        judge_.require(
            job.index == jobs_[put_].index,
            "job " + text(job.index) + " was put, and job " + text(jobs_[put_].index) + " is next.",
            "Put the jobs in their order, each once.");
        ++put_;
        made_.push_back(job.index);
        judge_.require(put_ - trained_ <= one_.ahead,
                       text(put_ - trained_) + " jobs were put and not yet trained on, at most " +
                           text(one_.ahead) + " are allowed.",
                       arrived_.empty()
                           ? "Put `ahead` jobs at first, and a further one only after a batch was "
                             "trained on. A batch that has arrived and waits for its turn counts, "
                             "too: it is in memory."
                           : "A batch that has arrived and waits for its turn counts, too: put the "
                             "next job after train, not after get.");
    }

    ImageBatch get() {
        judge_.require(!made_.empty(),
                       "get was called, and no batch is on its way: it would wait "
                       "for ever.",
                       "Call get only as long as the batch that is next has not arrived; there is "
                       "one batch per job.");
        judge_.require(put_ == one_.jobs || put_ - trained_ == one_.ahead,
                       "get was called with " + text(put_ - trained_) + " jobs under way, of " +
                           text(one_.ahead) + " that are allowed: workers are idle.",
                       "Before you wait for a batch, put jobs until `ahead` of them are under way, "
                       "or none is left.");
        std::size_t at = 0;
        if (one_.arrive == Arrive::last_first) at = made_.size() - 1;
        if (one_.arrive == Arrive::at_random)
            at = static_cast<std::size_t>(rng_.integer(0, static_cast<int>(made_.size()) - 1));
        const std::uint64_t index = made_[at];
        made_.erase(made_.begin() + static_cast<std::ptrdiff_t>(at));
        arrived_.push_back(index);
        const Matrix x = static_cast<float>(index) * xt::ones<float>({1, 4});
        return {index, x, jobs_[index - one_.first_index].labels};
    }

    void train(const ImageBatch& batch) {
        judge_.require(trained_ < one_.jobs, "a batch too many was trained on.",
                       "There is one batch per job.");
        const std::uint64_t next = jobs_[trained_].index;
        judge_.require(
            batch.index == next,
            "batch " + text(batch.index) + " was trained on, and batch " + text(next) + " is next.",
            std::find(arrived_.begin(), arrived_.end(), batch.index) == arrived_.end()
                ? "This batch has not arrived."
                : "Batches arrive in any order. Keep those that come early, in a std::map by their "
                  "index, until it is their turn: then the weights do not depend on who was "
                  "faster.");
        judge_.require(batch.x.size() == 4 && batch.x(0, 0) == static_cast<float>(batch.index) &&
                           batch.y == jobs_[trained_].labels,
                       "batch " + text(batch.index) + " is not as it came from get.",
                       "Keep the whole batch.");
        ++trained_;
        if (put_ == one_.jobs || one_.jobs <= one_.ahead) return;
        trained_before_all_put_ = true;
    }

    void finish() {
        judge_.require(trained_ == one_.jobs,
                       text(trained_) + " of " + text(one_.jobs) + " batches were trained on.",
                       trained_ < one_.jobs && put_ == one_.jobs
                           ? "All jobs are put, and some batches are still on their way: go on "
                             "until each was trained on."
                           : "Loop over all given jobs.");
        judge_.require(trained_before_all_put_ || one_.jobs <= one_.ahead,
                       "all jobs were put before the first batch was trained on.",
                       "Put `ahead` jobs at first, and one more after each training.");
    }

private:
    Judge& judge_;
    const PrefetchCase& one_;
    std::vector<BatchJob> jobs_;
    std::vector<std::uint64_t> made_, arrived_;
    std::size_t put_ = 0, trained_ = 0;
    bool trained_before_all_put_ = false;
    Rng rng_{3};
};

}  // namespace

PrefetchBatches::PrefetchBatches()
    : Exercise(text_of<PrefetchBatches>(
          "prefetch",
          {"prefetch", "void prefetch(given, ahead, put, get, train)",
           "Trains on the batches of all given jobs, in their order. put(job) hands a job to the "
           "workers, get() waits for the next batch,\nwhichever that is, and train(batch) trains. "
           "At most `ahead` jobs are put and not yet trained on; before it waits in get, as\nmany "
           "as allowed are put.",
           "ten lines",
           "For each job in turn: put jobs while fewer than `ahead` are under way; get batches "
           "into a std::map by their index until the one\nthat is next is there; train on it and "
           "erase it."})) {}

void PrefetchBatches::check(Answer answer) const {
    const std::vector<PrefetchCase> cases{
        {"4 jobs, 2 ahead, in order", 4, 2, 0, Arrive::in_order},
        {"6 jobs, 3 ahead, the newest arrives first", 6, 3, 0, Arrive::last_first},
        {"30 jobs, 8 ahead, at random", 30, 8, 0, Arrive::at_random},
        {"30 jobs that begin at index 300", 30, 4, 300, Arrive::at_random},
        {"5 jobs, 1 ahead", 5, 1, 0, Arrive::in_order},
        {"3 jobs, 8 ahead", 3, 8, 0, Arrive::last_first},
        {"1 job", 1, 4, 7, Arrive::in_order},
        {"no job", 0, 4, 0, Arrive::in_order}};
    notebook::judge_cases(this->text(), answer, cases, [&](Judge& judge, const PrefetchCase& one) {
        Workers workers(judge, one);
        judge.call([&] {
            answer(
                workers.jobs(), one.ahead, [&](const BatchJob& job) { workers.put(job); },
                [&] { return workers.get(); },
                [&](const ImageBatch& batch) { workers.train(batch); });
        });
        workers.finish();
    });
}

}  // namespace lanes::exercises
