// Memory on a device. Copies of a Buffer share the memory; it is freed with the last of them.
// Elements are uninitialised unless values are given, and the simulator reports a CUDA kernel that
// reads them too early.
//
//   #include "lanes/array.hpp"
//   const lanes::Device device = lanes::Device::best();
//   const lanes::Matrix matrix{{1, 2, 3}, {4, 5, 6}};
//   const lanes::Buffer<float> x(device, matrix);  // from any xtensor expression or a std::vector
//   const lanes::Buffer<float> y(device, 6);       // uninitialised
//   const std::vector<float> values = x.download();
//   const lanes::Matrix copy = x.download<lanes::Matrix>({2, 3});
#pragma once

#include "lanes/array/contiguous.hpp"
#include "lanes/base/error.hpp"
#include "lanes/gpu/device.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

namespace gpu {

class Memory;  // src/gpu/backend.hpp

// The untyped part, compiled into the library. A buffer from before a fork (a session that took
// over after a crash) has lost its contents on a GPU: each use reports that.
class Storage {
public:
    Storage(const Device& device, std::size_t count, std::size_t element_bytes);
    // Existing memory of that device, of at least that size.
    Storage(const Device& device, std::size_t count, std::size_t element_bytes,
            std::shared_ptr<Memory> memory);
    void upload(const void* from, std::size_t first, std::size_t count);
    void download(void* to, std::size_t first, std::size_t count) const;
    void fill_zero();
    const Device& device() const { return device_; }
    std::size_t size() const { return count_; }
    const std::shared_ptr<Memory>& memory() const { return memory_; }

private:
    Device device_;
    std::size_t count_, element_bytes_;
    std::shared_ptr<Memory> memory_;
};

[[noreturn]] void fail_count(long long count);
[[noreturn]] void fail_sizes(const char* operation, std::size_t host, std::size_t device);
[[noreturn]] void fail_offset(long long offset, std::size_t count);

}  // namespace gpu

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>,
                  "Buffer<T>: elements are copied byte by byte, T must be trivially copyable");

public:
    using value_type = T;

    template <class N, std::enable_if_t<std::is_integral_v<N>, int> = 0>
    Buffer(const Device& device, N count)
        : storage_(std::make_shared<gpu::Storage>(device, checked(count), sizeof(T))) {}

    // A container with data() and size(), such as std::vector and std::array, or an xtensor
    // expression of any layout; the elements are copied rows first.
    template <class C, std::enable_if_t<std::is_same_v<element_of<const C>, T>, int> = 0>
    Buffer(const Device& device, const C& values) : Buffer(device, values.size()) {
        upload(values);
    }

    static Buffer zeros(const Device& device, std::size_t count) {
        Buffer buffer(device, count);
        buffer.storage_->fill_zero();
        return buffer;
    }

    std::size_t size() const { return storage_->size(); }
    const Device& device() const { return storage_->device(); }

    template <class C>
    void upload(const C& values) {
        static_assert(std::is_same_v<element_of<const C>, T>,
                      "Buffer::upload: the host's elements have another type than the buffer's");
        if (values.size() != size()) gpu::fail_sizes("Buffer::upload", values.size(), size());
        storage_->upload(Contiguous(values).data(), 0, size());
    }

    std::vector<T> download() const {
        std::vector<T> values(size());
        storage_->download(values.data(), 0, size());
        return values;
    }

    // Into a container or view that already has as many elements, rows first.
    template <class C>
    void download(C& values) const {
        static_assert(std::is_same_v<element_of<C>, T>,
                      "Buffer::download: the host's elements have another type than the buffer's");
        if (values.size() != size()) gpu::fail_sizes("Buffer::download", values.size(), size());
        write_row_major(values, [&](T* to) { storage_->download(to, 0, size()); });
    }

    // As an array of a given shape: download<Matrix>({rows, columns}).
    template <class Array>
    Array download(const typename Array::shape_type& shape) const {
        Array values(shape);
        download(values);
        return values;
    }

    const std::shared_ptr<gpu::Storage>& storage() const { return storage_; }

private:
    template <class N>
    static std::size_t checked(N count) {
        if constexpr (std::is_signed_v<N>)
            if (count < 0) gpu::fail_count(static_cast<long long>(count));
        return static_cast<std::size_t>(count);
    }

    // Copies of a Buffer share the memory, as copies of a CUDA pointer do.
    std::shared_ptr<gpu::Storage> storage_;
};

// A pointer into a buffer, as an argument of launch(): x + 100. Accesses are still checked against
// the bounds of the whole buffer.
template <class T>
struct BufferPointer {
    Buffer<T> buffer;
    std::size_t first;  // element
};

template <class T, class N, std::enable_if_t<std::is_integral_v<N>, int> = 0>
BufferPointer<T> operator+(const Buffer<T>& buffer, N offset) {
    if (offset < N(0) || static_cast<std::size_t>(offset) > buffer.size())
        gpu::fail_offset(static_cast<long long>(offset), buffer.size());
    return {buffer, static_cast<std::size_t>(offset)};
}

}  // namespace lanes
