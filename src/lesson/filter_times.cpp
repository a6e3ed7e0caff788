#include "lanes/lesson/filter_times.hpp"

#include "copy_kernels.hpp"
#include "lanes/array/compare.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/gpu.hpp"
#include "lanes/notebook/plot.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lanes {

namespace {

const std::string no_gpu = "no GPU here";

bool has_gpu() { return !Device::best().is_simulator(); }

std::string in_ms(double ms) { return ms > 0 ? with_unit(ms, "ms") : no_gpu; }

std::vector<std::string> with_first(const std::string& first,
                                    const std::vector<std::string>& rest) {
    std::vector<std::string> all{first};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

void show_ratios(const std::string& title, const Table& times) {
    Table ratios(times.columns(), title + ": time of a row / time of the last row");
    const std::size_t last = times.rows() - 1;
    for (std::size_t row = 0; row < times.rows(); ++row) {
        std::vector<std::string> cells{times.cell(row, 0)};
        for (std::size_t k = 1; k < times.columns().size(); ++k)
            cells.push_back(times.cell(row, k) == no_gpu || times.cell(last, k) == no_gpu
                                ? no_gpu
                                : with_unit(times.number(row, k) / times.number(last, k), "x"));
        ratios.row(cells);
    }
    ratios.show();
}

void plot_table(const std::string& title, const Table& times, const std::vector<double>& sides) {
    Plot plot(title);
    plot.x("rows and columns of the filter").y("time per call in ms").log_y();
    for (std::size_t row = 0; row < times.rows(); ++row) {
        const std::string& version = times.cell(row, 0);
        if (version.rfind("lanes::", 0) == 0 || times.cell(row, 1) == no_gpu) continue;
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

FilterTimes& FilterTimes::add_gpu(const std::string& version, const GpuCall& call) {
    std::vector<std::string> kernel{version + ", CUDA kernel"}, whole{version + ", end to end"};
    for (const Matrix& filter : filters_) {
        double best_kernel = 0, best_whole = 0;
        if (has_gpu()) {
            call(filter, image_);  // the first call warms up
            best_kernel = best_whole = std::numeric_limits<double>::max();
            for (int k = 0; k < calls_; ++k) {
                const Timer timer;
                best_kernel = std::min(best_kernel, 1e3 * call(filter, image_));
                best_whole = std::min(best_whole, timer.milliseconds());
            }
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
            ms.push_back(times_.cell(row, k) == no_gpu ? 0 : times_.number(row, k));
        return ms;
    }
    throw Error("FilterTimes: no times of ", version, ". Add them first.");
}

double FilterTimes::milliseconds(const std::string& version, std::size_t filter) const {
    return row(version).at(filter);
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
            cells.push_back(times_.cell(r, k) == no_gpu
                                ? no_gpu
                                : with_unit(base[k - 1] / times_.number(r, k), "x"));
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
        show_ratios("Recorded run", recorded_table(recorded_));
    else
        show_ratios("Your run", times_);
}

void show_recorded_times(const std::string& recorded) {
    const Table table = recorded_table(recorded);
    table.show();
    show_ratios("Recorded run", table);
}

LoadCounts::LoadCounts(Matrix filter, Matrix image)
    : filter_(std::move(filter)),
      image_(std::move(image)),
      table_({"version", "threads", "global loads per pixel", "shared loads per pixel"}) {}

LoadCounts& LoadCounts::add(const std::string& version, const Correlation& correlation) {
    // One order of threads is enough to count; the checks have tried others.
    const DeviceScope scope(Device::simulator().with(Checks::one_schedule()));
    const LaunchTrace trace;
    const Matrix result = correlation(filter_, image_);
    if (!expected_) expected_ = result;
    require_close(result, *expected_, {1e-4 * static_cast<double>(filter_.size()), 1e-4});
    std::size_t threads = 0;
    double global = 0, shared = 0;
    for (const TracedLaunch& launch : trace.launches()) {
        threads += launch.config.grid.count() * launch.config.block.count();
        global += static_cast<double>(launch.report.counters.global_loads);
        shared += 32.0 * static_cast<double>(launch.report.counters.shared_load_requests);
    }
    const auto pixels = static_cast<double>(image_.size());
    table_.row(version, threads, global / pixels, shared / pixels);
    return *this;
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

void BandwidthTable::show(const std::string& recorded) {
    table_.note(machine_line());
    if (!recorded.empty()) table_.recorded(recorded);
    table_.show();
}

}  // namespace lanes
