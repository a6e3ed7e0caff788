#include "lanes/parallel/worker_group.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

constexpr int most_deaths = 3;

}  // namespace

WorkerGroup::WorkerGroup(const char* name, int workers, Make make, OnDeath on_death,
                         WasToldToEnd was_told_to_end, bool in_background)
    : name_(name),
      make_(std::move(make)),
      on_death_(std::move(on_death)),
      was_told_to_end_(std::move(was_told_to_end)),
      owner_(getpid()),
      in_background_(in_background) {
    grow_to(workers);
}

WorkerGroup::~WorkerGroup() {
    for (const auto& worker : workers_) worker->terminate();
}

void WorkerGroup::grow_to(int workers) {
    while (size() < workers) {
        workers_.push_back(started(workers_.size()));
    }
}

std::unique_ptr<Process> WorkerGroup::started(std::size_t number) const {
    auto worker = make_(static_cast<int>(number));
    worker->listed_ = false;  // the group handles its death, not every wait
    worker->in_background_ = in_background_;
    worker->start();
    return worker;
}

void WorkerGroup::require_present() const {
    LANES_REQUIRE(owner_ == getpid(), name_,
                  ": its workers are gone. They belonged to the session before it was restored "
                  "after an error. Make it again.");
}

void WorkerGroup::check_workers() {
    require_present();
    const std::string name = std::string(name_) + ": ";
    for (std::size_t number = 0; number < workers_.size(); ++number) {
        Process& worker = *workers_[number];
        if (worker.alive()) continue;
        const int code = worker.exit_code().value_or(0);
        if (code == 0 && was_told_to_end_(worker)) continue;
        const std::string ending = worker.exit_description();
        const int with_job = on_death_(worker);
        if (code == 0)
            throw Error(name + ending +
                        ", but was not told that there are no more jobs. A worker takes jobs until "
                        "then, while (auto job = jobs.get()), and does not call exit.");
        if (code > 0)
            throw Error(name + ending + ". Fix the function that it runs, then start it again.");
        deaths_without_job_ = with_job > 0 ? 0 : deaths_without_job_ + 1;
        const bool job_kills = with_job >= most_deaths;
        const bool something_kills = deaths_without_job_ >= most_deaths * size();
        if (job_kills)
            throw Error(name + ending +
                        ", the third that this job has ended. Look at what it does with that job.");
        if (something_kills)
            throw Error(
                name + ending +
                " before it had a job, and so did those before it. Is there enough memory for " +
                std::to_string(size()) + " workers?");
        deaths_.push_back(ending);
        workers_[number] = started(number);
    }
}

bool WorkerGroup::finish(double seconds) {
    const Timer timer;
    bool all = true;
    for (const auto& worker : workers_)
        all = worker->join(std::max(0.0, seconds - timer.seconds())) && all;
    return all;
}

}  // namespace lanes
