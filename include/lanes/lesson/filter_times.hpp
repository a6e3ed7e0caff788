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
    // Two rows, the time of the CUDA kernel and that of the whole call. call() launches once and
    // returns the seconds of the CUDA kernel. On the simulator nothing is called and the rows say
    // "no GPU here": its times say nothing about a GPU.
    using GpuCall = std::function<double(const Matrix& filter, const Matrix& image)>;
    FilterTimes& add_gpu(const std::string& version, const GpuCall& call);

    double milliseconds(const std::string& version, std::size_t filter) const;

    void show_per_product(const std::string& version) const;  // time of one product
    void show_gains(const std::string& first) const;          // `first` divided by the other rows
    // The table, and below it the recorded table of that name, unless it is "".
    FilterTimes& show(const std::string& recorded);
    // One line per version; rows that begin with "lanes::" are left out. The second plot has the
    // recorded times.
    void plot() const;
    // Each row divided by the last one. Without a GPU: those of the recorded table.
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
// from shared memory. A result that differs from the first version's throws Error.
class LoadCounts {
public:
    LoadCounts(Matrix filter, Matrix image);
    LoadCounts& add(const std::string& version, const Correlation& correlation);
    void show() const { table_.show(); }

private:
    Matrix filter_, image_;
    std::optional<Matrix> expected_;
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
    void show(const std::string& recorded);

private:
    void add_row(const std::string& version, double milliseconds);

    std::size_t rows_, columns_;
    int launches_;
    std::optional<Buffer<float>> image_, result_;  // none on the simulator
    Table table_;
};

}  // namespace lanes
