#include "lanes/tensor/tensor.hpp"

#include "kernels.hpp"
#include "node.hpp"
#include "tensor_impl.hpp"

#include "gpu/memory_pool.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes {

using tensor::TensorImpl;

const char* to_text(DType dtype) { return dtype == DType::float32 ? "float32" : "int32"; }

// --- what it is

const Shape& Tensor::shape() const {
    tensor::require_defined(*this, "shape");
    return impl_->shape;
}

std::size_t Tensor::shape(long long axis) const {
    return shape()[shape().axis(axis, "Tensor::shape")];
}

std::size_t Tensor::size() const {
    tensor::require_defined(*this, "size");
    return impl_->count;
}

DType Tensor::dtype() const {
    tensor::require_defined(*this, "dtype");
    return impl_->dtype;
}

const Device& Tensor::device() const {
    tensor::require_defined(*this, "device");
    return impl_->elements->device;
}

namespace {

std::size_t checked_count(const Shape& shape) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) {
        LANES_REQUIRE(extent != Shape::unknown, "Tensor: the shape ", shape,
                      " has an axis of -1 elements. Only reshape can compute an extent.");
        LANES_REQUIRE(extent == 0 || count <= (std::size_t{1} << 40) / extent, "Tensor: the shape ",
                      shape, " has more than 2^40 elements. Look at its extents.");
        count *= extent;
    }
    return count;
}

}  // namespace

// --- creation

Tensor Tensor::empty(const Shape& shape, const Device& device, DType dtype) {
    const std::size_t count = checked_count(shape);
    auto impl = std::make_shared<TensorImpl>();
    impl->shape = shape;
    impl->dtype = dtype;
    impl->count = count;
    impl->elements = std::make_shared<tensor::Elements>(
        tensor::Elements{device, gpu::allocate(device, count * tensor::element_bytes), count, 0});
    return Tensor(std::move(impl));
}

Tensor Tensor::full(const Shape& shape, float value, const Device& device) {
    Tensor result = empty(shape, device);
    tensor::kernels_of(device).fill(result, value);
    return result;
}

Tensor Tensor::zeros(const Shape& shape, const Device& device, DType dtype) {
    Tensor result = empty(shape, device, dtype);
    tensor::kernels_of(device).fill(result, 0);  // the bits of 0.0f are those of 0
    return result;
}

Tensor Tensor::ones(const Shape& shape, const Device& device) { return full(shape, 1, device); }

Tensor Tensor::arange(std::size_t count, const Device& device) {
    std::vector<float> values(count);
    // not by adding 1 in float, which ends at 2^24
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
    return from(values, device);
}

Tensor Tensor::randn(const Shape& shape, const Device& device) {
    Tensor result = empty(shape);
    tensor::random_generator().fill_normal(tensor::floats(result), result.size(), 0, 1);
    return result.to(device);
}

Tensor Tensor::rand(const Shape& shape, const Device& device) {
    Tensor result = empty(shape);
    tensor::random_generator().fill_uniform(tensor::floats(result), result.size(), 0, 1);
    return result.to(device);
}

Tensor Tensor::of(std::initializer_list<float> values) { return from(std::vector<float>(values)); }

Tensor Tensor::of(std::initializer_list<std::initializer_list<float>> values) {
    const std::size_t columns = values.size() == 0 ? 0 : values.begin()->size();
    Tensor result = empty({values.size(), columns});
    float* to = tensor::floats(result);
    for (const auto& row : values) {
        LANES_REQUIRE(row.size() == columns, "Tensor::of: rows of ", columns, " and ", row.size(),
                      " numbers. Give all rows the same length.");
        to = std::copy(row.begin(), row.end(), to);
    }
    return result;
}

namespace {

template <class To, class From>
Tensor converted(const From* values, const Shape& shape, const Device& device, DType dtype) {
    Tensor result = Tensor::empty(shape, Device::cpu(), dtype);
    auto* const to = static_cast<To*>(tensor::address(result));
    for (std::size_t i = 0; i < result.size(); ++i) {
        to[i] = static_cast<To>(values[i]);
        // the first comparison alone takes 2^64 - 1 for -1
        if constexpr (std::is_integral_v<From>)
            LANES_REQUIRE(static_cast<From>(to[i]) == values[i] && (to[i] < 0) == (values[i] < 0),
                          "Tensor::from: element ", i, " is ", values[i],
                          ", which int32 cannot hold. Convert the values first.");
    }
    return result.to(device);
}

template <class T>
Tensor copied(const T* values, const Shape& shape, const Device& device, DType dtype) {
    Tensor result = Tensor::empty(shape, device, dtype);
    tensor::upload(result, values, "Tensor::from");
    return result;
}

}  // namespace

