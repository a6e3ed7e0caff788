#include "batch_maker.hpp"

#include "lanes/base/error.hpp"

#include <utility>

namespace lanes::augmented {

void BatchMaker::put(const BatchJob& job) {
    // While there is no room for the job, results are taken in: workers whose results nobody takes do not come for jobs.
    while (!jobs_.put_for(job, 0.001))
        while (receive(0)) {
        }
    ++open_;
    on_put();
}

// A batch may come twice: its worker died after it was sent, and another one has made it again. Both are the same.
void BatchMaker::arrived(std::uint64_t index, Batch batch) {
    if (index >= next_ && early_.emplace(index, std::move(batch)).second) --open_;
}

bool BatchMaker::ready() {
    while (early_.count(next_) == 0 && receive(0)) {
    }
    return early_.count(next_) > 0;
}

void BatchMaker::collect(const std::function<bool()>& enough) {
    constexpr double moment = 0.001;  // seconds
    while (open_ > 0 && !enough()) receive(moment);
}

Batch BatchMaker::take() {
    while (early_.count(next_) == 0) receive(forever);
    return std::move(early_.extract(next_++).mapped());
}

}  // namespace lanes::augmented
