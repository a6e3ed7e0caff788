// Worker: starts processes of the student's class, gives them jobs and observes them. Whatever they
// do, the check ends.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::values_of;
using Make = WorkerClass::Make;

// Seconds for a few jobs of milliseconds, and for the end after them.
constexpr double patience = 20;
constexpr double patience_at_end = 3;

// The student's worker, run in a process of the check: its exceptions are reported, not printed.
class Watched : public Process {
public:
    Watched(std::unique_ptr<Process> inner, PipeQueue<std::string>& problems)
        : inner_(std::move(inner)), problems_(problems) {}
    void run() override {
        try {
            inner_->run();
        } catch (const NotFilledIn& stub) {
            problems_.put(std::string("!") + stub.what());
        } catch (const std::exception& error) {
            problems_.put(error.what());
        } catch (...) {
            problems_.put("something that is no std::exception");
        }
    }

private:
    std::unique_ptr<Process> inner_;
    PipeQueue<std::string>& problems_;
};

struct Given {
    Dataset images;
    std::vector<BatchJob> jobs;
};

// Batches of different sizes; one image comes twice in a job, and in more than one job.
Given given() {
    const std::size_t count = 20, pixels = 784;
    Given of{{Matrix(std::array<std::size_t, 2>{count, pixels}),
              xt::zeros<float>({count, std::size_t{10}})},
             {}};
    Rng(51).fill_uniform(of.images.x.data(), of.images.x.size(), 0.1f, 0.9f);
    for (std::size_t i = 0; i < count; ++i) of.images.y(i, (3 * i + 1) % 10) = 1;
    const std::vector<std::vector<std::uint64_t>> rows{
        {7, 2, 7}, {19}, {4, 0, 11, 5}, {7, 2, 7}, {1, 1}, {18, 3}, {6, 12, 13, 14, 15}};
    for (std::size_t i = 0; i < rows.size(); ++i)
        of.jobs.push_back(
            {40 + i, rows[i], rows_of(of.images, {rows[i].begin(), rows[i].end()}).y, {}});
    return of;
}

using Batches = std::map<std::uint64_t, ImageBatch>;

class Trial {
public:
    Trial(Judge& judge, const Make& make, const Given& of) : judge_(judge), make_(make), of_(of) {}

    // All jobs, done by so many workers; they must end by themselves.
    Batches batches(int workers, const AugmentationBounds& bounds, std::uint64_t seed,
                    const std::vector<BatchJob>& given_jobs) {
        lanes::Worker::Jobs jobs;
        PipeQueue<std::string> result, problems;
        for (const BatchJob& job : given_jobs) jobs.put(job);
        jobs.close();
        std::vector<std::unique_ptr<Watched>> started;
        for (int i = 0; i < workers; ++i) {
            started.push_back(std::make_unique<Watched>(
                judge_.call([&] { return make_(jobs, result, of_.images, bounds, seed); }),
                problems));
            started.back()->start();
        }
        Batches batches;
        const std::function<void()> nothing = [] {};
        Timer timer;
        bool running = true;
        while (running && timer.seconds() <
                              (batches.size() == given_jobs.size() ? patience_at_end : patience)) {
            const std::size_t before = batches.size();
            running = std::any_of(started.begin(), started.end(),
                                  [](const auto& worker) { return worker->alive(); });
            while (const auto message = result.get_for(running ? 0.02 : 0, &nothing))
                take(batches, *message, given_jobs);
            if (batches.size() > before) timer.restart();
        }
        if (const auto problem = problems.get_for(0, &nothing)) report(*problem);
        for (const auto& worker : started)
            if (!worker->alive() && worker->exit_code() != 0)
                judge_.fail("the " + worker->exit_description() + ".",
                            "Something in run has crashed, or called exit. Does the constructor "
                            "keep what it is given?");
        const std::string came = std::to_string(batches.size()) + " of " +
                                 std::to_string(given_jobs.size()) + " batches came";
        if (batches.size() < given_jobs.size())
            judge_.fail(
                came + (running ? ", and the workers still run." : ", then the workers ended."),
                batches.empty() ? "For each job, result.put(lanes::to_bytes(batch))."
                                : "run goes on until jobs.get() gives none: while (const auto job "
                                  "= jobs.get()) { … }");
        judge_.require(!running, "the jobs are closed and done, and the workers still run.",
                       "jobs.get() gives an empty std::optional when there will be no more jobs: "
                       "leave run then.");
        return batches;
    }

private:
    [[noreturn]] void report(const std::string& problem) {
        judge_.call([&] {
            if (problem[0] == '!') throw NotFilledIn(problem.substr(1));
        });
        judge_.fail("run threw an exception:\n" + problem);
    }

