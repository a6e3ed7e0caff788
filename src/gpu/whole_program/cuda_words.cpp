#include "split.hpp"

namespace lanes::gpu::whole_program {

namespace {

struct Words {
    const char* of_library;  // what a message of the simulator says to a user of lanes::Buffer
    const char* of_cuda;
};

constexpr Words all_words[] = {
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
    {"Run it with all checks, Device::simulator(), to see which access or barrier it is.",
     "The checks say which access or barrier it is: run it without --fast, on fewer elements or "
     "with fewer launches."},
    {"or from the host with Program::variable(name).upload(values)",
     "or from the host with cudaMemcpyToSymbol(name, values, bytes)"},
    {"The host gives it its values, program.variable(\"",
     "The host gives it its values, cudaMemcpyToSymbol("},
    {"\").upload(values). What changes is", ", values, bytes). What changes is"},
    {"If the order of the results does not matter, set LaunchConfig::free_order: they are then "
     "compared as a set.",
     "If the order of the results does not matter, this is no mistake."},
    {"If that is intended, set LaunchConfig::free_order; otherwise compute",
     "If that is intended, it is right; otherwise compute"},
    {"device.with(Checks::one_schedule()) runs the threads in one order, not in several, ", ""},
    {"or a device without checks: device.fast()", "or run it without checks: tools/run-cu --fast"},
    {"device.fast() checks nothing", "tools/run-cu --fast checks nothing"},
    {"Name all of them: program.kernel(\"f<float, 16>\")",
     "Name all of them: f<float, 16><<<grid, block>>>(...)"},
    {"the text of a Program holds device code only. Use Buffer in the C++ cell.",
     "this is a function of the host. Call it there, before the launch."},
    {"the text of a Program holds device code only. Use Buffer::upload and Buffer::download in the "
     "C++ cell.",
     "this is a function of the host. Call it there, before or after the launch."},
    {"the text of a Program holds device code only. A Buffer frees its memory by itself.",
     "this is a function of the host. Call it there, after the launch."},
    {"the text of a Program holds device code only; launch() waits for the CUDA kernel.",
     "this is a function of the host. Call it there, after the launch."},
    {"shared memory, a Buffer, and", "shared memory, memory of cudaMalloc, and"},
};

// The function of the library that found it; a message begins with CUDA's.
constexpr const char* library_functions[] = {
    "Buffer: ", "Program::kernel: ", "Program::variable: ", "Device::simulator: "};

}  // namespace

std::string in_cuda_words(std::string message) {
    for (const Words& words : all_words) {
        const std::string from = words.of_library;
        for (std::size_t at; (at = message.find(from)) != std::string::npos;)
            message.replace(at, from.size(), words.of_cuda);
    }
    for (const std::string function : library_functions)
        if (message.rfind(function, 0) == 0) message.erase(0, function.size());
    return message;
}

}  // namespace lanes::gpu::whole_program
