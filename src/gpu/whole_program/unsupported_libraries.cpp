#include "unsupported_libraries.hpp"

#include <cctype>

namespace lanes::gpu::whole_program {

namespace {

struct Refused {
    const char *start, *what;
};

constexpr Refused headers[] = {
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cuda/", "libcu++ (cuda::)"},
    {"nv/", "libcu++ (cuda::)"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CUTLASS"},
    {"nvtx", "NVTX"},
    {"nvToolsExt", "NVTX"},
    {"curand", "cuRAND"},
    {"cublas", "cuBLAS"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"nccl", "NCCL"},
    {"nvml", "NVML"},
    {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
    {"nvrtc", "NVRTC"},
    {"nvrtc_helper", "NVRTC"},
    {"mma.h", "the matrix functions of tensor cores (wmma)"},
    {"cuda_pipeline", "copies from global to shared memory in the background"},
    {"cuda_awbarrier", "barriers that arrive and wait apart"},
    {"cuda_bf16", "bfloat16"},
    {"cuda_fp8", "numbers of 8 bits"},
    {"cuda_gl_interop", "OpenGL"},
    {"cuda_egl_interop", "EGL"},
    {"GL/", "OpenGL"},
    {"EGL/", "EGL"},
    {"helper_gl", "OpenGL"},
    {"rendercheck_gl", "OpenGL"},
    {"nvVector", "OpenGL"},
    {"mpi.h", "MPI"},
};

constexpr Refused names[] = {
    {"cudaGraph", "CUDA graphs"},
    {"cudaStreamBeginCapture", "CUDA graphs"},
    {"cudaStreamEndCapture", "CUDA graphs"},
    {"cudaTexture", "textures, surfaces and CUDA arrays"},
    {"cudaCreateTexture", "textures, surfaces and CUDA arrays"},
    {"cudaCreateSurface", "textures, surfaces and CUDA arrays"},
    {"cudaSurface", "textures, surfaces and CUDA arrays"},
    {"cudaArray", "textures, surfaces and CUDA arrays"},
    {"cudaMallocArray", "textures, surfaces and CUDA arrays"},
    {"cudaMalloc3D", "textures, surfaces and CUDA arrays"},
    {"cudaMemcpy3D", "textures, surfaces and CUDA arrays"},
    {"cudaMemcpy2DToArray", "textures, surfaces and CUDA arrays"},
    {"cudaMemcpyToArray", "textures, surfaces and CUDA arrays"},
    {"cudaChannelFormat", "textures, surfaces and CUDA arrays"},
    {"cudaCreateChannelDesc", "textures, surfaces and CUDA arrays"},
    {"cudaResourceDesc", "textures, surfaces and CUDA arrays"},
    {"cudaMipmapped", "textures, surfaces and CUDA arrays"},
    {"cudaExtent", "textures, surfaces and CUDA arrays"},
    {"cudaIpc", "memory that several processes share"},
    {"cudaMemPool", "pools of memory"},
    {"cudaDeviceGetDefaultMemPool", "pools of memory"},
    {"cudaDeviceGetMemPool", "pools of memory"},
    {"cudaDeviceSetMemPool", "pools of memory"},
    {"cudaMallocFromPoolAsync", "pools of memory"},
    {"cudaLaunchKernelEx", "launches with attributes"},
    {"cudaLaunchConfig", "launches with attributes"},
    {"cudaLaunchAttribute", "launches with attributes"},
    {"cudaStreamAttr", "attributes of streams"},
    {"cudaStreamSetAttribute", "attributes of streams"},
    {"cudaStreamGetAttribute", "attributes of streams"},
    {"cudaStreamCopyAttributes", "attributes of streams"},
    {"cudaAccessPolicy", "attributes of streams"},
    {"cudaAccessProperty", "attributes of streams"},
    {"cudaCtxResetPersistingL2Cache", "attributes of streams"},
    {"cudaGraphics", "OpenGL"},
    {"cudaGL", "OpenGL"},
    {"cudaEGL", "EGL"},
    {"cudaMemcpyPeer", "several GPUs"},
    {"cudaDeviceGetP2PAttribute", "several GPUs"},
    {"cudaDevP2PAttr", "several GPUs"},
};

bool starts(const std::string& text, const std::string& with) {
    return text.compare(0, with.size(), with) == 0;
}

std::string sentence(const std::string& name, const std::string& what) {
    return name + ": " + what +
           " cannot be used here. Leave it out, or compile the program with nvcc on a machine with "
           "a GPU";
}

}  // namespace

std::string refused_header(const std::string& path) {
    for (const Refused& header : headers)
        if (starts(path, header.start) ||
            path.find(std::string("/include/") + header.start) != std::string::npos)
            return sentence(path.substr(path.rfind("/include/") == std::string::npos
                                            ? 0
                                            : path.rfind("/include/") + 9),
                            header.what);
    return "";
}

std::string refused_name(const std::string& name) {
    for (const Refused& refused : names)
        if (starts(name, refused.start)) return sentence(name, refused.what);
    const auto capital = [&](std::size_t at) {
        return name.size() > at && std::isupper(static_cast<unsigned char>(name[at]));
    };
    if (starts(name, "cu") && capital(2))
        return sentence(name, "the driver API (functions that begin with cu)");
    if (starts(name, "CU") && name.size() > 2 && name.find('_') != 2)
        return sentence(name, "the driver API (functions that begin with cu)");
    if (starts(name, "cuda") && capital(4)) return sentence(name, "this part of CUDA's runtime");
    return "";
}

}  // namespace lanes::gpu::whole_program
