#include "lanes/lesson/max_times.hpp"

#include "gpu_times.hpp"
#include "page_faults.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/ops/max.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <vector>

namespace lanes {

namespace {

using lesson::has_gpu;
using lesson::in_ms;
using Integers = MaxTimes::Integers;

constexpr int numbers_of_threads[] = {1, 2, 4, 8};

double seconds_now() {
    static const Timer clock;
    return clock.seconds();
}

Integers random_integers(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    Integers values = Integers::from_shape({rows, columns});
    Rng rng(seed);
    for (int& value : values) value = static_cast<int>(rng.integer(0, 255));
    return values;
}

// One launch of a lesson's CUDA kernel on matrices of this size.
LaunchReport launch_max(const CudaKernel& kernel, const std::string& name, const Buffer<int>& a,
                        const Buffer<int>& b, const Buffer<int>& c, int rows, int columns) {
    if (name == "max_2d")
        return launch(kernel, {{(columns + 31) / 32, (rows + 7) / 8}, {32, 8}}, a, b, c, rows,
                      columns);
    const int n = rows * columns, threads = name == "max_four" ? (n + 3) / 4 : n;
    int blocks = (threads + 255) / 256;
    // A loop makes any grid right: here one that fills the multiprocessors once.
    if (name == "max_any_grid" && has_gpu())
        blocks = std::min(blocks, 8 * static_cast<int>(a.device().limits().multiprocessors));
    return launch(kernel, {blocks, 256}, a, b, c, n);
}

void require_same(const Integers& got, const Integers& expected) {
    require_close(got, expected, Tolerance{0, 0});
}

// None in what students get: max_v2 answers questions of the lesson.
std::optional<CudaKernel> library_kernel(const Device& device) {
    const Program program = Program::from_file(device, "max.cu");
    const std::vector<std::string> names = program.kernel_names();
    if (std::find(names.begin(), names.end(), "max_v2") == names.end()) return std::nullopt;
    return program.kernel("max_v2");
}

std::string x_times(double ratio) { return with_unit(ratio, "x"); }

}  // namespace

MaxTimes::MaxTimes(Integers a, Integers b, int calls, SecondsPerCall seconds_per_call)
    : a_(std::move(a)), b_(std::move(b)), calls_(calls) {
    LANES_REQUIRE(a_.shape() == b_.shape() && a_.size() > 0 && calls > 0, "MaxTimes: ", a_.shape(),
                  " and ", b_.shape(), ", ", calls,
                  " calls. Give two matrices of one shape and at least one call.");
    seconds_per_call_ = answer_or(std::move(seconds_per_call),
                                  [](int calls, const std::function<void()>& f, const Now&) {
                                      return lanes::seconds_per_call(calls, f);
                                  });
}

const MaxTimes::Integers& MaxTimes::result_of_plain() const {
    LANES_REQUIRE(expected_, "MaxTimes: there is nothing to compare with. Call plain first.");
    return *expected_;
}

double MaxTimes::milliseconds(const Version& version) const {
    return 1e3 * seconds_per_call_(repetitions(calls_), [&] { version(a_, b_); }, seconds_now);
}

namespace {

// Whether what a call needs fits into the last-level cache; the system may not know its size.
std::string cache_for(double megabytes) {
    const long of_level[] = {sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE)};
    const double cache = 1e-6 * static_cast<double>(of_level[0] > 0 ? of_level[0] : of_level[1]);
    if (cache <= 0) return "the system does not say how large the last-level cache is.";
    return "the last-level cache holds " + with_unit(cache, "MB") + ", and the " +
           with_unit(megabytes, "MB") + " of a call " +
           (megabytes <= cache ? "fit into it." : "do not fit into it.");
}

}  // namespace

double MaxTimes::gigabytes_per_second(double milliseconds) const {
    return 12e-6 * static_cast<double>(a_.size()) / milliseconds;
}

