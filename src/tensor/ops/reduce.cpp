#include "tensor/core/kernels.hpp"
#include "tensor/core/node.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/ops.hpp"

#include <array>

namespace lanes {

using tensor::kernels_of;
using tensor::Node;
using tensor::ReductionShape;
using tensor::Saved;

namespace {

using Gradients = std::vector<Tensor>;
using Flags = std::array<bool, Shape::max_rank>;

Flags flags_of(const Tensor& x, const std::vector<int>& axes, const char* name) {
    Flags reduced{};
    for (const int axis : axes) {
        const std::size_t number = x.shape().axis(axis, name);
        LANES_REQUIRE(!reduced[number], name, ": axis ", axis, " of a tensor of shape ", x.shape(),
                      " is given twice. Give each axis once.");
        reduced[number] = true;
    }
    return reduced;
}

Shape reduced_shape(const Shape& shape, const Flags& reduced, bool keep) {
    Shape result;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (!reduced[axis])
            result.append(static_cast<long long>(shape[axis]));
        else if (keep)
            result.append(1);
    }
    return result;
}

// (outer, length, inner), with axes first … last - 1 in the middle.
ReductionShape lines_of(const Shape& shape, std::size_t first, std::size_t last) {
    ReductionShape lines{1, 1, 1};
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
        (axis < first ? lines.outer : axis < last ? lines.length : lines.inner) *= shape[axis];
    return lines;
}

// Neighbouring axes are summed together, the last ones first; the result keeps extents of 1.
Tensor sum_flagged(const Tensor& x, const Flags& reduced) {
    Tensor result = x.detach();
    std::size_t last = x.rank();
    while (last > 0) {
        if (!reduced[last - 1]) {
            --last;
            continue;
        }
        std::size_t first = last;
        while (first > 0 && reduced[first - 1]) --first;
        Shape shape = result.shape();
        for (std::size_t axis = first; axis < last; ++axis) shape[axis] = 1;
        Tensor y = Tensor::empty(shape, x.device());
        kernels_of(x).sum(result, lines_of(result.shape(), first, last), y);
        result = y;
        last = first;
    }
    return result;
}

// The gradient of a sum: repeated along the axes that were summed.
Tensor repeated(const Tensor& gradient, const Shape& shape, const Shape& kept) {
    return gradient.reshape(kept) + Tensor::zeros(shape, gradient.device());
}

std::vector<int> all_axes(const Tensor& x) {
    std::vector<int> axes;
    axes.reserve(x.rank());
    for (std::size_t axis = 0; axis < x.rank(); ++axis) axes.push_back(static_cast<int>(axis));
    return axes;
}

Tensor scaled_sum(const char* name, const Tensor& x, const std::vector<int>& axes, bool keepdim,
                  bool divide) {
    tensor::require_type(x, DType::float32, name);
    const Flags reduced = flags_of(x, axes, name);
    const Shape kept = reduced_shape(x.shape(), reduced, true);
    const float scale =
        divide ? static_cast<float>(kept.count()) / static_cast<float>(x.size()) : 1.0f;
    Tensor y = axes.empty() ? x.detach().clone() : sum_flagged(x, reduced);
    if (divide) kernels_of(x).affine(y, scale, 0, y);
    y = tensor::view(y, reduced_shape(x.shape(), reduced, keepdim), 0);
    return tensor::recorded(name, y, {x}, [&] {
        return [shape = x.shape(), kept, scale](const Node&, const Tensor& g) {
            return Gradients{repeated(scale == 1 ? g : g * scale, shape, kept)};
        };
    });
}

struct Largest {
    Tensor values;
    Tensor index;
    ReductionShape lines;
};

Largest largest(const Tensor& x, std::size_t axis, bool keepdim, const char* name) {
    Flags reduced{};
    reduced[axis] = true;
    const ReductionShape lines = lines_of(x.shape(), axis, axis + 1);
    LANES_REQUIRE(lines.length > 0, name, ": axis ", axis, " of a tensor of shape ", x.shape(),
                  " has no elements. Give at least one.");
    const Shape shape = reduced_shape(x.shape(), reduced, keepdim);
    Largest result{Tensor::empty(shape, x.device()), Tensor::empty(shape, x.device(), DType::int32),
                   lines};
    kernels_of(x).max(x, lines, result.values, result.index);
    return result;
}

}  // namespace

Tensor sum(const Tensor& x, const std::vector<int>& axes, bool keepdim) {
    return scaled_sum("sum", x, axes, keepdim, false);
}

Tensor sum(const Tensor& x) { return sum(x, all_axes(x)); }

Tensor mean(const Tensor& x, const std::vector<int>& axes, bool keepdim) {
    return scaled_sum("mean", x, axes, keepdim, true);
}

Tensor mean(const Tensor& x) { return mean(x, all_axes(x)); }

Tensor max(const Tensor& x, int axis, bool keepdim) {
    tensor::require_type(x, DType::float32, "max");
    const Largest found = largest(x, x.shape().axis(axis, "max"), keepdim, "max");
    return tensor::recorded("max", found.values, {x}, [&] {
        return [shape = x.shape(), index = Saved(found.index), lines = found.lines](
                   const Node& node, const Tensor& g) {
            Tensor dx = Tensor::empty(shape, g.device());
            kernels_of(g).max_gradient(g, index.get(node), lines, dx);
            return Gradients{dx};
        };
    });
}

Tensor max(const Tensor& x) { return max(x.reshape({x.size()}), 0); }

Tensor argmax(const Tensor& x, int axis) {
    tensor::require_type(x, DType::float32, "argmax");
    return largest(x, x.shape().axis(axis, "argmax"), false, "argmax").index;
}

}  // namespace lanes
