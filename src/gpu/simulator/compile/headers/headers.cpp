#include "headers.hpp"

namespace lanes::gpu::simulator {

namespace {

// Each is a raw string, so that #include embeds it in the library.
const char* const cooperative_groups =
#include "cooperative_groups.inc"
    ;
const char* const half =
#include "half.inc"
    ;
const char* const reduce =
#include "reduce.inc"
    ;

}  // namespace

const std::vector<HeaderFile>& header_files() {
    // The prelude already contains these functions. A C++ header also adds them to std::.
    static const char* const nothing = "#pragma once\n";
    static const char* const mathematics_c =
        "#pragma once\n#define INFINITY __builtin_inff()\n#define NAN "
        "__builtin_nanf(\"\")\n#define HUGE_VALF INFINITY\n#define HUGE_VAL __builtin_inf()\n"
        "#define M_PI 3.14159265358979323846\n#define M_PI_2 1.57079632679489661923\n#define M_E "
        "2.7182818284590452354\n#define M_SQRT2 "
        "1.41421356237309504880\n"
        "#define M_LN2 0.69314718055994530942\n";
    static const char* const mathematics_cpp =
        "#pragma once\n#include <math.h>\nnamespace std {\nusing ::abs; using ::fabs; using "
        "::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1; "
        "using ::log;\n"
        "using ::log2; using ::log10; using ::log1p; using ::pow; using ::sin; using ::cos; using "
        "::tan; using ::asin; using ::acos; using ::atan; using "
        "::atan2;\n"
        "using ::sinh; using ::cosh; using ::tanh; using ::floor; using ::ceil; using ::trunc; "
        "using ::round; using ::rint; using ::fmod; using ::fmin; using "
        "::fmax;\n"
        "using ::fma; using ::hypot; using ::erf; using ::erfc; using ::isnan; using ::isinf; "
        "using ::isfinite; using ::min; using ::max;\n}\n";
    // What device code can use of them; functions such as rand() belong to the host.
    static const char* const standard_library =
        "#pragma once\n#define EXIT_SUCCESS 0\n#define EXIT_FAILURE 1\n#define RAND_MAX "
        "2147483647\n";
    static const char* const times =
        "#pragma once\ntypedef long time_t;\n#define CLOCKS_PER_SEC 1000000L\n";
    static const char* const constants =
        "#pragma once\n#define CUDART_INF_F __builtin_inff()\n#define CUDART_NAN_F "
        "__builtin_nanf(\"\")\n#define CUDART_INF __builtin_inf()\n#define "
        "CUDART_NAN __builtin_nan(\"\")\n"
        "#define CUDART_PI_F 3.141592654f\n#define CUDART_PI 3.1415926535897931\n#define "
        "CUDART_MAX_NORMAL_F 3.402823466e+38f\n";
    static const std::vector<HeaderFile> all = {
        {"cuda_runtime.h", nothing},
        {"cuda_runtime_api.h", nothing},
        {"device_launch_parameters.h", nothing},
        {"cuda.h", nothing},
        {"vector_types.h", nothing},
        {"vector_functions.h", nothing},
        {"device_functions.h", nothing},
        {"sm_60_atomic_functions.h", nothing},
        {"device_atomic_functions.h", nothing},
        {"stdio.h", nothing},
        {"cstdio", "#pragma once\nnamespace std { using ::printf; }\n"},
        {"stdlib.h", standard_library},
        {"cstdlib",
         "#pragma once\n#include <stdlib.h>\nnamespace std { using ::abs; using ::labs; using "
         "::llabs; using ::size_t; }\n"},
        {"time.h", times},
        {"ctime",
         "#pragma once\n#include <time.h>\nnamespace std { using ::clock; using ::clock_t; using "
         "::time_t; }\n"},
        {"string.h", nothing},
        {"cstring",
         "#pragma once\nnamespace std { using ::memcpy; using ::memset; using ::memmove; using "
         "::memcmp; using ::strlen; using ::strcmp; }\n"},
        {"new", nothing},
        {"assert.h", nothing},
        {"cassert", nothing},
        {"math.h", mathematics_c},
        {"cmath", mathematics_cpp},
        {"math_constants.h", constants},
        {"cooperative_groups.h", cooperative_groups},
        {"cooperative_groups/reduce.h", reduce},
        {"cooperative_groups/scan.h", "#pragma once\n#include <cooperative_groups/reduce.h>\n"},
        {"cooperative_groups/memcpy_async.h",
         "#error \"asynchronous copies: not on the simulator. Copy with plain assignments, then "
         "sync the group.\"\n"},
        {"mma.h",
         "#error \"wmma (tensor cores): not on the simulator. Write the product with fma, or run "
         "this CUDA kernel on a GPU.\"\n"},
        {"cuda_fp16.h", half},
        {"cuda_bf16.h",
         "#error \"bfloat16: not on the simulator. Use float or half, or run this CUDA kernel on a "
         "GPU.\"\n"},
        {"cuda_fp8.h",
         "#error \"8-bit floats: not on the simulator. Use float or half, or run this CUDA kernel "
         "on a "
         "GPU.\"\n"},
        {"cuda_pipeline.h",
         "#error \"asynchronous copies: not on the simulator. Copy with plain assignments and "
         "__syncthreads().\"\n"},
        {"texture_fetch_functions.h",
         "#error \"textures: not on the simulator. Read the image through a pointer.\"\n"},
        {"curand_kernel.h",
         "#error \"curand: not on the simulator. Give random numbers in a buffer, or write a small "
         "generator (xorshift) in the CUDA kernel.\"\n"},
    };
    static const std::vector<HeaderFile> with_refused = [] {
        std::vector<HeaderFile> headers = all;
        for (const char* name :
             {"algorithm", "array",   "atomic",        "chrono",        "complex",
              "deque",     "fstream", "functional",    "iostream",      "list",
              "map",       "memory",  "mutex",         "numeric",       "queue",
              "random",    "set",     "sstream",       "stack",         "string",
              "thread",    "tuple",   "unordered_map", "unordered_set", "vector"})
            headers.push_back({name,
                               "#error \"the standard library's containers, algorithms and streams "
                               "are not there for device code. Use plain arrays, shared "
                               "memory, a Buffer, and CUDA's own functions.\"\n"});
        return headers;
    }();
    return with_refused;
}

}  // namespace lanes::gpu::simulator