void MaxTimes::plain(Version version) {
    plain_ = answer_or(std::move(version),
                       [](const Integers& a, const Integers& b) { return max_plain(a, b); });
    expected_ = plain_(a_, b_);
    plain_ms_ = milliseconds(plain_);
    std::cout << "plain loops: " << with_unit(plain_ms_, "ms") << " per call, "
              << with_unit(gigabytes_per_second(plain_ms_), "GB/s") << '\n'
              << "On this machine: " << cache_for(12e-6 * static_cast<double>(a_.size())) << '\n';
}

void MaxTimes::fast(Version version) {
    LANES_REQUIRE(expected_, "MaxTimes::fast: there is nothing to compare with. Call plain first.");
    fast_ = answer_or(std::move(version), [](const Integers& a, const Integers& b) {
        return max_fast(a, b, omp_get_max_threads());
    });
    for (const int threads : numbers_of_threads) {
        omp_set_num_threads(threads);
        require_same(fast_(a_, b_), *expected_);
    }
    omp_set_num_threads(num_workers());
    std::cout << "max_fast gives the same as max_plain with 1, 2, 4 and 8 threads.\n";
}

void MaxTimes::show_threads(const std::string& recorded) {
    LANES_REQUIRE(fast_,
                  "MaxTimes::show_threads: there is no version with threads. Call fast first.");
    Table table({"threads", "time", "bandwidth", "speed-up over plain"});
    threads_ms_.clear();
    for (const int threads : numbers_of_threads) {
        omp_set_num_threads(threads);
        const double ms = milliseconds(fast_);
        threads_ms_.push_back(ms);
        table.row(threads, with_unit(ms, "ms"), with_unit(gigabytes_per_second(ms), "GB/s"),
                  x_times(plain_ms_ / ms));
    }
    omp_set_num_threads(num_workers());
    lesson::show_recorded(table, recorded);
    const auto best = std::min_element(threads_ms_.begin(), threads_ms_.end());
    const bool one = best == threads_ms_.begin();
    std::cout << "On this machine: fastest with " << numbers_of_threads[best - threads_ms_.begin()]
              << (one ? " thread" : " threads")
              << (one && num_workers() > 1
                      ? ", though there are more cores. Did other programs use them? Run the cell "
                        "again.\n"
                      : ".\n");
    Plot plot("max_fast by number of threads");
    plot.x("threads").y("time per call in ms");
    plot.bars("max_fast", {"1", "2", "4", "8"}, threads_ms_).show();
}

double MaxTimes::gain_of_threads() const {
    LANES_REQUIRE(!threads_ms_.empty(),
                  "MaxTimes::gain_of_threads: nothing was measured. Call "
                  "show_threads first.");
    return threads_ms_.front() / threads_ms_.back();
}

double MaxTimes::best_of_threads() const {
    LANES_REQUIRE(!threads_ms_.empty(),
                  "MaxTimes: the times of max_fast are missing. Call "
                  "show_threads first.");
    return *std::min_element(threads_ms_.begin(), threads_ms_.end());
}

