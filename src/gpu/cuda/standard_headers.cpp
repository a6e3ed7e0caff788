#include "standard_headers.hpp"

#include <filesystem>
#include <system_error>

namespace lanes::gpu::cuda {

namespace {

const char* const integers = R"(#pragma once
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t;
typedef long int64_t; typedef unsigned long uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t;
namespace std {
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t;
using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t;
}
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
)";

const char* const limits = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
)";

const char* const floats = R"(#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_EPSILON 1.19209290e-7f
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
)";

// NVRTC has printf, assert and the mathematical functions built in; <math.h> adds two macros.
const char* const nothing = "#pragma once\n";
const char* const mathematics = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
)";

const char* const standard_library = R"(#pragma once
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
)";
const char* const times = R"(#pragma once
#define CLOCKS_PER_SEC 1000000L
)";

bool is_in_a_folder(const std::string& name, const std::vector<std::string>& flags) {
    std::error_code failed;
    for (const std::string& flag : flags)
        if (flag.compare(0, 2, "-I") == 0 &&
            std::filesystem::is_regular_file(std::filesystem::path(flag.substr(2)) / name, failed))
            return true;
    return false;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> standard_headers(
    const std::vector<std::string>& flags) {
    std::vector<std::pair<std::string, std::string>> headers;
    for (const auto& [name, content] : {std::pair("cstdint", integers),
                                        std::pair("stdint.h", integers),
                                        std::pair("climits", limits),
                                        std::pair("limits.h", limits),
                                        std::pair("cfloat", floats),
                                        std::pair("float.h", floats),
                                        std::pair("cmath", mathematics),
                                        std::pair("math.h", mathematics),
                                        std::pair("cstdio", nothing),
                                        std::pair("stdio.h", nothing),
                                        std::pair("cassert", nothing),
                                        std::pair("assert.h", nothing),
                                        std::pair("cstdlib", standard_library),
                                        std::pair("stdlib.h", standard_library),
                                        std::pair("ctime", times),
                                        std::pair("time.h", times),
                                        std::pair("cstring", nothing),
                                        std::pair("string.h", nothing),
                                        std::pair("new", nothing),
                                        std::pair("cstddef", nothing),
                                        std::pair("stddef.h", nothing),
                                        std::pair("cuda_runtime.h", nothing),
                                        std::pair("device_launch_parameters.h", nothing)})
        if (!is_in_a_folder(name, flags)) headers.emplace_back(name, content);
    return headers;
}

}  // namespace lanes::gpu::cuda
