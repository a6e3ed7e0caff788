#include "lanes/lesson/product_times.hpp"

#include "gpu_times.hpp"
#include "product_kernels.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/ops/matmul_transpose.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace lanes {

namespace {

using lesson::has_gpu;
using lesson::in_ms;
using lesson::OwnKernel;

constexpr Tolerance rounding{1e-4, 1e-4};
constexpr Tolerance large_rounding{1e-2, 1e-3};

double rows_of(const Matrix& x) { return static_cast<double>(x.shape(0)); }
double columns_of(const Matrix& x) { return static_cast<double>(x.shape(1)); }

// X has n rows and m columns: the operations of the definition of X times its transpose.
double useful_operations(double n, double m) { return 2 * n * n * m; }

double gigaflops(double operations, double ms) { return operations / (ms * 1e6); }

Matrix random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    Matrix values = Matrix::from_shape({rows, columns});
    Rng(seed).fill_uniform(values.data(), values.size(), -1, 1);
    return values;
}

Matrix library_gpu(const Matrix& x) { return matmul_transpose_gpu(x); }

double library_kernel_ms(const Matrix& x, int calls, std::optional<int> version) {
    return lesson::kernel_ms(calls, [&] {
        return run_matmul_transpose_gpu(x, Device::best(), version).report.kernel_seconds();
    });
}

double whole_ms(const Matrix& x, int calls, const ProductTimes::Version& version) {
    return 1e3 * seconds_per_call(calls, [&] { version(x); });
}

// Blocks that compute a tile of edge x edge entries each.
double tiles_of(double rows, double edge, bool upper_half) {
    const double tiles = std::ceil(rows / edge);
    return upper_half ? tiles * (tiles + 1) / 2 : tiles * tiles;
}

void add_measured(Table& table, const std::string& name, double tiles, double edge, double columns,
                  double ms) {
    const double operations = tiles * edge * edge * 2 * columns;
    table.row(name, tiles, in_ms(ms),
              ms > 0 ? with_unit(gigaflops(operations, ms), "GFLOP/s") : "-");
}

}  // namespace

ProductTimes::ProductTimes(Matrix x, int calls) : x_(std::move(x)), calls_(calls) {
    LANES_REQUIRE(x_.size() > 0 && calls > 0, "ProductTimes: ", x_.shape(), " and ", calls,
                  " calls. Give a matrix with elements and at least one call.");
}

const Matrix& ProductTimes::result_of_plain() const {
    LANES_REQUIRE(expected_, "ProductTimes: there is nothing to compare with. Call plain first.");
    return *expected_;
}

double ProductTimes::milliseconds(const Version& version) const {
    return whole_ms(x_, calls_, version);
}

void ProductTimes::plain(Version version) {
    plain_ =
        answer_or(std::move(version), [](const Matrix& x) { return matmul_transpose_plain(x); });
    expected_ = plain_(x_);
    plain_ms_ = whole_ms(x_, std::max(1, calls_ / 10), plain_);  // slow: a tenth of the calls
    const double useful = useful_operations(rows_of(x_), columns_of(x_));
    std::cout << "three loops: " << with_unit(plain_ms_, "ms") << " per call, "
              << with_unit(gigaflops(useful, plain_ms_), "GFLOP/s") << '\n';
}

void ProductTimes::fast(Version version) {
    LANES_REQUIRE(expected_,
                  "ProductTimes::fast: there is nothing to compare with. Call plain first.");
    const auto library = [](const Matrix& x) { return matmul_transpose_fast(x); };
    fast_ = answer_or(std::move(version), library);
    require_close(fast_(x_), *expected_, rounding);
    fast_ms_ = milliseconds(fast_);
    library_ms_ = milliseconds(library);
    std::cout << "Your version is " << with_unit(plain_ms_ / fast_ms_, "x")
              << " as fast as three loops, the library's "
              << with_unit(plain_ms_ / library_ms_, "x") << " as fast.\n"
              << "On this machine: " << (library_ms_ < fast_ms_ ? "the library's" : "your")
              << " version wins.\n";
}

void ProductTimes::show_limits() const {
    const double n = rows_of(x_), m = columns_of(x_), useful = useful_operations(n, m);
    const double once = 4 * (n * m + n * n);  // bytes of X and C, each moved once
    const lesson::H200 gpu;
    Table table({"limit", "value"}, "Computed from the data sheet of an H200");
    table.row("at the peak rate of all multiprocessors", with_unit(useful / gpu.peak * 1e-3, "µs"));
    table.row("at the peak rate of one",
              with_unit(useful / gpu.peak * gpu.multiprocessors * 1e-3, "µs"));
    table.row("moving X and C once at the memory's bandwidth",
              with_unit(once / gpu.dram * 1e-3, "µs"));
    table.row("operations per byte, if each number is moved once", useful / once);
    table.show();
}

