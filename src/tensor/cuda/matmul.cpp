#include "base/math.hpp"
#include "cuda_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_matmul.cu";
constexpr const char* few_rows_file = "tensor_matmul_few_rows.cu";
constexpr std::size_t slab = 16;      // the longest of the file
constexpr std::size_t few_rows = 16;  // likewise
// Numbers of b from which on reading them takes longer than all else.
constexpr std::size_t worth_streaming = 2'000'000;

struct CudaProduct {  // `MatmulShape` of the file
    int m, n, k;
    int transpose_a, transpose_b;
    int vector_a, vector_b, vector_c;
    int part;
    int accumulate, has_bias, relu;
};

// How a product is cut into blocks.
struct Plan {
    const char* file = "";
    const char* kernel = "";
    LaunchConfig config;
    std::size_t parts = 1;  // of k
    std::size_t part = 0;   // numbers in one of them
};

// Cuts k into about `parts` parts of whole slabs.
void split(Plan& plan, std::size_t k, std::size_t parts) {
    plan.part = std::max(ceil_div(ceil_div(k, parts), slab) * slab, slab);
    plan.parts = std::max<std::size_t>(ceil_div(k, plan.part), 1);
    plan.config.grid.z = static_cast<unsigned>(plan.parts);
}

// One tile size of the file, and what was seen on an H200.
struct Tiling {
    const char* kernel;
    std::size_t tile;
    std::size_t slab;
    std::size_t resident;  // blocks per multiprocessor at a time
    double rate;           // products per microsecond and multiprocessor
    double slab_time;      // microseconds for one slab, however few blocks there are
};

// The tile size and the number of parts that take the least time by a simple model: the
// multiprocessors work at their rate, but a slab takes at least the time of one access to the
// memory, and the parts of k have to be added up.
Plan best_tiles(std::size_t multiprocessors, const MatmulShape& product, bool aligned) {
    constexpr std::size_t largest_shared_bytes = 50688;  // of tensor_matmul_v4
    const char* const largest = product.transpose_a   ? "tensor_matmul_v4_tn"
                                : product.transpose_b ? "tensor_matmul_v4_nt"
                                                      : "tensor_matmul_v4_nn";
    const Tiling tilings[] = {{largest, 128, 16, 2, 185e3, 1.3},
                              {"tensor_matmul_v3", 64, 16, 4, 120e3, 0.75},
                              {"tensor_matmul_v2", 32, 16, 8, 100e3, 0.5}};
    const bool has_largest = aligned && product.m >= 128 && product.n >= 128 &&
                             product.k % 16 == 0 && !(product.transpose_a && product.transpose_b);
    constexpr double launch = 2.5;
    constexpr double bytes_per_microsecond = 6e6;
    const double units = static_cast<double>(multiprocessors);
    double least = std::numeric_limits<double>::max();
    Plan best;
    for (const Tiling& tiling : tilings) {
        const std::size_t tile = tiling.tile;
        if (tile == 128 && !has_largest) continue;
        const std::size_t tiles = ceil_div(product.n, tile) * ceil_div(product.m, tile);
        Plan plan;
        plan.file = file;
        plan.kernel = tiling.kernel;
        plan.config = {tiles, 2 * tile};
        if (tile == 128) plan.config.shared_bytes = largest_shared_bytes;
        for (std::size_t wanted = 1; wanted <= 32; wanted = wanted < 4 ? wanted + 1 : wanted * 2) {
            split(plan, product.k, wanted);
            const auto blocks = static_cast<double>(tiles * plan.parts);
            const auto slabs = static_cast<double>(ceil_div(plan.part, tiling.slab));
            const double work = std::ceil(blocks / units) *
                                static_cast<double>(plan.part * tile * tile) / tiling.rate;
            const double waiting =
                std::ceil(blocks / (units * static_cast<double>(tiling.resident))) * slabs *
                tiling.slab_time;
            const auto entries = static_cast<double>(plan.parts * product.m * product.n);
            const double adding =
                plan.parts == 1 ? 0 : launch + 8 * entries / bytes_per_microsecond;
            const double time = std::max(work, waiting) + adding;
            if (time < least) {
                least = time;
                best = plan;
            }
        }
    }
    return best;
}

// For at most 16 rows: enough blocks to keep the memory busy.
Plan few_rows_plan(std::size_t multiprocessors, const MatmulShape& product) {
    const bool transposed = product.transpose_b;
    Plan plan;
    plan.file = few_rows_file;
    plan.kernel = transposed ? "tensor_matmul_few_rows" : "tensor_matmul_few_rows_n";
    const std::size_t columns = transposed ? 16 : 128;   // per block
    const std::size_t resident = transposed ? 3 : 4;     // blocks per multiprocessor at a time
    const std::size_t shortest = transposed ? 512 : 32;  // part that is worth a second launch
    const std::size_t blocks = ceil_div(product.n, columns);
    plan.config = {blocks, {32, 4}};
    const std::size_t wanted = resident * multiprocessors / blocks;
    const std::size_t most = std::min<std::size_t>(product.k / shortest, 64);
    split(plan, product.k, std::max<std::size_t>(std::min(wanted, most), 1));
    return plan;
}

// Whether 16 bytes of a row can be accessed at once.
bool is_aligned(const Tensor& x) {
    return x.shape(-1) % 4 == 0 && x.impl()->offset % 4 == 0;  // allocated memory is aligned
}

}  // namespace

std::size_t CudaKernels::multiprocessors() const {
    const std::size_t count = device_.limits().multiprocessors;
    return count > 0 ? count : 132;  // the simulator stands for a GPU of that size
}

void CudaKernels::add_parts(const Tensor& parts, Tensor& y) {
    CudaProduct p{};
    p.m = 1;
    p.n = int_of(y.size());
    run_each(file, "tensor_matmul_sum", y.size(), parts, int_of(parts.shape()[0]),
             gpu::argument(nullptr), y, p);
}

void CudaKernels::matmul(const MatmulShape& product, const Tensor& a, const Tensor& b, Tensor& c) {
    if (c.size() == 0) return;
    for (const Tensor* one : {&a, &b, static_cast<const Tensor*>(&c)}) int_of(one->size());
    const bool aligned = is_aligned(a) && is_aligned(b);
    const bool few = product.m <= few_rows && !product.transpose_a && aligned &&
                     product.n * product.k >= worth_streaming;
    const Plan plan = few ? few_rows_plan(multiprocessors(), product)
                          : best_tiles(multiprocessors(), product, aligned && is_aligned(c));
    const CudaProduct p{
        int_of(product.m),   int_of(product.n),       int_of(product.k),
        product.transpose_a, product.transpose_b,     is_aligned(a),
        is_aligned(b),       is_aligned(c),           int_of(plan.part),
        product.accumulate,  product.bias != nullptr, product.activation == Activation::relu};
    const gpu::Argument bias =
        product.bias == nullptr ? gpu::argument(nullptr) : argument_of(*product.bias);
    if (plan.parts == 1) {
        run(plan.file, plan.kernel, plan.config, a, b, bias, c, p);
    } else {
        const Tensor parts = Tensor::empty({plan.parts, product.m, product.n}, device_);
        run(plan.file, plan.kernel, plan.config, a, b, bias, parts, p);
        run_each(file, "tensor_matmul_sum", c.size(), parts, static_cast<int>(plan.parts), bias, c,
                 p);
    }
    switch (product.activation) {
        case Activation::none:
        case Activation::relu:  // the CUDA kernel has applied it
            break;
        case Activation::sigmoid:
            unary(Unary::sigmoid, c, c);
            break;
    }
}

}  // namespace lanes::tensor
