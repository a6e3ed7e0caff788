// Runs a CUDA kernel: launch(kernel, {grid, block, shared_bytes}, arguments...) checks the
// arguments against the signature, starts the CUDA kernel and waits for it. launch_async does not
// wait.
//
//   #include <iostream>
//   const lanes::Device device = lanes::Device::best();
//   lanes::Program program(device, R"(
//       __global__ void twice(float* x, int n) {
//           const int i = blockIdx.x * blockDim.x + threadIdx.x;
//           if (i < n) x[i] *= 2;
//       })");
//   const lanes::Buffer<float> x(device, std::vector<float>{1, 2, 3});
//   std::cout << lanes::launch(program.kernel("twice"), {1, 32}, x, 3);
//   const std::vector<float> doubled = x.download();  // 2, 4, 6
#pragma once

#include "lanes/gpu/buffer.hpp"
#include "lanes/gpu/program.hpp"
#include "lanes/gpu/report.hpp"
#include "lanes/gpu/type_tag.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

namespace gpu {

// One argument, type-erased.
struct Argument {
    enum class Kind { buffer, scalar, host_pointer, host_array, null_pointer } kind;
    TypeTag type;                      // of the scalar, or of the buffer's elements
    std::shared_ptr<Storage> storage;  // of a buffer
    std::vector<unsigned char> value;  // of a scalar
    std::size_t offset = 0;            // of a pointer into a buffer, in bytes
};

template <class T>
Argument argument(const Buffer<T>& buffer) {
    return {Argument::Kind::buffer, tag_of<T>(), buffer.storage(), {}};
}

template <class T>
Argument argument(const BufferPointer<T>& pointer) {
    return {Argument::Kind::buffer,
            tag_of<T>(),
            pointer.buffer.storage(),
            {},
            pointer.first * sizeof(T)};
}

template <class T,
          std::enable_if_t<std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, int> = 0>
Argument argument(const T& value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    return {Argument::Kind::scalar, tag_of<T>(), nullptr,
            std::vector<unsigned char>(bytes, bytes + sizeof(T))};
}

// Compiles, so that launch can refuse it with a clear message.
template <class T>
Argument argument(T* const&) {
    return {Argument::Kind::host_pointer,
            tag_of<std::conditional_t<std::is_void_v<T>, char, T>>(),
            nullptr,
            {}};
}

template <class T, class = void>
constexpr bool has_data = false;
template <class T>
constexpr bool has_data<T, std::void_t<decltype(std::declval<const T&>().data())>> = true;

// A std::vector, an xtensor container, …: refused like a host pointer.
template <class T, std::enable_if_t<!std::is_trivially_copyable_v<T>, long> = 0>
Argument argument(const T&) {
    static_assert(has_data<T>,
                  "launch: a CUDA kernel takes numbers, structs of numbers and lanes::Buffer. Copy "
                  "the values into a lanes::Buffer first.");
    if constexpr (has_data<T>)
        return {Argument::Kind::host_array, tag_of<element_of<const T>>(), nullptr, {}};
}

// An optional buffer that is not given.
inline Argument argument(std::nullptr_t) { return {Argument::Kind::null_pointer, {}, nullptr, {}}; }

LaunchReport launch_arguments(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                              const std::vector<Argument>& arguments);

void launch_arguments_async(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                            const std::vector<Argument>& arguments);

}  // namespace gpu

template <class... Arguments>
LaunchReport launch(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                    const Arguments&... arguments) {
    return gpu::launch_arguments(cuda_kernel, config, {gpu::argument(arguments)...});
}

// The same without waiting, as <<<…>>> in CUDA C++: the CUDA kernel runs after everything that was
// launched before, and Buffer::download and Device::synchronize wait for it and report its errors.
// The simulator, and a GPU while a LaunchTrace is open, run it to its end.
template <class... Arguments>
void launch_async(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                  const Arguments&... arguments) {
    gpu::launch_arguments_async(cuda_kernel, config, {gpu::argument(arguments)...});
}

}  // namespace lanes
