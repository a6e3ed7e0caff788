#include "tensor_impl.hpp"

#include "capture.hpp"

#include "gpu/trace_log.hpp"
#include "lanes/base/error.hpp"
#include "lanes/tensor/autograd.hpp"

namespace lanes::tensor {

namespace {

// A part of another piece of memory.
class MemoryPart : public gpu::Memory {
public:
    MemoryPart(std::shared_ptr<gpu::Memory> whole, std::size_t offset, std::size_t bytes)
        : whole_(std::move(whole)), offset_(offset), bytes_(bytes) {}

    void upload(std::size_t offset, const void* from, std::size_t bytes) override {
        whole_->upload(offset_ + offset, from, bytes);
    }
    void download(std::size_t offset, void* to, std::size_t bytes) const override {
        whole_->download(offset_ + offset, to, bytes);
    }
    void fill_zero() override {
        const std::vector<unsigned char> zeros(bytes_);
        whole_->upload(offset_, zeros.data(), bytes_);
    }
    std::size_t bytes() const override { return bytes_; }
    void* address() const override { return static_cast<char*>(whole_->address()) + offset_; }

private:
    std::shared_ptr<gpu::Memory> whole_;
    std::size_t offset_;
    std::size_t bytes_;
};

}  // namespace

Tensor view(const Tensor& x, const Shape& shape, std::size_t offset) {
    auto impl = std::make_shared<TensorImpl>();
    impl->shape = shape;
    impl->dtype = x.dtype();
    impl->elements = x.impl()->elements;
    impl->offset = x.impl()->offset + offset;
    impl->count = shape.count();
    return Tensor(std::move(impl));
}

gpu::Argument argument_of(const Tensor& x) {
    const TensorImpl& impl = *x.impl();
    auto memory = std::make_shared<MemoryPart>(impl.elements->memory, impl.offset * element_bytes,
                                               impl.count * element_bytes);
    auto storage = std::make_shared<gpu::Storage>(impl.elements->device, impl.count, element_bytes,
                                                  std::move(memory));
    const gpu::TypeTag type =
        impl.dtype == DType::float32 ? gpu::tag_of<float>() : gpu::tag_of<int>();
    return {gpu::Argument::Kind::buffer, type, std::move(storage), {}};
}

void download(const Tensor& x, void* to, const char* operation) {
    require_no_capture(x, operation);
    const TensorImpl& impl = *x.impl();
    if (impl.count == 0) return;
    if (!x.device().is_cpu()) gpu::trace_copy(x.device(), to, impl.count * element_bytes, false);
    impl.elements->memory->download(impl.offset * element_bytes, to, impl.count * element_bytes);
}

void upload(const Tensor& x, const void* from, const char* operation) {
    require_no_capture(x, operation);
    const TensorImpl& impl = *x.impl();
    if (impl.count == 0) return;
    if (!x.device().is_cpu()) gpu::trace_copy(x.device(), from, impl.count * element_bytes, true);
    impl.elements->memory->upload(impl.offset * element_bytes, from, impl.count * element_bytes);
}

void require_changeable(const Tensor& x, const char* operation) {
    require_defined(x, operation);
    LANES_REQUIRE(!x.requires_grad() || !grad_enabled(), operation, ": the tensor of shape ",
                  x.shape(),
                  " requires gradients, which a change in place would make wrong. Put a NoGrad in "
                  "front, or compute a new tensor.");
}

void require_changeable_by(const Tensor& x, const Tensor& from, const char* operation,
                           const char* verb) {
    require_changeable(x, operation);
    require_defined(from, operation);
    LANES_REQUIRE(!from.requires_grad() || !grad_enabled(), operation, ": the tensor of shape ",
                  from.shape(), " that is ", verb,
                  " requires gradients, which a change in place would lose. Compute a new tensor, "
                  "or use detach() or a NoGrad.");
    const TensorImpl& a = *x.impl();
    const TensorImpl& b = *from.impl();
    const bool apart = a.elements != b.elements || a.offset == b.offset ||
                       a.offset + a.count <= b.offset || b.offset + b.count <= a.offset;
    LANES_REQUIRE(apart, operation, ": the tensor of shape ", x.shape(),
                  " shares some of its elements with the one that is ", verb,
                  ", at other positions. Copy a clone() of it.");
}

void require_defined(const Tensor& x, const char* operation) {
    LANES_REQUIRE(x.defined(), operation,
                  ": the tensor holds nothing. Make it first, as by Tensor::zeros({2, 3}).");
}

void require_type(const Tensor& x, DType dtype, const char* operation) {
    require_defined(x, operation);
    LANES_REQUIRE(x.dtype() == dtype, operation, ": a tensor of shape ", x.shape(), " holds ",
                  to_text(x.dtype()), ", but ", to_text(dtype),
                  " is needed. Tensor::from makes float32 of float and double, int32 of integers.");
}

void require_same_device(const Tensor& a, const Tensor& b, const char* operation) {
    require_defined(a, operation);
    require_defined(b, operation);
    LANES_REQUIRE(a.device() == b.device(), operation, ": one tensor, ", a.shape(), ", lives on ",
                  a.device().id(), " and the other, ", b.shape(), ", on ", b.device().id(),
                  ". Copy one of them: x.to(device).");
}

}  // namespace lanes::tensor
