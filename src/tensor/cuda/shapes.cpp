#include "cuda_kernels.hpp"

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_shapes.cu";

struct Axes {  // as in the file
    int rank;
    int extent[Shape::max_rank];
    int step[Shape::max_rank];
};

}  // namespace

void CudaKernels::permute(const Tensor& x, const std::vector<std::size_t>& order, Tensor& y) {
    Axes axes{};
    axes.rank = static_cast<int>(x.rank());
    int x_step[Shape::max_rank] = {};
    std::size_t count = 1;
    for (std::size_t axis = x.rank(); axis-- > 0;) {
        x_step[axis] = int_of(count);
        count *= x.shape()[axis];
    }
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        axes.extent[axis] = int_of(y.shape()[axis]);
        axes.step[axis] = x_step[order[axis]];
    }
    run_each(file, "tensor_permute", y.size(), x, y, int_of(y.size()), axes);
}

void CudaKernels::pad(const Tensor& x, long long top, long long left, float value, Tensor& y) {
    if (x.size() == 0) return fill(y, value);
    run_each(file, "tensor_pad", y.size(), x, y, int_of(y.size()), int_of(x.shape(-2)),
             int_of(x.shape(-1)), int_of(y.shape(-2)), int_of(y.shape(-1)), static_cast<int>(top),
             static_cast<int>(left), value);
}

void CudaKernels::index_select(const Tensor& x, const Tensor& rows, Tensor& y) {
    if (y.size() == 0) return;
    int_of(x.size());
    run_each(file, "tensor_index_select", y.size(), x, rows, y, int_of(y.size()),
             int_of(y.size() / rows.size()), int_of(x.shape()[0]));
}

void CudaKernels::index_select_gradient(const Tensor& gradient, const Tensor& rows, Tensor& dx) {
    if (gradient.size() == 0) return fill(dx, 0);
    run_each(file, "tensor_index_select_gradient", dx.size(), gradient, rows, dx, int_of(dx.size()),
             int_of(gradient.size() / rows.size()), int_of(rows.size()));
}

}  // namespace lanes::tensor
