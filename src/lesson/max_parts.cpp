// MaxTimes::show_parts: the steps of a call of max_gpu, and a timeline of them.
#include "gpu_times.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/lesson/max_times.hpp"
#include "lanes/notebook/plot.hpp"

#include <iostream>
#include <vector>

namespace lanes {

namespace {

using lesson::has_gpu;

struct Parts {
    std::vector<double> ms =
        std::vector<double>(5, 0.0);  // allocate, copy a, copy b, launch, copy c
    double on_gpu = 0;                // of the launch: the CUDA kernel itself
};

Parts timed_parts(const CudaKernel& kernel, const MaxTimes::Integers& a,
                  const MaxTimes::Integers& b, const MaxTimes::Integers& expected) {
    Parts parts;
    const Device device = Device::best();
    MaxTimes::Integers fetched = MaxTimes::Integers::from_shape(a.shape());
    for (int round = 0; round < 2; ++round) {  // the first round warms up
        parts.ms.clear();
        Timer clock;
        auto step_ends = [&] { parts.ms.push_back(clock.milliseconds()), clock.restart(); };
        Buffer<int> p(device, a.size()), q(device, a.size()), r(device, a.size());
        step_ends();
        p.upload(a), step_ends();
        q.upload(b), step_ends();
        const auto report = launch(kernel, {1000, 1000}, p, q, r, static_cast<int>(a.size()));
        step_ends();
        r.download(fetched), step_ends();
        parts.on_gpu = 1e3 * report.kernel_seconds;
    }
    require_close(fetched, expected, Tolerance{0, 0});
    return parts;
}

void draw_timeline(const Table& table) {
    Plot timeline(std::string("max_gpu: copies and CUDA kernel, ") +
                  (has_gpu() ? "measured here" : "recorded, NVIDIA H200"));
    timeline.x("time in ms").size(680, 260);
    const char* rows[] = {"host", "copies", "copies", "host", "GPU", "copies"};
    const char* kinds[] = {"allocate",        "copy to GPU", "copy to GPU",
                           "launch and wait", "max_kernel",  "copy back"};
    double now = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        const double ms = table.number(i, 1);
        const bool inside = i == 4;  // max_kernel runs during "launch and wait"
        if (!inside) now += ms;
        timeline.span(rows[i], kinds[i], now - ms, now);
    }
    timeline.show();
}

}  // namespace

void MaxTimes::show_parts(const std::string& text, const std::string& recorded) {
    LANES_REQUIRE(expected_,
                  "MaxTimes::show_parts: there is nothing to compare with. Call plain "
                  "first.");
    Table table({"part", "duration", "bandwidth", "data sheet (H200)"});
    Parts parts;
    const bool known = has_gpu() && lesson::is_filled_in(text);
    if (known)
        parts = timed_parts(Program(Device::best(), text).kernel("max_kernel"), a_, b_, *expected_);
    auto part = [&](const char* name, double ms, double megabytes, const char* limit) {
        table.row(name, lesson::in_ms(ms),
                  known && megabytes > 0 ? with_unit(megabytes / ms, "GB/s") : "-", limit);
    };
    const double megabytes = 4e-6 * static_cast<double>(a_.size());
    part("allocate three buffers", parts.ms[0], 0, "-");
    part("copy a to the GPU", parts.ms[1], megabytes, "64 GB/s");
    part("copy b to the GPU", parts.ms[2], megabytes, "64 GB/s");
    part("launch max_kernel and wait", parts.ms[3], 0, "-");
    part("of that, max_kernel on the GPU", parts.on_gpu, 3 * megabytes, "4800 GB/s");
    part("copy c back", parts.ms[4], megabytes, "64 GB/s");
    lesson::show_recorded(table, recorded);

    Table buffer({""});
    const Table* shown = lesson::measured_or(table, recorded, buffer);
    if (!shown || (has_gpu() && !known)) return;
    draw_timeline(*shown);
    auto ms = [&](std::size_t row) { return shown->number(row, 1); };
    const double copies = ms(1) + ms(2) + ms(5), total = ms(0) + copies + ms(3);
    std::cout << (known ? "measured here" : "recorded on an NVIDIA H200") << ": copies "
              << with_unit(100 * copies / total, "%") << " of the time, max_kernel "
              << with_unit(100 * ms(4) / total, "%") << '\n';
}

}  // namespace lanes
