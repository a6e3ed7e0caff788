// Opens libcuda by its soname; a forked process opens a second copy.
#include "driver.hpp"

#include "inherited_files.hpp"

#include "lanes/base/error.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>

namespace lanes::gpu::cuda {

namespace {

constexpr const char* soname = "libcuda.so.1";

std::string last_error() {
    const char* why = dlerror();
    return why ? why : "unknown reason";
}

// A copy under another name is another library to the loader. Used where all of its namespaces (16)
// are taken: a session that was taken over many times.
void* open_copy(const std::string& original) {
    const char* set = std::getenv("TMPDIR");
    std::string place = std::string(set && *set ? set : "/tmp") + "/lanes-libcuda-XXXXXX";
    const int file = mkstemp(place.data());
    if (file < 0) return nullptr;
    close(file);
    {
        std::ifstream in(original, std::ios::binary);
        std::ofstream out(place, std::ios::binary | std::ios::trunc);
        out << in.rdbuf();
    }
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    unlink(place.c_str());
    return library;
}

std::string path_of(void* library) {
    link_map* map = nullptr;  // dladdr knows nothing of other namespaces
    return dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map ? map->l_name
                                                                                  : soname;
}

void* open_library(const Driver& before) {
    if (before.process == 0) {
        if (void* library = dlopen(soname, RTLD_NOW)) return library;
        throw Error(std::string("Device::gpu: no NVIDIA driver (") + last_error() +
                    "). On a machine with a GPU, install the driver; without one, use "
                    "Device::simulator().");
    }
    if (void* library = dlmopen(LM_ID_NEWLM, soname, RTLD_NOW)) return library;
    if (void* library = open_copy(before.path)) return library;
    throw Error(
        "Device::gpu: the driver cannot be opened again in this process, which was forked from one "
        "that uses the GPU (" +
        last_error() + "). Restart the Jupyter kernel or the program.");
}

template <class Function>
void find(void* library, Function& function, const char* name, bool needed = true) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr && needed)
        throw Error("Device::gpu: the NVIDIA driver is too old, it has no ", name,
                    ". Update the driver (525 or newer).");
}

Driver functions_of(void* library) {
    Driver d;
    find(library, d.init, "cuInit");
    find(library, d.version, "cuDriverGetVersion");
    find(library, d.count, "cuDeviceGetCount");
    find(library, d.device, "cuDeviceGet");
    find(library, d.name, "cuDeviceGetName");
    find(library, d.attribute, "cuDeviceGetAttribute");
    find(library, d.total_memory, "cuDeviceTotalMem_v2");
    find(library, d.retain_context, "cuDevicePrimaryCtxRetain");
    find(library, d.set_context, "cuCtxSetCurrent");
    find(library, d.synchronize, "cuCtxSynchronize");
    find(library, d.memory_info, "cuMemGetInfo_v2");
    find(library, d.allocate, "cuMemAlloc_v2");
    find(library, d.free, "cuMemFree_v2");
    find(library, d.copy_to_device, "cuMemcpyHtoD_v2");
    find(library, d.copy_to_host, "cuMemcpyDtoH_v2");
    find(library, d.copy_to_device_async, "cuMemcpyHtoDAsync_v2");
    find(library, d.copy_to_host_async, "cuMemcpyDtoHAsync_v2");
    find(library, d.pin, "cuMemHostRegister_v2");
    find(library, d.unpin, "cuMemHostUnregister");
    find(library, d.fill_bytes, "cuMemsetD8_v2");
    find(library, d.load_module, "cuModuleLoadData");
    find(library, d.unload_module, "cuModuleUnload");
    find(library, d.function, "cuModuleGetFunction");
    find(library, d.global, "cuModuleGetGlobal_v2");
    find(library, d.function_attribute, "cuFuncGetAttribute");
    find(library, d.set_function_attribute, "cuFuncSetAttribute");
    find(library, d.parameter, "cuFuncGetParamInfo", false);
    find(library, d.launch, "cuLaunchKernel");
    find(library, d.launch_cooperative, "cuLaunchCooperativeKernel");
    find(library, d.create_stream, "cuStreamCreate");
    find(library, d.query_stream, "cuStreamQuery");
    find(library, d.create_event, "cuEventCreate");
    find(library, d.destroy_event, "cuEventDestroy_v2");
    find(library, d.record_event, "cuEventRecord");
    find(library, d.query_event, "cuEventQuery");
    find(library, d.begin_capture, "cuStreamBeginCapture_v2");
    find(library, d.end_capture, "cuStreamEndCapture");
    find(library, d.instantiate, "cuGraphInstantiateWithFlags");
    find(library, d.launch_graph, "cuGraphLaunch");
    find(library, d.destroy_graph, "cuGraphDestroy");
    find(library, d.destroy_executable_graph, "cuGraphExecDestroy");
    find(library, d.elapsed_ms, "cuEventElapsedTime");
    find(library, d.error_name, "cuGetErrorName");
    find(library, d.get_error_string, "cuGetErrorString");
    find(library, d.flush, "fflush", false);  // looked for among the libraries that libcuda needs
    d.process = getpid();
    std::snprintf(d.path, sizeof d.path, "%s", path_of(library).c_str());
    return d;
}

void start(const Driver& d) {
    const Result result = d.init(0);
    int version = 0;
    d.version(&version);
    if (result != 0)
        throw Error("Device::gpu: the NVIDIA driver does not start: " + d.error_text(result) +
                    ". " + advice_for(result));
    if (version < 12000)
        throw Error("Device::gpu: the NVIDIA driver supports CUDA ", version / 1000, ".",
                    version % 1000 / 10, ", 12.0 is needed. Update the driver (525 or newer).");
}

}  // namespace

const Driver& driver() {
    static std::mutex mutex;
    static Driver current;
    const std::lock_guard<std::mutex> lock(mutex);
    if (current.process != getpid()) {
        release_in_forks();
        Driver fresh = functions_of(open_library(current));
        start(fresh);
        if (current.process != 0) std::memcpy(fresh.path, current.path, sizeof fresh.path);
        current = fresh;
    }
    return current;
}

}  // namespace lanes::gpu::cuda
