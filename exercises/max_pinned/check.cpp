#include "exercise.hpp"

#include "../common/max.hpp"
#include "../common/needs.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <vector>

namespace lanes::exercises {

namespace {

// All copies to and from the device have pinned memory on their host side.
void require_pinned(notebook::Judge& judge, const std::vector<TracedCopy>& copies) {
    std::size_t to_device = 0, back = 0;
    for (const TracedCopy& copy : copies) {
        ++(copy.to_device ? to_device : back);
        if (copy.to_device)
            judge.require(copy.pinned, "a copy to the device reads ordinary, pageable memory.",
                          "Copy a and b into lanes::PinnedBuffer<int> first, and make the Buffer "
                          "of that one.");
        else
            judge.require(copy.pinned, "the copy back writes to ordinary, pageable memory.",
                          "Download into a PinnedBuffer: to.download(host_c); then copy it into "
                          "the result.");
    }
    judge.same_count(to_device, 2, "copies to the device", "a and b travel once each.");
    judge.same_count(back, 1, "copies back", "Only the result comes back.");
}

}  // namespace

MaxPinned::MaxPinned()
    : Exercise(text_of<MaxPinned>(
          "max_pinned",
          max_check::task + "On the device lanes::Device::best(), by max_kernel launched as "
                            "{1000, 1000}.\nEvery copy between host and device goes from or to a "
                            "lanes::PinnedBuffer.",
          "ten lines",
          "lanes::PinnedBuffer<int> host_a(device, a.size()); std::copy(a.begin(), a.end(), "
          "host_a.begin()); then Buffer<int> from_a(device, host_a). The result goes through a "
          "third one.")) {}

void MaxPinned::check(Answer answer) const {
    using max_check::Case;
    const std::vector<Case> cases{{3, 5}, {9, 1}, {37, 21}};
    notebook::judge_cases(text(), answer, cases, [&](notebook::Judge& judge, const Case& one) {
        const max_check::Given of = max_check::given(one);
        std::vector<TracedCopy> copies;
        notebook::run_on_devices(
            judge, {1000, 1000},
            [&] {
                const LaunchTrace trace;
                Integers got = answer(of.a, of.b);
                copies = trace.copies();
                return got;
            },
            [&](const Integers& got) {
                max_check::compare(judge, got, of);
                require_pinned(judge, copies);
            });
    });
}

}  // namespace lanes::exercises
