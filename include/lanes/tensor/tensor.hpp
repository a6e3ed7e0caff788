// An array of any shape that knows on which device it lives. Elements are float32, or int32 for
// labels and indices; they lie in row-major order without gaps. Copies of a Tensor share the
// elements; clone() copies them.
//
//   #include <iostream>
//   const lanes::Tensor x = lanes::Tensor::of({{1, 2, 3}, {4, 5, 6}});
//   const lanes::Tensor y = x.to("simulator");        // copied into the other memory
//   const lanes::Matrix m = y.cpu().to_xtensor<2>();  // and back
//   std::cout << x.slice(0, 1) << x.reshape({3, -1}) << x.shape(1) << x.device();
//
// Nothing is copied between devices unless the code says so: an operation whose tensors live on
// different devices throws an Error that names both.
#pragma once

#include "lanes/array/contiguous.hpp"
#include "lanes/array/types.hpp"
#include "lanes/base/error.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/tensor/shape.hpp"

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace lanes {

enum class DType { float32, int32 };
const char* to_text(DType dtype);  // "float32", "int32"

namespace tensor {
struct TensorImpl;  // src/tensor/core/tensor_impl.hpp
struct MimeBundle;
}  // namespace tensor

class Tensor {
public:
    Tensor() = default;  // no tensor at all: defined() is false
    bool defined() const { return impl_ != nullptr; }

    // --- creation
    static Tensor empty(const Shape& shape, const Device& device = Device::cpu(),
                        DType dtype = DType::float32);  // elements are not initialised
    static Tensor zeros(const Shape& shape, const Device& device = Device::cpu(),
                        DType dtype = DType::float32);
    static Tensor ones(const Shape& shape, const Device& device = Device::cpu());
    static Tensor full(const Shape& shape, float value, const Device& device = Device::cpu());
    static Tensor arange(std::size_t count, const Device& device = Device::cpu());  // 0, 1, 2, …
    // Random numbers of the generator that manual_seed sets: the same ones on every device.
    static Tensor randn(const Shape& shape, const Device& device = Device::cpu());  // normal
    static Tensor rand(const Shape& shape, const Device& device = Device::cpu());   // in [0, 1)

    static Tensor of(std::initializer_list<float> values);  // (n)
    static Tensor of(
        std::initializer_list<std::initializer_list<float>> values);  // (rows, columns)

    // A copy of a std::vector, or of an xtensor container, view or other expression of any layout.
    // float and double become float32, integers int32.
    template <class Container>
    static Tensor from(const Container& values, const Device& device = Device::cpu()) {
        const Contiguous elements(values);
        using Element = element_of<const Container>;
        static_assert(std::is_integral_v<Element> || std::is_same_v<Element, float> ||
                          std::is_same_v<Element, double>,
                      "Tensor::from: the elements must be float, double or integers");
        const Shape shape = shape_of(values, 0);
        if constexpr (std::is_same_v<Element, float> || std::is_same_v<Element, double> ||
                      std::is_same_v<Element, int> || std::is_same_v<Element, unsigned char>) {
            return from_values(elements.data(), shape, device);
        } else {
            using Wide = std::conditional_t<std::is_signed_v<Element>, long long, unsigned long>;
            const std::vector<Wide> wide(elements.data(), elements.data() + elements.size());
            return from_values(wide.data(), shape, device);
        }
    }

    // --- what it is
    const Shape& shape() const;
    std::size_t shape(long long axis) const;  // -1 is the last axis
    std::size_t rank() const { return shape().rank(); }
    std::size_t size() const;  // number of elements
    DType dtype() const;
    const Device& device() const;

    // --- other places, other shapes
    Tensor to(const Device& device) const;  // itself if it is there already, else a copy
    Tensor cpu() const { return to(Device::cpu()); }
    // Moves the elements, with all tensors that share them (views, detach()), and the gradient.
    Tensor& to_(const Device& device);
    Tensor clone() const;
    Tensor detach() const;  // the same elements without the history that backward() follows
    // These share the elements with this tensor.
    Tensor reshape(const Shape& shape) const;                 // one extent may be -1
    Tensor slice(std::size_t first, std::size_t last) const;  // rows first … last - 1 of axis 0
    Tensor operator[](std::size_t row) const;                 // one row, without axis 0

    // --- values
    float item() const;                                          // of a tensor with one element
    float at(std::initializer_list<Shape::Extent> index) const;  // one element, from any device
    template <std::size_t N>
    xt::xtensor<float, N> to_xtensor() const {
        std::array<std::size_t, N> extents;
        copy_extents(extents.data(), N);
        auto values = xt::xtensor<float, N>::from_shape(extents);
        copy_values(values.data(), "to_xtensor");
        return values;
    }
    // to_vector<int>() and data<int>() are for int32 tensors.
    template <class T = float>
    std::vector<T> to_vector() const {
        const T* const first = static_cast<const T*>(address(dtype_of<T>(), "to_vector"));
        return std::vector<T>(first, first + size());
    }
    // The elements in the CPU's memory; throws Error if the tensor lives elsewhere. Writing to them
    // is not seen by backward().
    template <class T = float>
    const T* data() const {
        return static_cast<const T*>(address(dtype_of<T>(), "data"));
    }
    template <class T = float>
    T* data() {
        return static_cast<T*>(address(dtype_of<T>(), "data"));
    }

    // --- changes in place. A tensor that requires gradients may be changed, added or copied only
    // while a NoGrad exists.
    Tensor& fill_(float value);
    Tensor& zero_() { return fill_(0); }
    Tensor& copy_(const Tensor& from);                   // from the same device or another one
    Tensor& add_(const Tensor& other, float scale = 1);  // this += scale * other
    Tensor& mul_(float factor);

    // --- gradients, see lanes/tensor/autograd.hpp
    Tensor& requires_grad_(bool on = true);
    bool requires_grad() const;
    bool is_leaf() const;                      // not computed from tensors that require gradients
    void backward(bool retain_graph = false);  // of a tensor with one element
    void backward(const Tensor& gradient, bool retain_graph = false);
    Tensor grad() const;  // throws Error if there is none
    bool has_grad() const;
    void zero_grad();

    std::string text() const;  // shape, type, device and the elements as a table

    const std::shared_ptr<tensor::TensorImpl>& impl() const { return impl_; }
    explicit Tensor(std::shared_ptr<tensor::TensorImpl> impl) : impl_(std::move(impl)) {}

private:
    template <class Container>
    static auto shape_of(const Container& values, int) -> decltype(Shape(values.shape())) {
        return Shape(values.shape());
    }
    template <class Container>
    static Shape shape_of(const Container& values, long) {
        return {values.size()};
    }
    static Tensor from_values(const float* values, const Shape& shape, const Device& device);
    static Tensor from_values(const double* values, const Shape& shape, const Device& device);
    static Tensor from_values(const unsigned char* values, const Shape& shape,
                              const Device& device);
    static Tensor from_values(const int* values, const Shape& shape, const Device& device);
    static Tensor from_values(const long long* values, const Shape& shape, const Device& device);
    static Tensor from_values(const unsigned long* values, const Shape& shape,
                              const Device& device);
    template <class T>
    static constexpr DType dtype_of() {
        static_assert(std::is_same_v<T, float> || std::is_same_v<T, int>,
                      "a tensor has elements of type float or int");
        return std::is_same_v<T, float> ? DType::float32 : DType::int32;
    }
    void* address(DType dtype, const char* operation) const;  // in the CPU's memory
    void copy_extents(std::size_t* extents, std::size_t rank) const;
    void copy_values(float* to, const char* operation) const;

    std::shared_ptr<tensor::TensorImpl> impl_;
};

// Starts the generator of randn, rand and dropout again.
void manual_seed(std::uint64_t seed);

std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
tensor::MimeBundle mime_bundle_repr(const Tensor& tensor);  // how a cell shows it

namespace tensor {

// What a cell asks of its last value to show it: the part of a JSON object's interface that it
// uses.
struct MimeBundle {
    enum class error_handler_t { replace };
    std::string json;
    std::string dump(int = -1, char = ' ', bool = false,
                     error_handler_t = error_handler_t::replace) const {
        return json;
    }
};

}  // namespace tensor

}  // namespace lanes
