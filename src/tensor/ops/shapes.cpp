#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/ops.hpp"

#include <numeric>
#include <utility>

namespace lanes {

using tensor::kernels_of;
using tensor::Node;
using tensor::Saved;

namespace {

using Gradients = std::vector<Tensor>;

}  // namespace

Tensor permute(const Tensor& x, const std::vector<int>& axes) {
    tensor::require_type(x, DType::float32, "permute");
    LANES_REQUIRE(axes.size() == x.rank(), "permute: ", axes.size(), " axes for a tensor of shape ",
                  x.shape(), ". Name each axis once.");
    std::vector<std::size_t> order;
    std::vector<int> back(axes.size(), -1);
    Shape shape;
    for (const int axis : axes) {
        const std::size_t number = x.shape().axis(axis, "permute");
        LANES_REQUIRE(back[number] < 0, "permute: axis ", axis, " of a tensor of shape ", x.shape(),
                      " is given twice. Name each axis once.");
        back[number] = static_cast<int>(order.size());
        order.push_back(number);
        shape.append(static_cast<long long>(x.shape()[number]));
    }
    Tensor y = Tensor::empty(shape, x.device());
    kernels_of(x).permute(x, order, y);
    return tensor::recorded("permute", y, {x}, [&] {
        return [back](const Node&, const Tensor& g) { return Gradients{permute(g, back)}; };
    });
}

Tensor transpose(const Tensor& x, int axis_a, int axis_b) {
    const std::size_t a = x.shape().axis(axis_a, "transpose");
    const std::size_t b = x.shape().axis(axis_b, "transpose");
    std::vector<int> axes(x.rank());
    std::iota(axes.begin(), axes.end(), 0);
    std::swap(axes[a], axes[b]);
    return permute(x, axes);
}

Tensor pad(const Tensor& x, const Padding& padding, float value) {
    tensor::require_type(x, DType::float32, "pad");
    LANES_REQUIRE(x.rank() >= 2, "pad: the tensor of shape ", x.shape(),
                  " has fewer than two axes. The last two are padded.");
    Shape shape = x.shape();
    shape[x.rank() - 2] += padding.top + padding.bottom;
    shape[x.rank() - 1] += padding.left + padding.right;
    const auto top = static_cast<long long>(padding.top);
    const auto left = static_cast<long long>(padding.left);
    Tensor y = Tensor::empty(shape, x.device());
    kernels_of(x).pad(x, top, left, value, y);
    return tensor::recorded("pad", y, {x}, [&] {
        return [top, left, before = x.shape()](const Node&, const Tensor& g) {
            Tensor dx = Tensor::empty(before, g.device());
            kernels_of(g).pad(g, -top, -left, 0, dx);  // the border is cut off
            return Gradients{dx};
        };
    });
}

namespace {

// Along axis 0, where each tensor is one piece of the result.
Tensor cat_rows(const std::vector<Tensor>& tensors) {
    Shape shape = tensors.front().shape();
    shape[0] = 0;
    for (const Tensor& one : tensors) shape[0] += one.shape()[0];
    Tensor y = Tensor::empty(shape, tensors.front().device(), tensors.front().dtype());
    std::vector<std::size_t> ends;
    ends.reserve(tensors.size());
    std::size_t first = 0;
    for (const Tensor& one : tensors) {
        ends.push_back(first + one.shape()[0]);
        Tensor rows = y.slice(first, ends.back());
        if (rows.size() > 0) kernels_of(y).copy(one, rows);
        first = ends.back();
    }
    return tensor::recorded("cat", y, tensors, [&] {
        return [ends](const Node&, const Tensor& g) {
            Gradients gradients;
            gradients.reserve(ends.size());
            std::size_t start = 0;
            for (const std::size_t end : ends)
                gradients.push_back(g.slice(std::exchange(start, end), end));
            return gradients;
        };
    });
}

}  // namespace

Tensor cat(const std::vector<Tensor>& tensors, int axis) {
    LANES_REQUIRE(!tensors.empty(), "cat: no tensors. Give at least one.");
    tensor::require_defined(tensors.front(), "cat");
    const Shape& shape = tensors.front().shape();
    const std::size_t number = shape.axis(axis, "cat");
    for (const Tensor& one : tensors) {
        tensor::require_same_device(tensors.front(), one, "cat");
        tensor::require_type(one, tensors.front().dtype(), "cat");
        Shape fitting = one.shape();
        if (fitting.rank() == shape.rank()) fitting[number] = shape[number];
        LANES_REQUIRE(fitting == shape, "cat: the shapes ", shape, " and ", one.shape(),
                      " along axis ", axis, ". All other extents must be equal.");
    }
    if (number == 0) return cat_rows(tensors);
    std::vector<Tensor> turned;
    turned.reserve(tensors.size());
    for (const Tensor& one : tensors) turned.push_back(transpose(one, 0, axis));
    return transpose(cat_rows(turned), 0, axis);
}

Tensor stack(const std::vector<Tensor>& tensors, int axis) {
    LANES_REQUIRE(!tensors.empty(), "stack: no tensors. Give at least one.");
    tensor::require_defined(tensors.front(), "stack");
    const Shape& shape = tensors.front().shape();
    const auto rank = static_cast<int>(shape.rank());
    LANES_REQUIRE(axis >= -rank - 1 && axis <= rank, "stack: a new axis ", axis,
                  " for tensors of shape ", shape, ". Give a number from ", -rank - 1, " to ", rank,
                  ".");
    const int number = axis < 0 ? axis + rank + 1 : axis;
    Shape with_axis;
    for (int i = 0; i <= rank; ++i)
        with_axis.append(
            i == number
                ? 1
                : static_cast<long long>(shape[static_cast<std::size_t>(i < number ? i : i - 1)]));
    std::vector<Tensor> parts;
    parts.reserve(tensors.size());
    for (const Tensor& one : tensors) {
        tensor::require_defined(one, "stack");
        LANES_REQUIRE(one.shape() == shape, "stack: the shapes ", shape, " and ", one.shape(),
                      ". All must be equal.");
        parts.push_back(one.reshape(with_axis));
    }
    return cat(parts, number);
}

Tensor index_select(const Tensor& x, const Tensor& rows) {
    tensor::require_type(x, DType::float32, "index_select");
    tensor::require_type(rows, DType::int32, "index_select");
    tensor::require_same_device(x, rows, "index_select");
    LANES_REQUIRE(x.rank() >= 1 && rows.rank() == 1, "index_select: rows of shape ", rows.shape(),
                  " of a tensor of shape ", x.shape(),
                  ". The tensor needs at least one axis, the rows exactly one.");
    if (x.device().is_cpu())
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const int row = tensor::ints(rows)[i];
            LANES_REQUIRE(row >= 0 && static_cast<std::size_t>(row) < x.shape()[0],
                          "index_select: element ", i, " asks for row ", row,
                          " of a tensor of shape ", x.shape(), ". Rows are counted from 0.");
        }
    Shape shape = x.shape();
    shape[0] = rows.size();
    Tensor y = Tensor::empty(shape, x.device());
    kernels_of(x).index_select(x, rows, y);
    return tensor::recorded("index_select", y, {x}, [&] {
        return [before = x.shape(), rows = Saved(rows)](const Node& node, const Tensor& g) {
            Tensor dx = Tensor::empty(before, g.device());
            kernels_of(g).index_select_gradient(g, rows.get(node), dx);
            return Gradients{dx};
        };
    });
}

}  // namespace lanes