void MaxTimes::show_page_faults() const {
    Table table({"result goes to", "time", "page faults per page"});
    std::vector<double> times, shares;
    const std::size_t bytes = a_.size() * sizeof(int);
    auto into = [&](int* to) {
        const int *from_a = a_.data(), *from_b = b_.data();
#pragma omp parallel for
        for (std::size_t i = 0; i < a_.size(); ++i)
            to[i] = from_a[i] > from_b[i] ? from_a[i] : from_b[i];
    };
    auto add = [&](const char* result, const std::function<void()>& f) {
        f();  // warms up
        const double ms = 1e3 * lanes::seconds_per_call(calls_, f);
        const double before = lesson::page_faults();
        for (int call = 0; call < calls_; ++call) f();
        const double faults = (lesson::page_faults() - before) / calls_;
        const double pages = static_cast<double>(bytes) / 4096.0;
        times.push_back(ms), shares.push_back(faults / pages);
        table.row(result, with_unit(ms, "ms"), with_unit(100 * shares.back(), "%"));
    };
    Integers kept = Integers::from_shape(a_.shape());
    add("a matrix that exists", [&] { into(kept.data()); });
    add("a new matrix", [&] {
        Integers made = Integers::from_shape(a_.shape());
        into(made.data());
    });
    add("new pages of the operating system", [&] {
        const lesson::NewPages pages(bytes);
        into(static_cast<int*>(pages.start()));
    });
    table.note(machine_line()).show();
    // Used pages should cost what a matrix that exists costs, new ones more.
    const bool used = shares[1] < 0.1;
    const bool fits =
        times[2] > times[0] && (!used || std::fabs(std::log(times[1] / times[0])) < std::log(1.5));
    std::cout << "On this machine: the allocator gave the new matrix " << (used ? "used" : "new")
              << " pages"
              << (fits
                      ? ".\n"
                      : "; the times do not fit to that. Did other programs use the cores? Run the "
                        "cell again.\n");
}

void MaxTimes::show_versions(const std::string& text, const Version& max_gpu,
                             const std::string& recorded) {
    Table table({"version", "time", "speed-up over plain", "speed-up over fast"});
    const double fast_ms = best_of_threads();
    auto add = [&](const std::string& version, double ms) {
        table.row(version, in_ms(ms), ms > 0 ? x_times(plain_ms_ / ms) : "-",
                  ms > 0 ? x_times(fast_ms / ms) : "-");
    };
    add("max_plain", plain_ms_);
    add("max_fast, best number of threads", fast_ms);
    if (!has_gpu() || !lesson::is_filled_in(text)) {
        for (const char* version :
             {"your max_kernel, CUDA kernel time", "your max_kernel, end to end",
              "your max_gpu, which also loads the program", "library: max_v2, CUDA kernel time",
              "library: lanes::max_gpu, end to end"})
            add(version, 0);
        if (has_gpu()) table.note("max_kernel is not filled in yet: nothing was timed on the GPU");
        lesson::show_recorded(table, recorded);
        return;
    }
    const Device device = Device::best();
    const int n = static_cast<int>(a_.size());
    const Buffer<int> a(device, a_), b(device, b_), c(device, a_.size());
    const CudaKernel own = Program(device, text).kernel("max_kernel");
    const std::optional<CudaKernel> library = library_kernel(device);
    auto own_seconds = [&] { return launch(own, {1000, 1000}, a, b, c, n).kernel_seconds; };
    auto library_seconds = [&] { return launch(*library, {977, 256}, a, b, c, n).kernel_seconds; };
    own_seconds();
    require_same(c.download<Integers>(a_.shape()), result_of_plain());
    if (library) {
        library_seconds();
        require_same(c.download<Integers>(a_.shape()), result_of_plain());
    }
    const Version end_to_end = [&](const Integers& a, const Integers& b) {
        const Buffer<int> from_a(device, a), from_b(device, b), to(device, a.size());
        launch(own, {1000, 1000}, from_a, from_b, to, n);
        return to.download<Integers>(a.shape());
    };
    require_same(end_to_end(a_, b_), result_of_plain());
    add("your max_kernel, CUDA kernel time", lesson::kernel_ms(calls_, own_seconds));
    add("your max_kernel, end to end", milliseconds(end_to_end));
    add("your max_gpu, which also loads the program", milliseconds(max_gpu));
    if (library) {
        add("library: max_v2, CUDA kernel time", lesson::kernel_ms(calls_, library_seconds));
        add("library: lanes::max_gpu, end to end",
            milliseconds([](const auto& a, const auto& b) { return lanes::max_gpu(a, b); }));
    } else {
        table.note("The library's CUDA kernel is an answer of this lesson: it is not handed out.");
    }
    lesson::show_recorded(table, recorded);
}

