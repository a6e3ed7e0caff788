// Times of the versions of an element-wise maximum, on the CPU and on a GPU, in the protocol of the
// notebook 02_elementwise_max. Each version is compared with the first one before it is timed.
//
//   #include <lanes/base.hpp>
//   #include <lanes/ops.hpp>
//   const auto seconds = [](int calls, const std::function<void()>& f, const auto&) {
//       return lanes::seconds_per_call(calls, f);
//   };
//   const xt::xtensor<int, 2> a{{1, 5}, {7, 2}}, b{{4, 3}, {6, 8}};
//   lanes::MaxTimes times(a, b, 20, seconds);
//   times.plain([](const auto& a, const auto& b) { return lanes::max_plain(a, b); });
//   times.fast([](const auto& a, const auto& b) { return lanes::max_fast(a, b); });
//   times.show_threads("");
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/table.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

class MaxTimes {
public:
    using Integers = xt::xtensor<int, 2>;
    using Version = std::function<Integers(const Integers& a, const Integers& b)>;
    using Now = std::function<double()>;  // seconds
    // How a time is measured: the seconds of one call of f.
    using SecondsPerCall =
        std::function<double(int calls, const std::function<void()>& f, const Now& now)>;
    // CUDA kernels of a lesson: name, and the CUDA source with a CUDA kernel of that name.
    using Kernels = std::vector<std::pair<std::string, std::string>>;

    // An answer that is not filled in is replaced by the library's version, which is said once.
    MaxTimes(Integers a, Integers b, int calls, SecondsPerCall seconds_per_call);

    void plain(Version version);  // prints its time and its bandwidth
    void fast(Version version);   // compares it with plain for 1, 2, 4 and 8 threads

    // For 1, 2, 4 and 8 threads: a table, with the recorded one of that name unless it is "", and a
    // plot.
    void show_threads(const std::string& recorded);
    double gain_of_threads() const;  // time with 1 thread / time with 8 threads

    // What memory costs that is written for the first time: a result that exists, a new one, and
    // new pages.
    void show_page_faults() const;

    // The rest times CUDA kernels, on a GPU only. Without one the tables say so, and the recorded
    // table of that name is shown, if there is one.

    // Two times of the CUDA kernel max_kernel, alone and end to end, and of max_gpu; beside them
    // the library's versions. text: CUDA source
    void show_versions(const std::string& text, const Version& max_gpu,
                       const std::string& recorded);
    // The steps of a call of max_gpu one by one, and a timeline of them.
    void show_parts(const std::string& text, const std::string& recorded);
    // CUDA kernel times for this size and for 8000 x 8000. A CUDA kernel of the name max_2d gets
    // blocks of two dimensions, and rows and columns; max_four a thread per four elements.
    void show_kernels(const Kernels& kernels, const std::string& recorded) const;
    // Copies from ordinary and from pinned memory, and both versions end to end.
    void show_pinned(const Version& max_gpu, const Version& max_pinned,
                     const std::string& recorded) const;
    // staying(a, b, times) for 1 to 10,000 launches per copy, beside as many calls of plain.
    using Staying = std::function<Integers(const Integers& a, const Integers& b, int times)>;
    void show_staying(const Staying& staying, const std::string& recorded);
    // Of the table of show_staying, measured or recorded: the launches per copy from which on the
    // GPU is so many times as fast as plain; nothing if it never is, or if there is no table.
    std::optional<double> launches_for(double speed_up) const;

private:
    const Integers& result_of_plain() const;
    double milliseconds(const Version& version) const;  // per call
    double gigabytes_per_second(double milliseconds) const;
    double best_of_threads() const;

    Integers a_, b_;
    int calls_;
    SecondsPerCall seconds_per_call_;
    std::optional<Integers> expected_;
    Version plain_, fast_;
    double plain_ms_ = 0;
    std::vector<double> threads_ms_;
    std::optional<Table> staying_;
};

// What the simulator counts for CUDA kernels with the parameters of max_kernel, for a and b of
// 64 x 64 numbers: loads of threads, load requests of warps, sectors per request. Launch shapes as
// in MaxTimes::show_kernels.
void count_loads(const MaxTimes::Kernels& kernels);

// Blocks of threads, and the element of c that each thread computes. At most 4 blocks of 8.
void draw_blocks(int blocks, int threads);

}  // namespace lanes
