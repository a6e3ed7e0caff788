// Lesson 04b: a recording of two workers and a network, drawn as profilers show it.
#include "lanes/lesson/pipelines.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/mlp/network.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/parallel/job_queue.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <xtensor/xview.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lanes {

namespace {

constexpr int recordings_per_title = 10;
constexpr std::size_t images_per_job = 64;  // four batches: bars that can be seen

// On Linux the steady clock is one for all processes of a machine.
double now_ms() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(since).count();
}

const char* name_of_row(int row) {
    constexpr const char* names[] = {"network", "worker 1", "worker 2"};
    return names[row];
}

}  // namespace

class Timeline::TimedWorker : public lanes::Process {
public:
    struct Queues {
        JobQueue<BatchJob> jobs;
        PipeQueue<std::string> result;
        PipeQueue<Span> spans;
    };

    TimedWorker(Queues& queues, const Timeline& of, int row)
        : queues_(queues), of_(of), row_(row) {}

    void run() override {
        queues_.spans.put({row_, 0, 0});  // ready
        while (const auto job = queues_.jobs.get()) {
            const double start = now_ms();
            Rng rng = Rng(1).split(job->index);
            const std::size_t pixels = of_.images_.x.shape(1);
            ImageBatch batch{job->index, Matrix::from_shape({job->images.size(), pixels}),
                             job->labels};
            for (std::size_t i = 0; i < job->images.size(); ++i) {
                const Matrix made =
                    of_.process_(of_.images_.image(job->images[i]), AugmentationBounds(), rng);
                std::copy(made.begin(), made.end(), batch.x.data() + i * pixels);
            }
            queues_.spans.put({row_, start, now_ms()});
            queues_.result.put(to_bytes(batch));
        }
    }

private:
    Queues& queues_;
    const Timeline& of_;
    int row_;
};

Timeline::Timeline(const Dataset& images, Sizes sizes, TrainingOptions options, Process process)
    : images_(images), sizes_(std::move(sizes)), options_(options), process_(std::move(process)) {
    options_.batches_per_epoch({});  // a job is one epoch of four steps
    Rng rng(4);
    for (std::uint64_t index = 0; index < 16; ++index) {
        std::vector<std::size_t> rows = rng.permutation(images.size());
        rows.resize(std::min(images_per_job, rows.size()));
        jobs_.push_back({index, {rows.begin(), rows.end()}, rows_of(images, rows).y, {}});
    }
}

double Timeline::length_of(const std::vector<Span>& spans) {
    double first = spans[0].start, last = 0;
    for (const Span& span : spans) {
        first = std::min(first, span.start);
        last = std::max(last, span.end);
    }
    return last - first;
}

std::vector<Timeline::Span> Timeline::run(std::size_t ahead, const Prefetch& prefetch) const {
    TimedWorker::Queues queues;
    TimedWorker one(queues, *this, 1), two(queues, *this, 2);
    one.start();
    two.start();
    queues.spans.get();
    queues.spans.get();  // both are ready
    NeuralNetwork network(sizes_, options_);
    std::vector<Span> spans;
    prefetch(
        jobs_, ahead, [&](const BatchJob& job) { queues.jobs.put(job); },
        [&] { return batch_of(queues.result.get()); },
        [&](const ImageBatch& batch) {
            const double start = now_ms();
            network.fit({batch.x, batch.y}, 1);
            spans.push_back({0, start, now_ms()});
        });
    queues.jobs.close();
    LANES_REQUIRE(spans.size() == jobs_.size(), "Timeline: ", spans.size(), " of ", jobs_.size(),
                  " batches were trained on. Look at the check of prefetch.");
    one.join();
    two.join();
    while (const auto span = queues.spans.get_for(0)) spans.push_back(*span);
    return spans;
}

void Timeline::record(const std::string& title, std::size_t ahead, const Prefetch& prefetch) {
    const Prefetch filled = answer_or(prefetch, spare::prefetch);
    Recording best{title, run(ahead, filled)};
    for (int i = 1; i < repetitions(recordings_per_title); ++i) {
        std::vector<Span> spans = run(ahead, filled);
        if (length_of(spans) < length_of(best.spans)) best.spans = std::move(spans);
    }
    recordings_.push_back(std::move(best));
}

double Timeline::milliseconds(std::size_t recording) const {
    LANES_REQUIRE(recording < recordings_.size(), "Timeline: recording ", recording, " of ",
                  recordings_.size(), ". Record it first.");
    return length_of(recordings_[recording].spans);
}

void Timeline::show() const {
    LANES_REQUIRE(!recordings_.empty(), "Timeline: nothing was recorded.");
    double longest = 0;
    for (const Recording& one : recordings_) longest = std::max(longest, length_of(one.spans));
    std::vector<std::string> header{""};
    for (const Recording& one : recordings_) {
        header.push_back(one.title);
        double first = one.spans[0].start;
        for (const Span& span : one.spans) first = std::min(first, span.start);
        Plot plot(one.title);
        plot.x("time in ms").range_x(0, longest).size(760, 240);
        for (const int row : {1, 2, 0}) {
            const std::string kind = row == 0 ? "trains" : "makes images";
            plot.span(name_of_row(row), kind, 0, 0);  // a row even if it was idle
            for (const Span& span : one.spans)
                if (span.row == row)
                    plot.span(name_of_row(row), kind, span.start - first, span.end - first);
        }
        plot.show();
    }
    Table table(header, "16 jobs of 64 images");
    for (const int row : {0, 1, 2}) {
        std::vector<std::string> cells{std::string(name_of_row(row)) + ", busy"};
        for (const Recording& one : recordings_) {
            double busy = 0;
            for (const Span& span : one.spans)
                if (span.row == row) busy += span.end - span.start;
            cells.push_back(with_unit(100 * busy / length_of(one.spans), "%"));
        }
        table.row(cells);
    }
    std::vector<std::string> total{"total time"};
    for (const Recording& one : recordings_) total.push_back(with_unit(length_of(one.spans), "ms"));
    table.row(total);
    table.note(machine_line()).show();
}

}  // namespace lanes