Tensor Tensor::from_values(const float* values, const Shape& shape, const Device& device) {
    return copied(values, shape, device, DType::float32);
}
Tensor Tensor::from_values(const int* values, const Shape& shape, const Device& device) {
    return copied(values, shape, device, DType::int32);
}
Tensor Tensor::from_values(const double* values, const Shape& shape, const Device& device) {
    return converted<float>(values, shape, device, DType::float32);
}
Tensor Tensor::from_values(const unsigned char* values, const Shape& shape, const Device& device) {
    return converted<int>(values, shape, device, DType::int32);
}
Tensor Tensor::from_values(const long long* values, const Shape& shape, const Device& device) {
    return converted<int>(values, shape, device, DType::int32);
}
Tensor Tensor::from_values(const unsigned long* values, const Shape& shape, const Device& device) {
    return converted<int>(values, shape, device, DType::int32);
}

// --- other places, other shapes

Tensor Tensor::to(const Device& device) const {
    if (this->device() == device) return *this;
    Tensor result = empty(shape(), device, dtype());
    if (device.is_cpu()) {
        tensor::download(*this, tensor::address(result), "to");
    } else if (this->device().is_cpu()) {
        tensor::upload(result, tensor::address(*this), "to");
    } else {
        std::vector<unsigned char> bytes(size() * tensor::element_bytes);
        tensor::download(*this, bytes.data(), "to");
        tensor::upload(result, bytes.data(), "to");
    }
    return tensor::recorded_view("to", result, {*this}, [&] {
        return [from = this->device()](const tensor::Node&, const Tensor& gradient) {
            return std::vector<Tensor>{gradient.to(from)};
        };
    });
}

Tensor& Tensor::to_(const Device& device) {
    LANES_REQUIRE(is_leaf(), "to_: the tensor of shape ", shape(), " was computed by ",
                  impl_->node->name, ", backward() needs it where it is. Use to().");
    if (impl_->grad.defined()) impl_->grad = impl_->grad.to(device);
    tensor::Elements& elements = *impl_->elements;
    if (elements.device == device) return *this;  // perhaps moved by a tensor that shares them
    // the elements of all tensors that share them, not only of this one
    auto whole = std::make_shared<TensorImpl>();
    whole->shape = {elements.count};
    whole->count = elements.count;
    whole->dtype = dtype();
    whole->elements = impl_->elements;
    const Tensor moved = Tensor(std::move(whole)).to(device);
    elements.device = device;
    elements.memory = moved.impl()->elements->memory;
    tensor::changed(*this);  // a backward pass may need them where they were
    return *this;
}

Tensor Tensor::clone() const {
    Tensor result = empty(shape(), device(), dtype());
    tensor::kernels_of(device()).copy(*this, result);
    return tensor::recorded_view("clone", result, {*this}, [] {
        return [](const tensor::Node&, const Tensor& gradient) {
            return std::vector<Tensor>{gradient};
        };
    });
}

Tensor Tensor::detach() const {
    tensor::require_defined(*this, "detach");
    return tensor::view(*this, shape(), 0);
}

Tensor Tensor::reshape(const Shape& wanted) const {
    tensor::require_defined(*this, "reshape");
    Shape known = wanted;
    std::size_t given = 1;
    std::size_t* open = nullptr;
    for (std::size_t axis = 0; axis < known.rank(); ++axis) {
        if (known[axis] != Shape::unknown) {
            given *= known[axis];
            continue;
        }
        LANES_REQUIRE(open == nullptr,
                      "reshape: two extents are -1. At most one can be computed from the others.");
        open = &known[axis];
    }
    if (open != nullptr) *open = given == 0 ? 0 : size() / given;
    LANES_REQUIRE(checked_count(known) == size(), "reshape: ", shape(), " has ", size(),
                  " elements, which do not fit the new shape ", open ? known : wanted,
                  ". Both must have the same number of elements.");
    return tensor::recorded_view("reshape", tensor::view(*this, known, 0), {*this}, [&] {
        return [before = shape()](const tensor::Node&, const Tensor& gradient) {
            return std::vector<Tensor>{gradient.reshape(before)};
        };
    });
}

Tensor Tensor::slice(std::size_t first, std::size_t last) const {
    LANES_REQUIRE(rank() >= 1, "slice: the tensor has no axes. Use item().");
    LANES_REQUIRE(first <= last && last <= shape()[0], "slice: rows ", first, " to ", last,
                  " of a tensor of shape ", shape(), ", which has ", shape()[0],
                  " along axis 0. Give first <= last <= that number.");
    Shape part = shape();
    part[0] = last - first;
    const std::size_t row = shape()[0] == 0 ? 0 : size() / shape()[0];
    return tensor::recorded_view("slice", tensor::view(*this, part, first * row), {*this}, [&] {
        return [before = shape(), first, last](const tensor::Node&, const Tensor& gradient) {
            Tensor whole = Tensor::zeros(before, gradient.device());
            Tensor rows = whole.slice(first, last);
            tensor::kernels_of(gradient.device()).copy(gradient, rows);
            return std::vector<Tensor>{whole};
        };
    });
}

