#include "split.hpp"

#include <array>

namespace lanes::gpu::whole_program {

namespace {

struct Words {
    const char* of_library;  // what a message of the simulator says to a user of lanes::Buffer
    const char* of_cuda;
};

constexpr std::array<Words, 18> all_words{{
    {"give the CUDA kernel a Buffer for every pointer that it follows",
     "every pointer that it follows needs memory from cudaMalloc"},
    {"was made without elements: give the Buffer its size",
     "was made without elements: give cudaMalloc its size in bytes"},
    {"Pass each Buffer as an argument of its own.",
     "It comes from cudaMalloc, and cudaMemcpy fills the memory behind it."},
    {"Give the buffer its values, Buffer(device, values) or Buffer::zeros(device, n), or write it "
     "before it is read.",
     "Give it its values by cudaMemcpy or cudaMemset, or write it before it is read."},
    {"before the launch (Buffer::zeros)", "before the launch (cudaMemset)"},
    {"Pass a Buffer that is large enough", "Allocate enough by cudaMalloc and pass the pointer"},
    {"managed memory is not on the simulator. Pass a Buffer.",
     "managed variables are not on the simulator. Pass a pointer from cudaMallocManaged."},
    {"or a pointer and pass a Buffer", "or a pointer from cudaMalloc"},
    {"let it write its results into a Buffer", "let it write its results to a pointer"},
    {"Give them in a Buffer", "Copy them to the device"},
    {"(extern __shared__), or a Buffer", "(extern __shared__), or memory of cudaMalloc"},
    {"or pass the values in a Buffer", "or pass a pointer from cudaMalloc"},
    {"which is written, has some everywhere: are the two buffers swapped in the launch?",
     "which is written, has some everywhere: are the two pointers swapped in the launch?"},
    {"its size in bytes is the third number of the launch, {grid, block, bytes}",
     "its size in bytes is the third number of the launch, <<<grid, block, bytes>>>"},
    {"a launch does not belong into the text of a Program, and CUDA kernels that launch others are "
     "not on the simulator. Use launch() in the C++ cell.",
     "CUDA kernels that launch others are not on the simulator. Launch both from the host."},
    {"as sync() of the grid needs it: {grid, block, shared_bytes, true}",
     "as sync() of the grid needs it: cudaLaunchCooperativeKernel"},
    {" More time is given by Checks::stop_after_seconds.", ""},
    {"; a long computation needs a larger Checks::stop_after_seconds", ""},
}};

}  // namespace

std::string in_cuda_words(std::string message) {
    for (const Words& words : all_words) {
        const std::string from = words.of_library;
        for (std::size_t at; (at = message.find(from)) != std::string::npos;)
            message.replace(at, from.size(), words.of_cuda);
    }
    return message;
}

}  // namespace lanes::gpu::whole_program