void ProductTimes::show_traffic() {
    // Counters are the same for every order of the threads: one order is enough here.
    const Device simulator = Device::simulator().with(Checks::one_schedule());
    const int rows = 256, columns = 64;
    const Matrix x = random_matrix(rows, columns, 2), expected = matmul_transpose_plain(x);
    Table table({"CUDA kernel", "blocks", "operations executed", "bytes loaded", "bytes stored",
                 "sectors per store", "operations per byte", "bank conflicts"});
    auto add = [&](const std::string& name, const LaunchReport& report, double tiles, double edge) {
        const double operations = tiles * edge * edge * 2 * columns;
        const double loaded = 32.0 * static_cast<double>(report.counters.global_load_sectors);
        const double stored = 32.0 * static_cast<double>(report.counters.global_store_sectors);
        table.row(name, report.config.grid.count(), with_unit(1e-6 * operations, "million"),
                  with_unit(1e-6 * loaded, "MB"), with_unit(1e-6 * stored, "MB"),
                  report.store_sectors_per_request, operations / (loaded + stored),
                  report.counters.shared_bank_conflicts);
        return operations / (loaded + stored);
    };
    for (const OwnKernel& own : lesson::own_kernels(kernels_)) {
        if (!lesson::is_filled_in(own.text)) {
            table.row(own.name, "not filled in", "-", "-", "-", "-", "-", "-");
            continue;
        }
        const Buffer<float> from(simulator, x), to(simulator, expected.size());
        const CudaKernel kernel = Program(simulator, own.text).kernel(own.name);
        const LaunchReport report = launch(kernel, own.shape(rows), from, to, rows, columns);
        require_close(to.download<Matrix>(expected.shape()), expected, rounding);
        const double intensity = add(own.name, report, own.tiles(rows), own.edge(rows));
        if (own.name == "matmul_kernel") v1_intensity_ = intensity;
    }
    const auto library = run_matmul_transpose_gpu(x, simulator, 4);
    require_close(library.result, expected, rounding);
    add("library, v4", library.report.launch, tiles_of(rows, 128, true), 128);
    table.show();
}

void ProductTimes::show_measured(const std::string& recorded) {
    Table table({"version and size of X", "blocks", "time", "executed rate"});
    const int large_side = 4096;
    const double rows = rows_of(x_), columns = columns_of(x_);
    const double edges[] = {0, 0, 32, 64, 128};  // by version
    const auto own = lesson::own_kernels(kernels_);
    const std::string size =
        ", " + std::to_string(x_.shape(0)) + " x " + std::to_string(x_.shape(1));
    own_ms_ = lesson::own_ms(own[0], x_, result_of_plain(), calls_, rounding);
    add_measured(table, "v1, your matmul_kernel" + size, 1, rows, columns, own_ms_);
    add_measured(table, "v2" + size, tiles_of(rows, 32, false), 32, columns,
                 lesson::own_ms(own[1], x_, result_of_plain(), calls_, rounding));
    for (const int v : {3, 4})
        add_measured(table, "v" + std::to_string(v) + size, tiles_of(rows, edges[v], true),
                     edges[v], columns, library_kernel_ms(x_, calls_, v));
    add_measured(table, "v4 with tiles of 64 by 64" + size, tiles_of(rows, 64, true), 64, columns,
                 library_kernel_ms(x_, calls_, std::nullopt));
    const Matrix large = random_matrix(has_gpu() ? large_side : 1, large_side, 3);
    const Matrix large_c = matmul_transpose_fast(large);
    add_measured(table, "v2, 4096 x 4096", tiles_of(large_side, 32, false), 32, large_side,
                 lesson::own_ms(own[1], large, large_c, 5, large_rounding));
    for (const int v : {3, 4}) {
        if (has_gpu())
            require_close(run_matmul_transpose_gpu(large, Device::best(), v).result, large_c,
                          large_rounding);
        add_measured(table, "v" + std::to_string(v) + ", 4096 x 4096",
                     tiles_of(large_side, edges[v], true), edges[v], large_side,
                     library_kernel_ms(large, 5, v));
    }
    lesson::show_recorded(table, recorded);
    Table buffer({""});
    measured_.reset();
    if (const Table* known = lesson::measured_or(table, recorded, buffer)) measured_ = *known;
}

