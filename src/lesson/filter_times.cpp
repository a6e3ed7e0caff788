#include "lanes/lesson/filter_times.hpp"

#include "copy_kernels.hpp"
#include "gpu_times.hpp"
#include "lanes/array/compare.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/gpu.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/ops/correlation.hpp"

#include <algorithm>
#include <iostream>
#include <limits>
#include <utility>

namespace lanes {

namespace {

using lesson::has_gpu;
using lesson::in_ms;
using lesson::no_gpu;

const std::string not_filled_in = "not filled in";

bool has_time(const Table& times, std::size_t row, std::size_t column) {
    return times.cell(row, column) != no_gpu && times.cell(row, column) != not_filled_in;
}

std::vector<std::string> with_first(const std::string& first,
                                    const std::vector<std::string>& rest) {
    std::vector<std::string> all{first};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

// From which filter on the last row of the table, the GPU's, is faster than this one. Empty if the
// row has no times.
std::string crossing_of(const Table& times, std::size_t row) {
    const std::size_t last = times.rows() - 1, end = times.columns().size();
    std::size_t from = end, slower = 0;  // from this column on, in all to the right of it
    for (std::size_t k = end; --k > 0;) {
        if (!has_time(times, row, k) || !has_time(times, last, k)) return "";
        const bool faster = times.number(row, k) > times.number(last, k);
        if (faster && from == k + 1) from = k;
        if (!faster) ++slower;
    }
    const std::string& name = times.cell(row, 0);
    if (slower + 1 == end) return name + ": faster than the GPU with every filter here.";
    if (from == 1) return name + ": the GPU is faster with every filter here.";
    if (from == end)
        return name + ": the GPU is faster with some filters, but not with the largest.";
    return name + ": the GPU is faster from " + times.columns()[from] + " on.";
}

void show_ratios(const std::string& title, const Table& times) {
    Table ratios(times.columns(), title + ": time of a row / time of the last row");
    const std::size_t last = times.rows() - 1;
    for (std::size_t row = 0; row < times.rows(); ++row) {
        std::vector<std::string> cells{times.cell(row, 0)};
        for (std::size_t k = 1; k < times.columns().size(); ++k)
            cells.push_back(has_time(times, row, k) && has_time(times, last, k)
                                ? with_unit(times.number(row, k) / times.number(last, k), "x")
                                : "-");
        ratios.row(cells);
    }
    ratios.show();
}

// As show_ratios, of a table whose last two rows are the GPU's.
void show_speed_ups_of(const std::string& title, const Table& times) {
    show_ratios(title, times);
    for (std::size_t row = 0; row + 2 < times.rows(); ++row)
        if (const std::string words = crossing_of(times, row); !words.empty())
            std::cout << words << '\n';
}

void plot_table(const std::string& title, const Table& times, const std::vector<double>& sides) {
    Plot plot(title);
    plot.x("rows and columns of the filter").y("time per call in ms").log_y();
    for (std::size_t row = 0; row < times.rows(); ++row) {
        const std::string& version = times.cell(row, 0);
        if (version.rfind("lanes::", 0) == 0 || !has_time(times, row, 1)) continue;
        std::vector<double> ms;
        for (std::size_t k = 1; k <= sides.size(); ++k) ms.push_back(times.number(row, k));
        plot.line(version, sides, ms);
    }
    plot.show();
}

}  // namespace

FilterTimes::FilterTimes(Matrix image, std::vector<std::string> names, std::vector<Matrix> filters,
                         int calls)
    : image_(std::move(image)),
      names_(std::move(names)),
      filters_(std::move(filters)),
      calls_(calls),
      times_(with_first("version", names_)) {
    LANES_REQUIRE(names_.size() == filters_.size() && calls > 0, "FilterTimes: ", names_.size(),
                  " names, ", filters_.size(), " filters and ", calls,
                  " calls. Give a name per filter, and at least one call.");
}

FilterTimes& FilterTimes::add(const std::string& version, const Correlation& correlation) {
    std::vector<std::string> cells{version};
    for (const Matrix& filter : filters_)
        cells.push_back(in_ms(1e3 * best_of(calls_, [&] { correlation(filter, image_); })));
    times_.row(cells);
    return *this;
}

FilterTimes& FilterTimes::add_gpu(const std::string& version, const std::string& text) {
    std::vector<std::string> kernel{version + ", CUDA kernel"}, whole{version + ", end to end"};
    if (!has_gpu() || !lesson::is_filled_in(text)) {
        for (std::vector<std::string>* cells : {&kernel, &whole}) {
            cells->resize(filters_.size() + 1, has_gpu() ? not_filled_in : no_gpu);
            times_.row(*cells);
        }
        return *this;
    }
    const Device device = Device::best();
    const CudaKernel own = Program(device, text).kernel("correlation_kernel");
    const auto call = [&](const Matrix& filter) {
        const int rows = static_cast<int>(image_.shape(0));
        const int columns = static_cast<int>(image_.shape(1));
        const Buffer<float> weights(device, filter), from(device, image_);
        const Buffer<float> to(device, image_.size());
        const LaunchReport report =
            launch(own, {rows, columns}, weights, from, to, rows, columns,
                   static_cast<int>(filter.shape(0)), static_cast<int>(filter.shape(1)));
        const Matrix result = to.download<Matrix>(image_.shape());
        return 1e3 * report.kernel_seconds;
    };
    for (const Matrix& filter : filters_) {
        call(filter);  // the first call warms up
        double best_kernel = std::numeric_limits<double>::max(), best_whole = best_kernel;
        for (int k = 0; k < calls_; ++k) {
            const Timer timer;
            best_kernel = std::min(best_kernel, call(filter));
            best_whole = std::min(best_whole, timer.milliseconds());
        }
        kernel.push_back(in_ms(best_kernel));
        whole.push_back(in_ms(best_whole));
    }
    times_.row(kernel);
    times_.row(whole);
    return *this;
}

std::vector<double> FilterTimes::row(const std::string& version) const {
    for (std::size_t row = 0; row < times_.rows(); ++row) {
        if (times_.cell(row, 0) != version) continue;
        std::vector<double> ms;
        for (std::size_t k = 1; k <= filters_.size(); ++k)
            ms.push_back(has_time(times_, row, k) ? times_.number(row, k) : 0);
        return ms;
    }
    throw Error("FilterTimes: no times of ", version, ". Add them first.");
}

double FilterTimes::milliseconds(const std::string& version, std::size_t filter) const {
    return row(version).at(filter);
}

double FilterTimes::gain(const std::string& version, const std::string& first,
                         std::size_t filter) const {
    return milliseconds(first, filter) / milliseconds(version, filter);
}

void FilterTimes::show_per_product(const std::string& version) const {
    const std::vector<double> ms = row(version);
    Table table({"filter", "products per pixel", "time per call", "time per product"});
    for (std::size_t k = 0; k < filters_.size(); ++k) {
        const double products = static_cast<double>(filters_[k].size() * image_.size());
        table.row(names_[k], filters_[k].size(), in_ms(ms[k]),
                  with_unit(1e6 * ms[k] / products, "ns"));
    }
    table.note(machine_line());
    table.show();
}

void FilterTimes::show_gains(const std::string& first) const {
    const std::vector<double> base = row(first);
    Table table(with_first("speed-up over " + first, names_));
    for (std::size_t r = 0; r < times_.rows(); ++r) {
        if (times_.cell(r, 0) == first) continue;
        std::vector<std::string> cells{times_.cell(r, 0)};
        for (std::size_t k = 1; k <= filters_.size(); ++k)
            cells.push_back(has_time(times_, r, k)
                                ? with_unit(base[k - 1] / times_.number(r, k), "x")
                                : times_.cell(r, k));
        table.row(cells);
    }
    table.note(machine_line());
    table.show();
}

FilterTimes& FilterTimes::show(const std::string& recorded) {
    Table table = times_;
    table.note(machine_line());
    if (!recorded.empty()) table.recorded(recorded);
    table.show();
    recorded_ = recorded;
    return *this;
}

void FilterTimes::plot() const {
    std::vector<double> sides;
    sides.reserve(filters_.size());
    for (const Matrix& filter : filters_) sides.push_back(static_cast<double>(filter.shape(0)));
    const std::string size =
        std::to_string(image_.shape(0)) + " x " + std::to_string(image_.shape(1)) + " pixels";
    plot_table("Your run, " + size, times_, sides);
    if (!recorded_.empty())
        plot_table("Recorded on a machine with a GPU, " + size, recorded_table(recorded_), sides);
}

void FilterTimes::show_speed_ups() const {
    if (!has_gpu() && !recorded_.empty())
        show_speed_ups_of("Recorded run", recorded_table(recorded_));
    else
        show_speed_ups_of("Your run", times_);
}

void show_recorded_times(const std::string& recorded) {
    const Table table = recorded_table(recorded);
    table.show();
    show_ratios("Recorded run", table);
}

LoadCounts::LoadCounts(Matrix filter, Matrix image)
    : filter_(std::move(filter)),
      image_(std::move(image)),
      expected_(correlation_plain(filter_, image_)),
      table_({"version", "threads", "global loads per pixel", "shared loads per pixel"}) {}

LoadCounts& LoadCounts::add(const std::string& version, const Correlation& correlation) {
    // One order of threads is enough to count; the checks have tried others.
    const DeviceScope scope(Device::simulator().with(Checks::one_schedule()));
    const LaunchTrace trace;
    Matrix result;
    try {
        result = correlation(filter_, image_);
    } catch (const Error& error) {
        if (!lesson::missing_answer(error)) throw;
        table_.row(version, not_filled_in, "-", "-");
        return *this;
    }
    require_close(result, expected_, {1e-4 * static_cast<double>(filter_.size()), 1e-4});
    std::size_t threads = 0;
    double global = 0, shared = 0;
    for (const TracedLaunch& launch : trace.launches()) {
        threads += launch.config.grid.count() * launch.config.block.count();
        global += static_cast<double>(launch.report.counters.global_loads);
        shared += 32.0 * static_cast<double>(launch.report.counters.shared_load_requests);
    }
    const auto pixels = static_cast<double>(image_.size());
    table_.row(version, threads, global / pixels, shared / pixels);
    global_loads_[version] = global / pixels;
    return *this;
}

std::optional<double> LoadCounts::global_loads(const std::string& version) const {
    const auto found = global_loads_.find(version);
    return found == global_loads_.end() ? std::nullopt : std::optional(found->second);
}

BandwidthTable::BandwidthTable(std::size_t rows, std::size_t columns, int launches)
    : rows_(rows),
      columns_(columns),
      launches_(launches),
      table_({"version", "CUDA kernel", "bandwidth"}) {
    LANES_REQUIRE(rows * columns % 4 == 0 && launches > 0, "BandwidthTable: ", rows, "x", columns,
                  " pixels and ", launches,
                  " launches. Give a multiple of 4 pixels, and launches.");
    if (!has_gpu()) return;
    Matrix image = Matrix::from_shape({rows, columns});
    Rng(1).fill_uniform(image.data(), image.size(), 0, 1);
    image_.emplace(Device::best(), image);
    result_.emplace(Device::best(), image.size());
}

void BandwidthTable::add_row(const std::string& version, double milliseconds) {
    const double bytes = 8.0 * static_cast<double>(rows_ * columns_);
    table_.row(version, in_ms(milliseconds),
               milliseconds > 0 ? with_unit(1e-6 * bytes / milliseconds, "GB/s") : no_gpu);
}

BandwidthTable& BandwidthTable::add(const std::string& version, const Launch& launch) {
    double best = 0;
    if (image_ && result_) {
        launch(*image_, *result_);  // the first launch warms up
        best = std::numeric_limits<double>::max();
        for (int k = 0; k < launches_; ++k)
            best = std::min(best, 1e3 * launch(*image_, *result_).kernel_seconds);
    }
    add_row(version, best);
    return *this;
}

BandwidthTable& BandwidthTable::add_copies() {
    const int pixels = static_cast<int>(rows_ * columns_);
    const auto copy = [&](const char* name, int each) -> Launch {
        return [=](const Buffer<float>& from, const Buffer<float>& to) {
            const Program program(from.device(), lesson::copy_kernels);
            return launch(program.kernel(name), {(pixels / each + 255) / 256, 256}, from, to,
                          pixels);
        };
    };
    const Launch one = copy("copy_one", 1);
    double best = 0;
    if (image_) {
        const Matrix image = image_->download<Matrix>({rows_, columns_});
        best = std::numeric_limits<double>::max();
        for (int k = 0; k < launches_; ++k) {
            const Buffer<float> from(Device::best(), image), to(Device::best(), image.size());
            best = std::min(best, 1e3 * one(from, to).kernel_seconds);
        }
    }
    add_row("copy, new buffers for each launch", best);
    add("copy, one number per thread", one);
    return add("copy, four numbers per thread", copy("copy_four", 4));
}

void BandwidthTable::add_missing(const std::string& version) {
    table_.row(version, not_filled_in, not_filled_in);
}

BandwidthTable& BandwidthTable::add_correlation(const std::string& text, const Matrix& filter) {
    const std::string version = "correlation_kernel";
    if (!image_) return add(version, {});
    if (!lesson::is_filled_in(text)) return add_missing(version), *this;
    const Device device = Device::best();
    const CudaKernel kernel = Program(device, text).kernel(version);
    const Buffer<float> weights(device, filter);
    const int rows = static_cast<int>(rows_), columns = static_cast<int>(columns_);
    return add(version, [&](const Buffer<float>& from, const Buffer<float>& to) {
        return launch(kernel, {rows, columns}, weights, from, to, rows, columns,
                      static_cast<int>(filter.shape(0)), static_cast<int>(filter.shape(1)));
    });
}

BandwidthTable& BandwidthTable::add_tiled(const std::string& text, const Matrix& filter) {
    const std::string version = "tiled_kernel";
    if (!image_) return add(version, {});
    if (!lesson::is_filled_in(text)) return add_missing(version), *this;
    const Program program(Device::best(), text);
    program.variable("coefficients").upload(filter);
    const CudaKernel kernel = program.kernel(version);
    const int rows = static_cast<int>(rows_), columns = static_cast<int>(columns_);
    return add(version, [&](const Buffer<float>& from, const Buffer<float>& to) {
        return launch(kernel, {{(columns + 31) / 32, (rows + 15) / 16}, {32, 16}}, from, to, rows,
                      columns, static_cast<int>(filter.shape(0)),
                      static_cast<int>(filter.shape(1)));
    });
}

void BandwidthTable::show(const std::string& recorded) {
    lesson::show_recorded(table_, recorded);
    recorded_ = recorded;
}

std::optional<double> BandwidthTable::gain(const std::string& version,
                                           const std::string& first) const {
    Table buffer({""});
    const Table* known = lesson::measured_or(table_, recorded_, buffer);
    if (!known) return std::nullopt;
    double ms = 0, first_ms = 0;
    for (std::size_t row = 0; row < known->rows(); ++row) {
        if (!has_time(*known, row, 1)) continue;
        if (known->cell(row, 0) == version) ms = known->number(row, 1);
        if (known->cell(row, 0) == first) first_ms = known->number(row, 1);
    }
    if (ms == 0 || first_ms == 0) return std::nullopt;
    return first_ms / ms;
}

}  // namespace lanes
