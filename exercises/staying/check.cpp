#include "exercise.hpp"

#include "../common/max.hpp"
#include "../common/needs.hpp"
#include "gpu/trace_log.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

struct TimesCase {
    max_check::Case shape;
    int times;
};

std::string words(const TimesCase& one) {
    return max_check::words(one.shape) + ", times = " + std::to_string(one.times);
}

}  // namespace

Staying::Staying()
    : Exercise(text_of<Staying>(
          "staying",
          max_check::task + "On the device lanes::Device::best(), by max_kernel launched `times` "
                            "times as {1000, 1000}, without waiting between them.\na and b are "
                            "copied to the device once, and the result is copied back once, "
                            "however large times is.",
          "eight lines",
          "The lines of max_gpu, with a loop around lanes::launch_async alone: buffers and "
          "program.kernel(\"max_kernel\") stand before the loop, download stands after it.")) {}

void Staying::check(Answer answer) const {
    const std::vector<TimesCase> cases{{{3, 5}, 1}, {{21, 37}, 3}, {{1, 9}, 2}};
    notebook::Judge judge(text());
    judge.look_at(answer);
    std::size_t lookups = 0;  // the most in a call
    for (const TimesCase& one : cases) {
        judge.begin(words(one));
        const max_check::Given of = max_check::given(one.shape);
        std::size_t to_device = 0, back = 0, launches = 0, waiting = 0;
        notebook::run_on_devices(
            judge, {1000, 1000},
            [&] {
                const LaunchTrace trace;
                const std::size_t before = gpu::kernel_lookups();
                Integers got = answer(of.a, of.b, one.times);
                lookups = std::max(lookups, gpu::kernel_lookups() - before);
                to_device = back = 0;
                for (const TracedCopy& copy : trace.copies()) ++(copy.to_device ? to_device : back);
                launches = trace.launches().size();
                waiting = 0;
                for (const TracedLaunch& launch : trace.launches()) waiting += launch.waits;
                return got;
            },
            [&](const Integers& got) {
                max_check::compare(judge, got, of);
                judge.same_count(launches, static_cast<std::size_t>(one.times), "launches",
                                 "Launch max_kernel `times` times.");
                judge.same_count(to_device, 2, "copies to the device",
                                 "a and b travel once: make their buffers before the loop.");
                judge.same_count(back, 1, "copies back",
                                 "Only the last result is wanted: download after the loop.");
                judge.same_count(waiting, 0, "launches that the host waits for",
                                 "lanes::launch waits for each one. Use lanes::launch_async: "
                                 "download waits for all of them.");
            });
    }
    judge.pass_with(std::to_string(cases.size()) + " cases" +
                    (lookups <= 1
                         ? ""
                         : ". But max_kernel is looked up " + std::to_string(lookups) +
                               " times in one call, which takes the host longer than a launch: "
                               "program.kernel(\"max_kernel\"), and the program, stand before the "
                               "loop"));
}

}  // namespace lanes::exercises