void ProductTimes::show_own(const std::string& recorded) const {
    Table table({"your CUDA kernel and size of X", "tiles computed", "time", "executed rate"});
    const int large_side = 4096;
    const Matrix large = random_matrix(has_gpu() ? large_side : 1, large_side, 3);
    const Matrix large_c = matmul_transpose_fast(large);
    for (const bool is_large : {false, true})
        for (const OwnKernel& own : lesson::own_kernels(kernels_)) {
            if (own.name == "matmul_kernel") continue;
            const double rows = is_large ? large_side : rows_of(x_);
            const double columns = is_large ? large_side : columns_of(x_);
            const double ms = is_large
                                  ? lesson::own_ms(own, large, large_c, 5, large_rounding)
                                  : lesson::own_ms(own, x_, result_of_plain(), calls_, rounding);
            add_measured(table, own.name + ", " + compact(rows) + " x " + compact(columns),
                         own.tiles(rows), own.edge(rows), columns, ms);
        }
    lesson::show_recorded(table, recorded);
}

void ProductTimes::show_large(const std::string& recorded) const {
    Table table({"4096 x 4096", "time", "speed-up over the CPU"});
    const Matrix large = random_matrix(has_gpu() ? 4096 : 1, 4096, 3);
    double cpu_ms = 0;
    auto add = [&](const char* name, double ms, const char* otherwise = "no GPU here") {
        if (cpu_ms == 0) cpu_ms = ms;
        table.row(name, ms > 0 ? in_ms(ms) : otherwise, ms > 0 ? with_unit(cpu_ms / ms, "x") : "-");
    };
    const bool gpu = has_gpu();
    add("CPU, lanes::matmul_transpose_fast",
        gpu ? whole_ms(large, 1, [](const Matrix& x) { return matmul_transpose_fast(x); }) : 0,
        "not measured");  // some seconds on a laptop, with nothing to compare it with
    add("GPU, v4, CUDA kernel time", library_kernel_ms(large, 5, 4));
    add("GPU, lanes::matmul_transpose_gpu, end to end", gpu ? whole_ms(large, 2, library_gpu) : 0);
    lesson::show_recorded(table, recorded);
}

void ProductTimes::show_versions(const Version& matmul_transpose_gpu, const std::string& recorded) {
    LANES_REQUIRE(fast_ms_ > 0,
                  "ProductTimes::show_versions: times are missing. Call plain and "
                  "fast first.");
    const double n = rows_of(x_), m = columns_of(x_), useful = useful_operations(n, m);
    Table table({"version", "time", "useful rate", "executed rate", "speed-up"});
    auto add = [&](const std::string& version, double ms, double executed) {
        auto rate = [&](double of) { return with_unit(gigaflops(of, ms), "GFLOP/s"); };
        table.row(version, in_ms(ms), ms > 0 ? rate(useful) : "-",
                  ms > 0 && executed > 0 ? rate(executed) : "-",
                  ms > 0 ? with_unit(plain_ms_ / ms, "x") : "-");
    };
    const OwnKernel own = lesson::own_kernels(kernels_)[0];
    const bool gpu = has_gpu() && lesson::is_filled_in(own.text);
    add("three loops", plain_ms_, useful);
    add("your matmul_transpose_fast", fast_ms_, n * (n + 1) * m);
    add("lanes::matmul_transpose_fast", library_ms_, 0);
    add("your matmul_kernel, CUDA kernel time", own_ms_, useful);
    const Version end_to_end = lesson::end_to_end(own);
    add("your matmul_kernel, end to end", gpu ? milliseconds(end_to_end) : 0, useful);
    add("your matmul_transpose_gpu, which also loads the program",
        gpu ? milliseconds(matmul_transpose_gpu) : 0, useful);
    add("lanes::matmul_transpose_gpu, end to end", has_gpu() ? milliseconds(library_gpu) : 0, 0);
    lesson::show_recorded(table, recorded);

    auto draw = [&](const std::string& where, const Table& of, bool with_gpu) {
        const std::vector<std::string> names{"three loops", "your fast",  "library fast",
                                             "your kernel", "end to end", "library GPU"};
        const std::size_t rows[] = {0, 1, 2, 3, 4, 6};
        Plot plot("X Xᵀ of 784 x 128: " + where);
        plot.x("row of the table").y("time per call in ms").log_y().range_x(0.5, 7.5);
        for (std::size_t i = 0; i < (with_gpu ? 6 : 3); ++i)
            plot.mark(names[i], static_cast<double>(i) + 1, of.number(rows[i], 1));
        plot.show();
    };
    draw("this machine", table, gpu);
    if (recorded.empty() || !has_recording(recorded)) return;
    const Table old = recorded_table(recorded);
    draw("recorded, NVIDIA H200 and its host", old, true);
    const Table& of = gpu ? table : old;
    const double on_cpu = of.number(2, 1), on_gpu = of.number(6, 1);
    std::cout << (gpu ? "Here" : "Recorded") << ", 784 x 128, complete calls of the library: CPU "
              << with_unit(on_cpu, "ms") << ", GPU " << with_unit(on_gpu, "ms") << ". The "
              << (on_gpu < on_cpu ? "GPU" : "CPU") << " wins.\n";
}