    void take(Batches& batches, const std::string& message, const std::vector<BatchJob>& jobs) {
        ImageBatch batch;
        try {
            batch = batch_of(message);
        } catch (const std::exception&) {
            judge_.fail("a message in result is no batch.",
                        "Put lanes::to_bytes(batch), once for each job.");
        }
        const std::string index = std::to_string(batch.index);
        const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const BatchJob& one) {
            return one.index == batch.index;
        });
        judge_.require(
            job != jobs.end(),
            "a batch has the index " + index + ", and no job has it: these are 40 to 46.",
            "The batch's index is its job's: job->index. By it the network finds the batch's "
            "place.");
        judge_.require(batches.count(batch.index) == 0, "two messages for job " + index + ".",
                       "A job is answered once, by one batch with all its images: put it after the "
                       "loop over the images.");
        judge_.require(
            batch.x.shape(0) == job->images.size() && batch.x.shape(1) == of_.images.x.shape(1),
            "job " + index + ": the images have shape " +
                lanes::detail::Part(batch.x.shape()).text() + ", expected (" +
                std::to_string(job->images.size()) + ", " + std::to_string(of_.images.x.shape(1)) +
                "): one row for each image of the job.");
        judge_.require(batch.y == job->labels, "job " + index + ": the labels are not the job's.",
                       "The batch's y is job->labels, as it is.");
        batches.emplace(batch.index, std::move(batch));
    }

    Judge& judge_;
    const Make& make_;
    const Given& of_;
};

// With bounds of 0, images come back as they are: each must be the one that its job names.
void judge_places(Judge& judge, const Batches& batches, const Given& of) {
    for (const BatchJob& job : of.jobs) {
        const Matrix expected = rows_of(of.images, {job.images.begin(), job.images.end()}).x;
        About about;
        about.what = "job " + std::to_string(job.index) + ", its images";
        const Matrix first = slice_of(of.images, 0, job.images.size()).x;
        about.known = {{values_of(first),
                        "These are images 0, 1, 2, …: the job names others, job->images[i]."},
                       {values_of(Matrix(xt::zeros<float>(expected.shape()))),
                        "All are black: write each processed image into its row of batch.x."}};
        judge.same(values_of(batches.at(job.index).x), values_of(expected), about);
    }
}

Matrix row_of(const Matrix& x, std::size_t row) {
    Matrix result(std::array<std::size_t, 2>{1, x.shape(1)});
    std::copy_n(x.data() + row * x.shape(1), x.shape(1), result.data());
    return result;
}

}  // namespace

WorkerClass::WorkerClass()
    : Exercise(text_of<WorkerClass>(
          "worker", {"Worker", "class Worker : public lanes::Process",
                     "run takes jobs until jobs.get() gives none. For each job it makes a batch of "
                     "the job's index, its images, each put\n"
                     "through process_image, and its labels, and puts it into result as "
                     "lanes::to_bytes(batch). Random arguments come from\n"
                     "lanes::Rng(seed).split(job->index): then a batch is the same whichever "
                     "worker makes it.",
                     "eight lines",
                     "while (const auto job = jobs.get()) { … } ends by itself when the jobs are "
                     "closed. job->images[i] is a row of images."})) {}

void WorkerClass::check_made(const Make& make) const {
    Judge judge(text());
    judge.look_at_type();
    const Given of = given();
    Trial trial(judge, make, of);
    const AugmentationBounds none{0, 0, 0, 0}, some{15, 2, 0.1, 0.1};
    const std::string from_index =
        "Random arguments come from the seed and the job's index: lanes::Rng rng = "
        "lanes::Rng(seed).split(job->index), for each job.";

    judge.begin("two workers, seven jobs, bounds of 0");
    judge_places(judge, trial.batches(2, none, 1, of.jobs), of);

    judge.begin("one worker, seven jobs, bounds that are not 0");
    const Batches alone = trial.batches(1, some, 1, of.jobs);
    const Matrix same_image = alone.at(40).x, other_index = alone.at(43).x;
    judge.require(row_of(same_image, 0) != row_of(of.images.x, 7),
                  "the images come back as they are.",
                  "Put each through process_image, with the bounds.");
    judge.require(row_of(same_image, 0) != row_of(same_image, 2),
                  "job 40 names image 7 twice, and both became the same.",
                  "One rng for the whole batch, made before the loop over the images: each image "
                  "then draws its own arguments.");
    judge.require(same_image != other_index,
                  "jobs 40 and 43 name the same images, and the batches are the same.", from_index);

    judge.begin("the same jobs, in another order, by three workers");
    std::vector<BatchJob> turned(of.jobs.rbegin(), of.jobs.rend());
    const Batches again = trial.batches(3, some, 1, turned);
    for (const auto& [index, batch] : alone)
        judge.require(batch.x == again.at(index).x,
                      "job " + std::to_string(index) + " gives other images than before.",
                      from_index);

    judge.begin("another seed");
    judge.require(trial.batches(2, some, 2, of.jobs).at(40).x != same_image,
                  "seeds 1 and 2 give the same images.", from_index);

    judge.begin("jobs with bounds of their own, which are 0");
    std::vector<BatchJob> with_bounds = of.jobs;
    for (BatchJob& job : with_bounds) job.bounds = none;
    const Batches unchanged = trial.batches(2, some, 1, with_bounds);
    judge.require(unchanged.at(41).x == row_of(of.images.x, 19),
                  "the worker's own bounds were taken.",
                  "Bounds that come with a job count: job->bounds.value_or(bounds).");
    judge.pass();
}

}  // namespace lanes::exercises