Tensor Tensor::operator[](std::size_t row) const {
    const Tensor one = slice(row, row + 1);
    Shape rest;
    for (std::size_t axis = 1; axis < rank(); ++axis)
        rest.append(static_cast<long long>(shape()[axis]));
    return one.reshape(rest);
}

// --- values

float Tensor::item() const {
    LANES_REQUIRE(size() == 1, "item: the tensor of shape ", shape(), " has ", size(),
                  " elements. Only a tensor with one element is a number.");
    if (dtype() == DType::int32) {
        int value = 0;
        tensor::download(*this, &value, "item");
        return static_cast<float>(value);
    }
    float value = 0;
    tensor::download(*this, &value, "item");
    return value;
}

float Tensor::at(std::initializer_list<Shape::Extent> index) const {
    LANES_REQUIRE(index.size() == rank(), "at: ", index.size(), " indices for a tensor of shape ",
                  shape(), ". Give one per axis.");
    std::size_t position = 0;
    std::size_t axis = 0;
    for (const Shape::Extent one : index) {
        LANES_REQUIRE(one.value >= 0 && static_cast<std::size_t>(one.value) < shape()[axis],
                      "at: index ", one.value, " along axis ", axis, " of a tensor of shape ",
                      shape(), ". Indices are counted from 0.");
        position = position * shape()[axis++] + static_cast<std::size_t>(one.value);
    }
    return tensor::view(*this, Shape{}, position).item();
}

void Tensor::copy_values(float* to, const char* operation) const {
    const auto* const first = static_cast<const float*>(address(DType::float32, operation));
    std::copy(first, first + size(), to);
}

void Tensor::copy_extents(std::size_t* extents, std::size_t wanted) const {
    LANES_REQUIRE(rank() == wanted, "to_xtensor: the tensor of shape ", shape(), " has ", rank(),
                  " axes, not ", wanted, ". Write to_xtensor<", rank(), ">().");
    std::copy(shape().begin(), shape().end(), extents);
}

void* Tensor::address(DType dtype, const char* operation) const {
    if (defined() && dtype == DType::float32)
        LANES_REQUIRE(this->dtype() == dtype, operation, ": a tensor of shape ", shape(), " holds ",
                      to_text(this->dtype()),
                      ", not float32. data<int>() and to_vector<int>() "
                      "give its elements.");
    tensor::require_type(*this, dtype, operation);
    LANES_REQUIRE(device().is_cpu(), operation, ": the tensor lives on ", device().id(),
                  ". Copy it first: x.cpu().");
    return tensor::address(*this);
}

// --- changes in place

Tensor& Tensor::fill_(float value) {
    tensor::require_changeable(*this, "fill_");
    tensor::require_type(*this, DType::float32, "fill_");
    tensor::kernels_of(device()).fill(*this, value);
    tensor::changed(*this);
    return *this;
}

Tensor& Tensor::copy_(const Tensor& from) {
    tensor::require_changeable_by(*this, from, "copy_", "copied");
    tensor::require_type(from, dtype(), "copy_");
    LANES_REQUIRE(from.shape() == shape(), "copy_: a tensor of shape ", from.shape(),
                  " into one of shape ", shape(), ". Both must have the same shape.");
    if (from.impl()->elements == impl_->elements && from.impl()->offset == impl_->offset)
        return *this;
    if (from.device() == device())
        tensor::kernels_of(device()).copy(from, *this);
    else if (from.device().is_cpu())
        tensor::upload(*this, tensor::address(from), "copy_");
    else
        tensor::upload(*this, tensor::address(from.detach().cpu()), "copy_");
    tensor::changed(*this);
    return *this;
}

Tensor& Tensor::add_(const Tensor& other, float scale) {
    tensor::require_changeable_by(*this, other, "add_", "added");
    tensor::require_same_device(*this, other, "add_");
    tensor::require_type(*this, DType::float32, "add_");
    tensor::require_type(other, DType::float32, "add_");
    LANES_REQUIRE(other.shape() == shape(), "add_: a tensor of shape ", other.shape(),
                  " to one of shape ", shape(), ". Both must have the same shape.");
    tensor::kernels_of(device()).add_scaled(*this, other, scale);
    tensor::changed(*this);
    return *this;
}

Tensor& Tensor::mul_(float factor) {
    tensor::require_changeable(*this, "mul_");
    tensor::require_type(*this, DType::float32, "mul_");
    tensor::kernels_of(device()).affine(*this, factor, 0, *this);
    tensor::changed(*this);
    return *this;
}

}  // namespace lanes
