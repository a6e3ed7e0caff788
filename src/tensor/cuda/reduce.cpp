#include "cuda_kernels.hpp"

#include "base/math.hpp"

#include <algorithm>

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_reduce.cu";
constexpr const char* softmax_file = "tensor_softmax.cu";

// A warp per line, four of them in a block.
LaunchConfig warps_for(std::size_t lines) { return {(lines + 3) / 4, {32, 4}}; }

}  // namespace

void CudaKernels::sum(const Tensor& x, const ReductionShape& lines, Tensor& y) {
    scaled_sum(x, lines, 1, y);
}

void CudaKernels::scaled_sum(const Tensor& x, const ReductionShape& lines, float scale, Tensor& y) {
    const auto [outer, length, inner] = lines;
    if (y.size() == 0) return;
    if (length == 0) return fill(y, 0);
    int_of(x.size());
    constexpr std::size_t most = 65535;  // blocks along the second axis of a grid
    constexpr std::size_t chunk = 4096;
    const std::size_t chunks = ceil_div(length, chunk);
    if (inner > 1 && chunks > 1) {  // sums of chunks first: long sums in one float lose digits
        Tensor partial = Tensor::empty({outer, chunks, inner}, device_);
        for (std::size_t i = 0; i < outer; ++i)
            for (const std::size_t first : {std::size_t{0}, length / chunk * chunk}) {
                const std::size_t rows = first == 0 ? chunk : length - first;
                const std::size_t count = first == 0 ? length / chunk : 1;
                if (rows == 0) continue;
                const Tensor from = view(x, {count, rows, inner}, (i * length + first) * inner);
                Tensor to = view(partial, {count, inner}, (i * chunks + first / chunk) * inner);
                scaled_sum(from, {count, rows, inner}, 1, to);
            }
        return scaled_sum(partial, {outer, chunks, inner}, scale, y);
    }
    if (inner > 1) {
        for (std::size_t first = 0; first < outer; first += most) {
            const std::size_t count = std::min(most, outer - first);
            const Tensor from = view(x, {count, length, inner}, first * length * inner);
            const Tensor to = view(y, {count, inner}, first * inner);
            run(file, "tensor_sum_columns", {{(inner + 31) / 32, count}, {32, 8}}, from, to,
                int_of(length), int_of(inner), scale);
        }
        return;
    }
    Tensor partial = chunks == 1 ? y : Tensor::empty({outer, chunks}, device_);
    for (std::size_t first = 0; first < outer; first += most) {
        const std::size_t count = std::min(most, outer - first);
        run(file, "tensor_sum_rows", {{chunks, count}, 256},
            view(x, {count, length}, first * length),
            view(partial, {count, chunks}, first * chunks), int_of(length), int_of(chunk),
            chunks > 1 ? 1.0f : scale);
    }
    if (chunks > 1) scaled_sum(partial, {outer, chunks, 1}, scale, y);
}

void CudaKernels::linear_gradient(const Tensor& gradient, const Tensor& y, Activation activation,
                                  Tensor& dz, Tensor& dbias) {
    if (gradient.size() == 0) return fill(dbias, 0);
    constexpr std::size_t most_rows = 65536;  // one thread adds up every 32nd of them
    if (gradient.shape()[0] > most_rows)
        return Kernels::linear_gradient(gradient, y, activation, dz, dbias);
    const std::size_t columns = gradient.shape()[1];
    int_of(gradient.size());
    run(file, "tensor_linear_gradient", {(columns + 31) / 32, {32, 32}}, gradient, y, dz, dbias,
        int_of(gradient.shape()[0]), int_of(columns), static_cast<int>(activation));
}

void CudaKernels::max(const Tensor& x, const ReductionShape& lines, Tensor& y, Tensor& index) {
    int_of(x.size());
    if (y.size() > 0)
        run(file, "tensor_max", {y.size(), 128}, x, y, index, int_of(lines.length),
            int_of(lines.inner));
}

void CudaKernels::max_gradient(const Tensor& gradient, const Tensor& index,
                               const ReductionShape& lines, Tensor& dx) {
    run_each(file, "tensor_max_gradient", dx.size(), gradient, index, dx, int_of(dx.size()),
             int_of(lines.length), int_of(lines.inner));
}

void CudaKernels::softmax(const Tensor& x, const ReductionShape& lines, bool log, Tensor& y) {
    const std::size_t count = lines.outer * lines.inner;
    if (x.size() > 0)
        run(softmax_file, "tensor_softmax", warps_for(count), x, y, int_of(count),
            int_of(lines.length), int_of(lines.inner), log ? 1 : 0);
}

void CudaKernels::softmax_gradient(const Tensor& gradient, const Tensor& y,
                                   const ReductionShape& lines, bool log, Tensor& dx) {
    const std::size_t count = lines.outer * lines.inner;
    if (dx.size() > 0)
        run(softmax_file, "tensor_softmax_gradient", warps_for(count), gradient, y, dx,
            int_of(count), int_of(lines.length), int_of(lines.inner), log ? 1 : 0);
}

void CudaKernels::cross_entropy(const Tensor& logits, const Tensor& labels, Tensor& losses,
                                Tensor& scales) {
    run(softmax_file, "tensor_cross_entropy", warps_for(labels.size()), logits, labels, losses,
        scales, int_of(labels.size()), int_of(logits.shape()[1]));
}

void CudaKernels::cross_entropy_gradient(const Tensor& logits, const Tensor& labels,
                                         const Tensor& scales, const Tensor& gradient, float share,
                                         Tensor& dx) {
    run_each(softmax_file, "tensor_cross_entropy_gradient", dx.size(), logits, labels, scales,
             gradient, share, dx, int_of(dx.size()), int_of(logits.shape()[1]));
}

}  // namespace lanes::tensor
