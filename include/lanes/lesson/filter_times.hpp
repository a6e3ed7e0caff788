// Times, loads and bandwidth of several versions of a correlation. Introduced in the notebook
// 06_correlation.
//
//   const auto blur = [](const lanes::Matrix&, const lanes::Matrix& image) { return image; };
//   const lanes::Matrix image{{1, 2}, {3, 4}}, filter{{1}};
//   lanes::FilterTimes times(image, {"1x1"}, {filter}, 3);
//   times.add("plain", blur).add("fast", blur);
//   times.show("").show_speed_ups();
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/gpu/buffer.hpp"
#include "lanes/gpu/report.hpp"
#include "lanes/notebook/table.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

using Correlation = std::function<Matrix(const Matrix& filter, const Matrix& image)>;

// Several versions with several filters on one image: the shortest time of some calls.
class FilterTimes {
public:
    FilterTimes(Matrix image, std::vector<std::string> names, std::vector<Matrix> filters,
                int calls);

    FilterTimes& add(const std::string& version, const Correlation& correlation);
    // Two rows, the time of the CUDA kernel `correlation_kernel` of this text and that of the whole
    // call: buffers, copies, a launch with one block per row and one thread per column, and the
    // copy back. The text is compiled once before. On the simulator nothing is launched and the
    // rows say "no GPU here": its times say nothing about a GPU.
    FilterTimes& add_gpu(const std::string& version, const std::string& text);

    double milliseconds(const std::string& version, std::size_t filter) const;
    // The time of `first` divided by that of `version`.
    double gain(const std::string& version, const std::string& first, std::size_t filter) const;

    void show_per_product(const std::string& version) const;  // time of one product
    void show_gains(const std::string& first) const;          // `first` divided by the other rows
    // The table, and below it the recorded table of that name, unless it is "".
    FilterTimes& show(const std::string& recorded);
    // One line per version; rows that begin with "lanes::" are left out. The second plot has the
    // recorded times.
    void plot() const;
    // Each row divided by the last one, and from which filter on the last one is faster. Without a
    // GPU: of the recorded table.
    void show_speed_ups() const;

private:
    std::vector<double> row(const std::string& version) const;

    Matrix image_;
    std::vector<std::string> names_;
    std::vector<Matrix> filters_;
    int calls_;
    Table times_;
    std::string recorded_;
};

// A recorded table of times, and each of its rows divided by the last one.
void show_recorded_times(const std::string& recorded);

// What the simulator counts for one filter and one image: loads of threads from global memory, and
// from shared memory. A result that differs from the library's throws Error; the row of a version
// that is not filled in says so.
class LoadCounts {
public:
    LoadCounts(Matrix filter, Matrix image);
    LoadCounts& add(const std::string& version, const Correlation& correlation);
    // Per pixel; none if the version is not filled in.
    std::optional<double> global_loads(const std::string& version) const;
    void show() const { table_.show(); }

private:
    Matrix filter_, image_, expected_;
    std::map<std::string, double> global_loads_;
    Table table_;
};

// CUDA kernels on one large image, beside copies of it. All of them are launched again and again on
// the same two buffers, and the shortest time counts. 8 bytes per pixel are counted as moved.
class BandwidthTable {
public:
    BandwidthTable(std::size_t rows, std::size_t columns, int launches);

    // Copies by a CUDA kernel: with buffers that are allocated for each launch, and on the same
    // buffers with one and with four numbers per thread.
    BandwidthTable& add_copies();
    using Launch =
        std::function<LaunchReport(const Buffer<float>& image, const Buffer<float>& result)>;
    BandwidthTable& add(const std::string& version, const Launch& launch);
    // The students' CUDA kernels with this filter: correlation_kernel with one block per row and
    // one thread per column, and tiled_kernel in blocks of 32x16 threads with the filter in the
    // variable `coefficients`. Not compiled on the simulator.
    BandwidthTable& add_correlation(const std::string& text, const Matrix& filter);
    BandwidthTable& add_tiled(const std::string& text, const Matrix& filter);
    void show(const std::string& recorded);
    // The time of `first` divided by that of `version`, measured or from the table that was shown
    // as recorded; none if a time is missing.
    std::optional<double> gain(const std::string& version, const std::string& first) const;

private:
    void add_row(const std::string& version, double milliseconds);
    void add_missing(const std::string& version);

    std::size_t rows_, columns_;
    int launches_;
    std::optional<Buffer<float>> image_, result_;  // none on the simulator
    Table table_;
    std::string recorded_;
};

}  // namespace lanes
