#include "cuda_kernels.hpp"

#include "tensor/core/broadcast.hpp"

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_elementwise.cu";

// The bits of the elements, whatever their type.
template <class T>
gpu::Argument bits_of(const Tensor& x) {
    gpu::Argument argument = argument_of(x);
    argument.type = gpu::tag_of<T>();
    return argument;
}

struct Steps {  // as in the file
    int rank;
    int extent[Shape::max_rank];
    int a_step[Shape::max_rank];
    int b_step[Shape::max_rank];
};

Steps steps_of(const Broadcast& broadcast) {
    Steps steps{};
    steps.rank = static_cast<int>(broadcast.rank);
    for (std::size_t axis = 0; axis < broadcast.rank; ++axis) {
        steps.extent[axis] = int_of(broadcast.extent[axis]);
        steps.a_step[axis] = int_of(broadcast.a_step[axis]);
        steps.b_step[axis] = int_of(broadcast.b_step[axis]);
    }
    return steps;
}

}  // namespace

void CudaKernels::fill(Tensor& y, float value) {
    run_each(file, "tensor_fill", y.size(), bits_of<float>(y), int_of(y.size()), value);
}

void CudaKernels::copy(const Tensor& x, Tensor& y) {
    run_each(file, "tensor_copy", y.size(), bits_of<int>(x), bits_of<int>(y), int_of(y.size()));
}

void CudaKernels::unary(Unary operation, const Tensor& x, Tensor& y) {
    run_each(file, "tensor_unary", y.size(), static_cast<int>(operation), x, y, int_of(y.size()));
}

void CudaKernels::affine(const Tensor& x, float scale, float shift, Tensor& y) {
    run_each(file, "tensor_affine", y.size(), x, scale, shift, y, int_of(y.size()));
}

void CudaKernels::add_scaled(Tensor& y, const Tensor& x, float scale) {
    run_each(file, "tensor_add_scaled", y.size(), y, x, scale, int_of(y.size()));
}

void CudaKernels::binary(Binary operation, const Tensor& a, const Tensor& b, Tensor& y) {
    const Broadcast steps = broadcast(a.shape(), b.shape(), y.shape());
    const int number = static_cast<int>(operation);
    if (steps.is_plain())
        run_each(file, "tensor_binary", y.size(), number, a, b, y, int_of(y.size()));
    else
        run_each(file, "tensor_binary_broadcast", y.size(), number, a, b, y, int_of(y.size()),
                 steps_of(steps));
}

void CudaKernels::dropout_mask(std::uint64_t seed, float p, Tensor& mask) {
    // each replay of a captured step has other random numbers
    Capture* const capture = current_capture();
    const gpu::Argument counter =
        capture == nullptr ? gpu::argument(nullptr) : argument_of(capture->counter());
    run_each(file, "tensor_dropout_mask", (mask.size() + 3) / 4, mask, int_of(mask.size()),
             static_cast<unsigned long long>(seed), counter, p, 1 / (1 - p));
}

void CudaKernels::count_up(Tensor& counter) { run(file, "tensor_count_up", {1, 1}, counter); }

bool CudaKernels::has_nan(const Tensor& x) {
    const Tensor found = Tensor::zeros({1}, device_, DType::int32);
    run_each(file, "tensor_has_nan", x.size(), x, int_of(x.size()), found);
    return found.item() != 0;
}

}  // namespace lanes::tensor
