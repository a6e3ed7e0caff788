#include "product_kernels.hpp"

#include "gpu_times.hpp"

#include <cmath>
#include <memory>

namespace lanes::lesson {

LaunchConfig OwnKernel::shape(int rows) const {
    if (name == "matmul_kernel") return {1, 1024};
    const int tiles = (rows + 31) / 32;
    return {{tiles, tiles}, {32, 32}};
}

double OwnKernel::tiles(double rows) const {
    const double side = std::ceil(rows / 32);
    if (name == "matmul_kernel") return 1;
    return name == "upper_kernel" ? side * (side + 1) / 2 : side * side;
}

double OwnKernel::edge(double rows) const { return name == "matmul_kernel" ? rows : 32; }

std::vector<OwnKernel> own_kernels(const ProductTimes::Kernels& kernels) {
    return {{"matmul_kernel", kernels.matmul_kernel},
            {"tiled_kernel", kernels.tiled_kernel},
            {"upper_kernel", kernels.upper_kernel}};
}

double own_ms(const OwnKernel& own, const Matrix& x, const Matrix& expected, int calls,
              const Tolerance& rounding) {
    if (!has_gpu() || !is_filled_in(own.text)) return 0;
    const Device device = Device::best();
    const int rows = static_cast<int>(x.shape(0)), columns = static_cast<int>(x.shape(1));
    const CudaKernel kernel = Program(device, own.text).kernel(own.name);
    const Buffer<float> from(device, x), to(device, expected.size());
    auto run = [&] {
        return launch(kernel, own.shape(rows), from, to, rows, columns).kernel_seconds;
    };
    run();
    require_close(to.download<Matrix>(expected.shape()), expected, rounding);
    return kernel_ms(calls, run);
}

ProductTimes::Version end_to_end(const OwnKernel& own) {
    const auto program = std::make_shared<std::unique_ptr<Program>>();
    return [own, program](const Matrix& x) {
        const Device device = Device::best();
        if (!*program) *program = std::make_unique<Program>(device, own.text);
        const int rows = static_cast<int>(x.shape(0)), columns = static_cast<int>(x.shape(1));
        const Buffer<float> from(device, x), to(device, x.shape(0) * x.shape(0));
        launch((*program)->kernel(own.name), own.shape(rows), from, to, rows, columns);
        return to.download<Matrix>({x.shape(0), x.shape(0)});
    };
}

}  // namespace lanes::lesson
