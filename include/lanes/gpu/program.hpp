// CUDA C++ text, compiled for one device: by NVRTC for a GPU, by the host's compiler for the
// simulator. It is compiled once and kept in the cache on disk.
//
//   const char* text = "template <int N> __global__ void fill(int* x) { x[threadIdx.x] = N; }";
//   lanes::Program program(lanes::Device::best(), text);
//   const lanes::CudaKernel fill = program.kernel("fill<7>");
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/gpu/buffer.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/gpu/type_tag.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes {

namespace gpu {
class Module;  // src/gpu/backend.hpp
class Entry;
}  // namespace gpu

// Thrown if the text does not compile. what() shows the lines with a caret; log() is the compiler's
// whole output.
class CudaCompileError : public Error {
public:
    CudaCompileError(const std::string& message, std::string log)
        : Error(message), log_(std::move(log)) {}
    const std::string& log() const { return log_; }

private:
    std::string log_;
};

struct ProgramOptions {
    // The name of the text in error messages. A text that begins with a line such as
    // #line 3 "In[7]", as that of a %%cuda cell does, brings its own name and line numbers.
    std::string name = "program.cu";
    // -DNAME=value, -I folder, -use_fast_math, -lineinfo, … Unknown flags are refused by name.
    std::vector<std::string> flags;
};

// One __global__ function of a program, ready to be launched.
class CudaKernel {
public:
    const std::string& name() const;  // as requested: "max_v1", "tile<16>"
    const Device& device() const { return device_; }
    const std::shared_ptr<gpu::Entry>& entry() const { return entry_; }

private:
    friend class Program;
    CudaKernel(Device device, std::shared_ptr<gpu::Entry> entry)
        : device_(std::move(device)), entry_(std::move(entry)) {}

    Device device_;
    std::shared_ptr<gpu::Entry> entry_;
};

// A __constant__ or __device__ variable of a program.
class ProgramVariable {
public:
    // A container or an xtensor expression of any layout, rows first.
    template <class C>
    void upload(const C& values) const {
        const Contiguous elements(values);
        using Element = element_of<const C>;
        upload_bytes(elements.data(), elements.size() * sizeof(Element), gpu::tag_of<Element>());
    }

    // Its present value: download<float>() of `__device__ float sums[4];` gives four.
    template <class T>
    std::vector<T> download() const {
        std::vector<T> values(count_of(sizeof(T), gpu::tag_of<T>()));
        download_bytes(values.data(), values.size() * sizeof(T));
        return values;
    }

private:
    friend class Program;
    ProgramVariable(std::string name, std::string type, std::shared_ptr<gpu::Memory> memory)
        : name_(std::move(name)), type_(std::move(type)), memory_(std::move(memory)) {}
    // Throws Error if it is larger than the variable, or of another type.
    void upload_bytes(const void* from, std::size_t bytes, const gpu::TypeTag& given) const;
    // Throws Error if its elements are of another type.
    std::size_t count_of(std::size_t element_bytes, const gpu::TypeTag& wanted) const;
    void download_bytes(void* to, std::size_t bytes) const;

    std::string name_, type_;  // type_: of an element, as written in the text
    std::shared_ptr<gpu::Memory> memory_;
};

// Keeps the text of the cell `%%cuda name` in the place of an older one: functions of earlier cells
// that use the variable `name` see the new text. The cell calls it.
const std::string& keep_cuda_text(const std::string& name, std::string text);

class Program {
public:
    // Compiles at once, so that errors appear where the text is. Instances of templates are
    // compiled when they are requested.
    Program(const Device& device, const std::string& text, const ProgramOptions& options = {});
    // A file of kernels_src by its name ("max.cu"), or any path.
    static Program from_file(const Device& device, const std::string& path,
                             ProgramOptions options = {});

    // A plain name ("max_v1", with or without extern "C") or a name expression ("tile<16>",
    // "space::add<float>").
    CudaKernel kernel(const std::string& name) const;
    ProgramVariable variable(const std::string& name) const;  // __constant__ or __device__
    // The __global__ functions that are not templates, in the order of the text.
    std::vector<std::string> kernel_names() const;
    const Device& device() const { return device_; }

private:
    Device device_;
    std::shared_ptr<gpu::Module> module_;
};

}  // namespace lanes
