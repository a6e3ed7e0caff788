// Times, traffic and the roofline of versions of X times its transpose, in the protocol of the
// notebook 03_matmul_transpose. Each version is compared with the first one before it is timed.
//
//   #include <lanes/ops.hpp>
//   const lanes::Matrix x{{1, 2, 3}, {4, 5, 6}};
//   lanes::ProductTimes times(x, 3);
//   times.plain([](const lanes::Matrix& x) { return lanes::matmul_transpose_plain(x); });
//   times.fast([](const lanes::Matrix& x) { return lanes::matmul_transpose_fast(x); });
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/table.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

class ProductTimes {
public:
    using Version = std::function<Matrix(const Matrix& x)>;

    ProductTimes(Matrix x, int calls);

    void plain(Version version);  // prints its time and its rate
    void fast(Version version);   // prints its gain, and that of the library's version

    // What one block and all blocks of an H200 could do at best: computed, not measured.
    void show_limits() const;

    // The CUDA source of the three CUDA kernels that a student writes. They have the parameters
    // (const float* x, float* c, int rows, int columns).
    struct Kernels {
        std::string matmul_kernel;  // one block of 1024 threads
        std::string tiled_kernel;   // tiles of 32 x 32 entries, blocks of 32 x 32 threads
        std::string upper_kernel;   // the same, which leaves out the tiles below the diagonal
    };
    void kernels(Kernels kernels) { kernels_ = std::move(kernels); }

    // What the simulator counts for 256 x 64 numbers: operations, bytes, bank conflicts.
    void show_traffic();

    // On a GPU; without one the tables say so, and the recorded table of that name is shown, if
    // there is one.
    // v1 is matmul_kernel, v2 is tiled_kernel; v3 and v4 are the library's.
    void show_measured(const std::string& recorded);
    void show_own(const std::string& recorded) const;    // tiled_kernel and upper_kernel, two sizes
    void show_large(const std::string& recorded) const;  // 4096 x 4096: CPU, GPU, end to end
    // Complete calls of all versions, and a plot.
    void show_versions(const Version& matmul_transpose_gpu, const std::string& recorded);

    using Intensity = std::function<double(int rows, int columns, int tile)>;
    // in GFLOP/s
    using Attainable = std::function<double(double intensity, double peak, double bandwidth)>;
    // Roofs of an H200, and the rates of show_measured or of its recorded table as dots. v1 stands
    // at the intensity that show_traffic counted.
    void show_roofline(const Intensity& intensity, const Attainable& attainable) const;

private:
    const Matrix& result_of_plain() const;
    double milliseconds(const Version& version) const;

    Matrix x_;
    int calls_;
    std::optional<Matrix> expected_;
    Version plain_, fast_;
    Kernels kernels_;
    double plain_ms_ = 0, fast_ms_ = 0, library_ms_ = 0, own_ms_ = 0;
    double v1_intensity_ = 0;  // 0: not counted
    std::optional<Table> measured_;
};

// For entries of a matrix that a block of threads shares in steps of its size: which thread takes
// which entry. At most 16 entries.
void draw_strides(int entries, int threads);

// The multiprocessors of a GPU, of which the first ones are busy.
void draw_multiprocessors(int all, int busy);

}  // namespace lanes