void ProductTimes::show_roofline(const Intensity& intensity, const Attainable& attainable) const {
    const lesson::H200 gpu;
    const double one = gpu.multiprocessors;
    const double clock = gpu.peak / one / (2 * 128);  // GHz
    const double l1 = 128 * clock * one;              // GB/s
    const int side = 4096;
    const std::vector<double> at{v1_intensity_, intensity(side, side, 32),
                                 intensity(side, side, 64), intensity(side, side, 128)};
    // v1 has one block; of the others, shared memory is the limit.
    const std::vector<double> bounds{attainable(v1_intensity_, gpu.peak / one, l1 / one),
                                     gpu.peak / 8, gpu.peak / 2, gpu.peak};
    std::vector<double> dots = bounds;
    bool known = measured_.has_value();
    for (std::size_t v = 0; known && v < 4; ++v) {
        const std::size_t row = v == 0 ? 0 : v + 4;
        known = measured_->cell(row, 3) != "-";
        if (known) dots[v] = measured_->number(row, 3);
    }
    const std::string dots_are =
        !known ? "estimates" : (has_gpu() ? "measured here" : "recorded rates");
    Plot plot("Roofline of an H200; black dots: " + dots_are);
    plot.x("executed operations per byte asked for").y("executed GFLOP/s");
    plot.log_x().log_y().size(680, 460).range_x(0.03, 100).range_y(1, 200000);
    auto roof = [&](const char* name, double bandwidth, double top) {
        const std::vector<double> xs{0.03, top / bandwidth, 100};
        std::vector<double> ys;
        ys.reserve(xs.size());
        for (const double x : xs) ys.push_back(attainable(x, top, bandwidth));
        plot.line(name, xs, ys);
    };
    roof("roof: L1", l1, gpu.peak);
    roof("roof: DRAM", gpu.dram, gpu.peak);
    roof("roof: L1 of one multiprocessor", l1 / one, gpu.peak / one);
    for (std::size_t v = v1_intensity_ > 0 ? 0 : 1; v < 4;
         ++v) {  // a line of so many points is drawn without dots
        plot.line("estimate", xt::linspace<double>(0.95 * at[v], 1.6 * at[v], 50),
                  std::vector<double>(50, bounds[v]));
        plot.mark("v" + std::to_string(v + 1), at[v], dots[v]);
    }
    plot.show();
}

void draw_strides(int entries, int threads) {
    LANES_REQUIRE(threads >= 1 && threads <= 4 && entries >= threads && entries <= 16,
                  "draw_strides: ", entries, " entries and ", threads,
                  " threads do not fit into the picture. Draw at most 16 entries and 4 threads.");
    Drawing strides(52 + 38 * entries, 150);
    Style left, small;
    left.align = "left";
    small.font_size = 13;
    const char* colours[] = {"#cfe5f3", "#fde3c0", "#d5eddb", "#f3d3e0"};
    for (int entry = 0; entry < entries; ++entry) {
        const double at = 20 + 38 * entry;
        strides.rectangle(at, 40, 36, 32, {colours[entry % threads]});
        strides.text(at + 18, 56, std::to_string(entry));
        strides.text(at + 18, 88, "t = " + std::to_string(entry % threads), small);
    }
    const std::string step = std::to_string(threads);
    strides.text(20, 24, "entries of C, row by row", left);
    strides.text(20, 124,
                 step + " threads: thread t takes t, t + " + step + ", t + " +
                     std::to_string(2 * threads) + ", …",
                 left);
    strides.show(std::to_string(entries) + " entries shared by " + step +
                 " threads: thread t takes every " + step + "th, from t on");
}

void draw_multiprocessors(int all, int busy) {
    LANES_REQUIRE(all >= 1 && all <= 220 && busy >= 0 && busy <= all,
                  "draw_multiprocessors: ", busy, " of ", all,
                  ". Draw at most 220, and no more busy ones than there are.");
    const int rows = (all + 21) / 22;
    Drawing chip(600, 60 + 25 * rows);
    Style left;
    left.align = "left";
    for (int i = 0; i < all; ++i) {
        const int column = i % 22, row = i / 22;
        chip.rectangle(20 + 25 * column, 40 + 25 * row, 21, 21,
                       {i < busy ? "#E69F00" : "#eeeeee", "gray", 1});
    }
    const std::string words = std::to_string(all) + " multiprocessors, " + std::to_string(busy) +
                              (busy == 1 ? " of them busy with one block" : " of them busy");
    chip.text(20, 22, words, left);
    chip.show(words);
}

}  // namespace lanes