void MaxTimes::show_kernels(const Kernels& kernels, const std::string& recorded) const {
    Table table({"CUDA kernel", "1000 x 1000", "8000 x 8000", "bandwidth, 8000 x 8000"});
    constexpr int large = 8000;
    const Device device = Device::best();
    std::vector<Buffer<int>> buffers;  // a, b and c for each of the two sizes
    if (has_gpu())
        for (const Integers& values :
             {a_, b_, a_, random_integers(large, large, 1), random_integers(large, large, 2),
              Integers(Integers::from_shape({large, large}))})
            buffers.emplace_back(device, values);
    for (const auto& [name, text] : kernels) {
        if (!has_gpu() || !lesson::is_filled_in(text)) {
            const char* why = has_gpu() ? "not filled in" : "no GPU here";
            table.row(name, why, why, "-");
            continue;
        }
        const CudaKernel kernel = Program(device, text).kernel(name);
        double ms[2];
        for (std::size_t size = 0; size < 2; ++size) {
            const Buffer<int>* on = &buffers[3 * size];
            const int rows = size ? large : static_cast<int>(a_.shape(0));
            const int columns = size ? large : static_cast<int>(a_.shape(1));
            auto run = [&, name = name] {
                return launch_max(kernel, name, on[0], on[1], on[2], rows, columns).kernel_seconds;
            };
            run();
            if (size == 0) require_same(on[2].download<Integers>(a_.shape()), result_of_plain());
            ms[size] = lesson::kernel_ms(calls_, run);
        }
        table.row(name, in_ms(ms[0]), in_ms(ms[1]),
                  with_unit(12e-6 * large * large / ms[1], "GB/s"));
    }
    lesson::show_recorded(table, recorded);
}

void MaxTimes::show_pinned(const Version& max_gpu, const Version& max_pinned,
                           const std::string& recorded) const {
    Table table({"part", "time", "bandwidth"});
    const double megabytes = 4e-6 * static_cast<double>(a_.size());
    auto add = [&](const char* part, double ms, bool copies) {
        table.row(part, in_ms(ms), ms > 0 && copies ? with_unit(megabytes / ms, "GB/s") : "-");
    };
    if (!has_gpu()) {
        for (const char* part :
             {"copy a to the GPU, ordinary memory", "copy a to the GPU, pinned",
              "copy c back, ordinary memory", "copy c back, pinned", "allocate and pin one matrix",
              "max_gpu, end to end", "max_pinned, end to end"})
            add(part, 0, false);
        lesson::show_recorded(table, recorded);
        return;
    }
    const Device device = Device::best();
    Buffer<int> on(device, a_.size());
    Integers back = a_;
    PinnedBuffer<int> pinned(device, a_.size());
    std::copy(a_.begin(), a_.end(), pinned.begin());
    auto ms = [&](const std::function<void()>& f) {
        f();
        return 1e3 * seconds_per_call_(repetitions(calls_), f, seconds_now);
    };
    auto upload = [&](const auto& from) {  // an upload may return before the GPU has read all of it
        return ms([&] { on.upload(from), device.synchronize(); });
    };
    add("copy a to the GPU, ordinary memory", upload(a_), true);
    add("copy a to the GPU, pinned", upload(pinned), true);
    add("copy c back, ordinary memory", ms([&] { on.download(back); }), true);
    add("copy c back, pinned", ms([&] { on.download(pinned); }), true);
    add("allocate and pin one matrix", ms([&] { PinnedBuffer<int>(device, a_.size()); }), false);
    auto whole = [&](const Version& version) {
        require_same(version(a_, b_), result_of_plain());
        return milliseconds(version);
    };
    add("max_gpu, end to end", whole(max_gpu), false);
    add("max_pinned, end to end", whole(max_pinned), false);
    lesson::show_recorded(table, recorded);
}

