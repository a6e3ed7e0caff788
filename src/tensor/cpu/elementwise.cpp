#include "cpu_kernels.hpp"

#include "tensor/core/broadcast.hpp"
#include "tensor/core/philox.hpp"

#include <atomic>
#include <cmath>
#include <cstring>

namespace lanes::tensor {

Kernels& cpu_kernels() {
    static CpuKernels kernels;
    return kernels;
}

void CpuKernels::fill(Tensor& y, float value) {
    float* const to = floats(y);
    parallel_for(y.size(), 1, [=](std::size_t first, std::size_t last) {
        std::fill(to + first, to + last, value);
    });
}

void CpuKernels::copy(const Tensor& x, Tensor& y) {
    const float* const from = floats(x);  // as bytes: int32 has the same size
    float* const to = floats(y);
    parallel_for(x.size(), 1, [=](std::size_t first, std::size_t last) {
        std::memcpy(to + first, from + first, (last - first) * element_bytes);
    });
}

namespace {

template <class Operation>
void for_each(const Tensor& x, Tensor& y, std::size_t cost, Operation operation) {
    const float* const from = floats(x);
    float* const to = floats(y);
    parallel_for(x.size(), cost, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) to[i] = operation(from[i]);
    });
}

// One step along the last axis is 0 or 1 for each side; the compiler vectorises each of the cases.
template <class Operation>
void for_row(const float* a, const float* b, float* y, std::size_t count, bool a_moves,
             bool b_moves, Operation operation) {
    if (a_moves && b_moves)
        for (std::size_t i = 0; i < count; ++i) y[i] = operation(a[i], b[i]);
    else if (a_moves)
        for (std::size_t i = 0; i < count; ++i) y[i] = operation(a[i], *b);
    else if (b_moves)
        for (std::size_t i = 0; i < count; ++i) y[i] = operation(*a, b[i]);
    else
        std::fill(y, y + count, operation(*a, *b));
}

template <class Operation>
void for_each_pair(const Tensor& a, const Tensor& b, Tensor& y, Operation operation) {
    const Broadcast steps = broadcast(a.shape(), b.shape(), y.shape());
    const float* const left = floats(a);
    const float* const right = floats(b);
    float* const to = floats(y);
    if (steps.is_plain()) {
        parallel_for(y.size(), 1, [=](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) to[i] = operation(left[i], right[i]);
        });
        return;
    }
    const std::size_t last_axis = steps.rank - 1;
    const std::size_t length = steps.extent[last_axis];
    const std::size_t rows = length == 0 ? 0 : y.size() / length;
    parallel_for(rows, length, [&, left, right, to](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            std::size_t rest = row;
            std::size_t from_a = 0;
            std::size_t from_b = 0;
            for (std::size_t axis = last_axis; axis-- > 0;) {
                const std::size_t index = rest % steps.extent[axis];
                rest /= steps.extent[axis];
                from_a += index * steps.a_step[axis];
                from_b += index * steps.b_step[axis];
            }
            for_row(left + from_a, right + from_b, to + row * length, length,
                    steps.a_step[last_axis] != 0, steps.b_step[last_axis] != 0, operation);
        }
    });
}

}  // namespace

void CpuKernels::unary(Unary operation, const Tensor& x, Tensor& y) {
    constexpr std::size_t cheap = 1;
    constexpr std::size_t costly = 10;  // a function of libm
    switch (operation) {
        case Unary::negate:
            return for_each(x, y, cheap, [](float v) { return -v; });
        case Unary::exp:
            return for_each(x, y, costly, [](float v) { return std::exp(v); });
        case Unary::log:
            return for_each(x, y, costly, [](float v) { return std::log(v); });
        case Unary::sqrt:
            return for_each(x, y, cheap, [](float v) { return std::sqrt(v); });
        case Unary::square:
            return for_each(x, y, cheap, [](float v) { return v * v; });
        case Unary::reciprocal:
            return for_each(x, y, cheap, [](float v) { return 1 / v; });
        case Unary::relu:  // a NaN stays one
            return for_each(x, y, cheap, [](float v) { return v < 0 ? 0 : v; });
        case Unary::sigmoid:
            return for_each(x, y, costly, [](float v) { return 1 / (1 + std::exp(-v)); });
        case Unary::tanh:
            return for_each(x, y, costly, [](float v) { return std::tanh(v); });
    }
}

void CpuKernels::affine(const Tensor& x, float scale, float shift, Tensor& y) {
    for_each(x, y, 1, [=](float v) { return scale * v + shift; });
}

void CpuKernels::binary(Binary operation, const Tensor& a, const Tensor& b, Tensor& y) {
    switch (operation) {
        case Binary::add:
            return for_each_pair(a, b, y, [](float u, float v) { return u + v; });
        case Binary::subtract:
            return for_each_pair(a, b, y, [](float u, float v) { return u - v; });
        case Binary::multiply:
            return for_each_pair(a, b, y, [](float u, float v) { return u * v; });
        case Binary::divide:
            return for_each_pair(a, b, y, [](float u, float v) { return u / v; });
        case Binary::relu_gradient:
            return for_each_pair(a, b, y, [](float g, float v) { return v <= 0 ? 0 : g; });
        case Binary::sigmoid_gradient:
            return for_each_pair(a, b, y, [](float g, float v) { return g * v * (1 - v); });
        case Binary::tanh_gradient:
            return for_each_pair(a, b, y, [](float g, float v) { return g * (1 - v * v); });
    }
}

void CpuKernels::add_scaled(Tensor& y, const Tensor& x, float scale) {
    const float* const from = floats(x);
    float* const to = floats(y);
    parallel_for(x.size(), 1, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) to[i] += scale * from[i];
    });
}

void CpuKernels::dropout_mask(std::uint64_t seed, float p, Tensor& mask) {
    float* const to = floats(mask);
    const std::size_t count = mask.size();
    const float kept = 1 / (1 - p);
    parallel_for((count + 3) / 4, 40, [=](std::size_t first, std::size_t last) {
        for (std::size_t block = first; block < last; ++block) {
            const auto bits = philox(seed, static_cast<std::uint32_t>(block));
            for (std::size_t i = 0; i < 4 && 4 * block + i < count; ++i) {
                const float uniform = static_cast<float>(bits[i] >> 8) * 0x1p-24f;  // in [0, 1)
                to[4 * block + i] = uniform < p ? 0 : kept;
            }
        }
    });
}

void CpuKernels::count_up(Tensor& counter) { ++ints(counter)[0]; }

bool CpuKernels::has_nan(const Tensor& x) {
    const float* const from = floats(x);
    std::atomic<bool> found{false};
    parallel_for(x.size(), 1, [&](std::size_t first, std::size_t last) {
        int here = 0;
        for (std::size_t i = first; i < last; ++i) here |= from[i] != from[i];
        if (here) found = true;
    });
    return found;
}

}  // namespace lanes::tensor
