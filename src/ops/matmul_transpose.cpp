#include "lanes/ops/matmul_transpose.hpp"

#include "gpu_run.hpp"

#include "base/math.hpp"
#include "lanes/array/blas.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>

namespace lanes {

Matrix matmul_transpose_plain(const Matrix& x) {
    const std::size_t rows = x.shape(0), columns = x.shape(1);
    auto result = Matrix::from_shape({rows, rows});
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < rows; ++j) {
            const float *left = x.data() + i * columns, *right = x.data() + j * columns;
            float sum = 0;
            for (std::size_t k = 0; k < columns; ++k) sum += left[k] * right[k];
            result.data()[i * rows + j] = sum;
        }
    }
    return result;
}

// The tiles and threads of the fast version are in src/array/syrk.cpp.
Matrix matmul_transpose_fast(const Matrix& x, int threads) { return syrk(x, threads); }

namespace {

struct Rung {
    const char* name;
    LaunchConfig config;
    const char* flag;       // selects this rung, so that no other one is compiled
    std::size_t parts = 1;  // of the columns, which matmul_transpose_sum adds up
};

// Launch shapes as in the comments of kernels_src/matmul_transpose.cu.
Rung choose(std::optional<int> rung, std::size_t rows, std::size_t columns, const Device& device) {
    // With fewer rows there are too few large tiles to keep all multiprocessors busy.
    constexpr std::size_t few_rows = 1500;
    const auto upper_tiles = [rows](std::size_t edge) {
        return ceil_div(rows, edge) * (ceil_div(rows, edge) + 1) / 2;
    };
    switch (rung.value_or(0)) {
        case 1:
            return {"matmul_transpose_v1", {1, 1024}, "-DRUNG=1"};
        case 2:
            return {"matmul_transpose_v2",
                    {{ceil_div(rows, 32), ceil_div(rows, 32)}, {32, 32}},
                    "-DRUNG=2"};
        case 3:
            return {"matmul_transpose_v3", {upper_tiles(64), {16, 16}}, "-DRUNG=3"};
        case 4:
            return {"matmul_transpose_v4", {upper_tiles(128), 128}, "-DRUNG=4"};
        default:
            break;
    }
    if (rows >= few_rows) return choose(4, rows, columns, device);
    // Four blocks per multiprocessor, if each of them gets 128 columns.
    const std::size_t tiles = upper_tiles(64);
    const std::size_t parts = std::max<std::size_t>(
        1, std::min(std::size_t{4} * device.limits().multiprocessors / tiles, columns / 128));
    return {"matmul_transpose_v4_tile<1>", {{tiles, parts}, 128}, "-DRUNG=5", parts};
}

}  // namespace

GpuResult<Matrix> run_matmul_transpose_gpu(const Matrix& x, const Device& device,
                                           std::optional<int> rung) {
    const std::size_t rows = x.shape(0), columns = x.shape(1), largest = 65535;
    ops::require_rung("matmul_transpose_gpu", rung, 4, "matmul_transpose.cu");
    LANES_REQUIRE(rows <= largest && columns < (std::size_t{1} << 31),
                  "matmul_transpose_gpu: ", x.shape(), " has more than ", largest,
                  " rows or 2^31 columns. Multiply it in parts.");
    GpuResult<Matrix> run{Matrix::from_shape({rows, rows}), {}};
    if (x.size() == 0) {
        run.result.fill(0);
        return run;
    }

    const Rung chosen = choose(rung, rows, columns, device);
    ops::CachedProgram& program =
        ops::timed_program(device, "matmul_transpose.cu", run.report, {chosen.flag});
    ops::run_on(
        program, chosen.name, device, run.report,
        [&](const CudaKernel& cuda_kernel, auto& on_x, auto& on_c) {
            const auto multiply = [&](auto& to) {
                return launch(cuda_kernel, chosen.config, on_x, to, static_cast<int>(rows),
                              static_cast<int>(columns));
            };
            if (chosen.parts == 1) return multiply(on_c);
            Buffer<float> matrices(device, chosen.parts * rows * rows);
            LaunchReport report = multiply(matrices);
            report.kernel_seconds +=
                launch(program.kernel("matmul_transpose_sum"), {ceil_div(rows * rows, 256), 256},
                       matrices, on_c, static_cast<unsigned>(rows * rows),
                       static_cast<int>(chosen.parts))
                    .kernel_seconds;
            return report;
        },
        run.result, x);
    return run;
}

Matrix matmul_transpose_gpu(const Matrix& x, const Device& device) {
    return run_matmul_transpose_gpu(x, device).result;
}

}  // namespace lanes