void MaxTimes::show_staying(const Staying& staying, const std::string& recorded) {
    staying_.reset();
    Table table({"launches per copy", "max_plain", "staying", "speed-up over plain"});
    for (const int times : {1, 10, 100, 1000, 10000}) {
        double ms = 0;
        if (has_gpu()) {
            require_same(staying(a_, b_, 1), result_of_plain());
            ms = 1e3 * seconds_per_call_(1, [&] { staying(a_, b_, times); }, seconds_now);
        }
        table.row(times, with_unit(times * plain_ms_, "ms"), in_ms(ms),
                  ms > 0 ? x_times(times * plain_ms_ / ms) : "-");
    }
    lesson::show_recorded(table, recorded);
    Table buffer({""});
    if (const Table* known = lesson::measured_or(table, recorded, buffer)) staying_ = *known;
    auto words = [&](double speed_up) {
        const auto launches = launches_for(speed_up);
        return launches ? compact(*launches) + " launches per copy" : std::string("never");
    };
    if (staying_)
        std::cout << (has_gpu() ? "Measured here" : "Recorded")
                  << ": the GPU wins from: " << words(1)
                  << ". A speed-up of 40 is reached from: " << words(40) << ".\n";
}

std::optional<double> MaxTimes::launches_for(double speed_up) const {
    std::optional<double> found;
    if (!staying_) return found;
    for (std::size_t row = staying_->rows(); row-- > 0;) {
        if (staying_->number(row, 3) < speed_up) break;
        found = staying_->number(row, 0);
    }
    return found;
}

void count_loads(const MaxTimes::Kernels& kernels) {
    constexpr int side = 64;
    Table table({"CUDA kernel", "loads of threads", "load requests", "sectors per request"});
    const Device device = Device::simulator();
    const Integers a = random_integers(side, side, 6), b = random_integers(side, side, 7);
    const Buffer<int> from_a(device, a), from_b(device, b), to(device, a.size());
    for (const auto& [name, text] : kernels) {
        if (!lesson::is_filled_in(text)) {
            table.row(name, "not filled in", "-", "-");
            continue;
        }
        const auto report =
            launch_max(Program(device, text).kernel(name), name, from_a, from_b, to, side, side);
        require_same(to.download<Integers>(a.shape()), max_plain(a, b));
        table.row(name, report.counters.global_loads, report.counters.global_load_requests,
                  report.load_sectors_per_request);
    }
    table.show();
}

void draw_blocks(int blocks, int threads) {
    LANES_REQUIRE(blocks >= 1 && blocks <= 4 && threads >= 1 && threads <= 8,
                  "draw_blocks: ", blocks, " blocks of ", threads,
                  " threads do not fit into the picture. Draw at most 4 blocks of 8.");
    Drawing picture(100 + 70 * threads, 58 + 44 * blocks);
    Style left;
    left.align = "left";
    const char* colours[] = {"#cfe5f3", "#fde3c0", "#d5eddb", "#f3d3e0"};
    for (int block = 0; block < blocks; ++block) {
        const double y = 40 + 44 * block;
        picture.text(10, y + 15, "block " + std::to_string(block), left);
        for (int thread = 0; thread < threads; ++thread) {
            const double x = 90 + 70 * thread;
            picture.rectangle(x, y, 66, 30, {colours[block]});
            picture.text(x + 33, y + 15, "c[" + std::to_string(threads * block + thread) + "]");
            if (block == 0) picture.text(x + 33, 24, "thread " + std::to_string(thread));
        }
    }
    const std::string size = std::to_string(threads);
    picture.text(90, 46 + 44 * blocks, "i = blockIdx.x * " + size + " + threadIdx.x", left);
    picture.show(std::to_string(blocks) + " blocks of " + size +
                 " threads: thread t of block b "
                 "computes c[" +
                 size + " b + t]");
}

}  // namespace lanes
