// What a Tensor points to.
#pragma once

#include "gpu/backend.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/gpu/launch.hpp"
#include "lanes/tensor/tensor.hpp"

#include <cstdint>
#include <memory>

namespace lanes::tensor {

struct Node;  // node.hpp

// The elements. Slices, reshaped tensors and copies of a Tensor share them.
struct Elements {
    Device device;
    std::shared_ptr<gpu::Memory> memory;
    std::size_t count = 0;      // of all of them
    std::uint64_t version = 0;  // grows with each change in place: backward() looks at it
};

struct TensorImpl {
    Shape shape;
    DType dtype = DType::float32;
    std::shared_ptr<Elements> elements;
    std::size_t offset = 0;  // of the first element, in elements
    std::size_t count = 1;   // of shape

    bool requires_grad = false;
    Tensor grad;
    std::shared_ptr<Node> node;  // the operation that computed it; none for a leaf
};

constexpr std::size_t element_bytes = 4;  // of float32 and int32

// The same elements with another shape, without history.
Tensor view(const Tensor& x, const Shape& shape, std::size_t offset);

// The first element in the CPU's memory. Callers have checked device and type.
inline void* address(const Tensor& x) {
    const TensorImpl& impl = *x.impl();
    return static_cast<char*>(impl.elements->memory->address()) + impl.offset * element_bytes;
}
inline float* floats(const Tensor& x) { return static_cast<float*>(address(x)); }
inline int* ints(const Tensor& x) { return static_cast<int*>(address(x)); }

// As an argument of launch: exactly the elements of x, so that the simulator checks its bounds.
gpu::Argument argument_of(const Tensor& x);

// Copies between a tensor and the CPU's memory. Errors name the operation.
void download(const Tensor& x, void* to, const char* operation);
void upload(const Tensor& x, const void* from, const char* operation);

inline void changed(const Tensor& x) { ++x.impl()->elements->version; }

// Throws Error unless x may be changed in place.
void require_changeable(const Tensor& x, const char* operation);
// Throws Error unless x may be changed in place by `from`, element by element.
void require_changeable_by(const Tensor& x, const Tensor& from, const char* operation,
                           const char* verb);  // "copied", "added"

// --- the promises of a caller; the messages name the operation and both sides.
void require_defined(const Tensor& x, const char* operation);
void require_type(const Tensor& x, DType dtype, const char* operation);
void require_same_device(const Tensor& a, const Tensor& b, const char* operation);

Rng& random_generator();  // of manual_seed

}  // namespace lanes::tensor
