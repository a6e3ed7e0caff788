#include "standard_headers.hpp"

#include <filesystem>
#include <system_error>

namespace lanes::gpu::cuda {

namespace {

// 64 bits are long long, as in cuda/std/cstdint for NVRTC, which cooperative_groups.h includes.
const char* const integers = R"(#pragma once
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t;
typedef long long int64_t; typedef unsigned long long uint64_t;
typedef long long intptr_t; typedef unsigned long long uintptr_t;
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
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT64_MAX 18446744073709551615ULL
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

const char* const numeric_limits = R"(#pragma once
namespace std {
template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
#define LANES_LIMIT(name, type, value) __host__ __device__ static constexpr type name() { return value; }
#define LANES_INTEGER(type, has_sign, bits, decimals, least, most)                       \
    template <> struct numeric_limits<type> {                                            \
        static constexpr bool is_specialized = true, is_integer = true, is_exact = true; \
        static constexpr bool is_signed = has_sign, has_infinity = false;                \
        static constexpr bool has_quiet_NaN = false;                                     \
        static constexpr int radix = 2, digits = bits, digits10 = decimals;              \
        LANES_LIMIT(min, type, least) LANES_LIMIT(lowest, type, least)                   \
        LANES_LIMIT(max, type, most) LANES_LIMIT(epsilon, type, 0)                       \
        LANES_LIMIT(infinity, type, 0) LANES_LIMIT(quiet_NaN, type, 0)                   \
    };
LANES_INTEGER(bool, false, 1, 0, false, true)
LANES_INTEGER(char, (char(-1) < 0), (char(-1) < 0 ? 7 : 8), 2, (char(-1) < 0 ? -128 : 0),
              (char(-1) < 0 ? 127 : 255))
LANES_INTEGER(signed char, true, 7, 2, -128, 127)
LANES_INTEGER(unsigned char, false, 8, 2, 0, 255)
LANES_INTEGER(short, true, 15, 4, -32768, 32767)
LANES_INTEGER(unsigned short, false, 16, 4, 0, 65535)
LANES_INTEGER(int, true, 31, 9, -2147483647 - 1, 2147483647)
LANES_INTEGER(unsigned, false, 32, 9, 0, 4294967295U)
LANES_INTEGER(long, true, 63, 18, -9223372036854775807L - 1, 9223372036854775807L)
LANES_INTEGER(unsigned long, false, 64, 19, 0, 18446744073709551615UL)
LANES_INTEGER(long long, true, 63, 18, -9223372036854775807LL - 1, 9223372036854775807LL)
LANES_INTEGER(unsigned long long, false, 64, 19, 0, 18446744073709551615ULL)
#define LANES_FLOAT(type, bits, decimals, round_trip, powers, least, denormal, most, step, inf, nan)       \
    template <> struct numeric_limits<type> {                                                         \
        static constexpr bool is_specialized = true, is_integer = false, is_exact = false;            \
        static constexpr bool is_signed = true, has_infinity = true, has_quiet_NaN = true;            \
        static constexpr int radix = 2, digits = bits, digits10 = decimals;                           \
        static constexpr int max_digits10 = round_trip, max_exponent = powers;                        \
        static constexpr int min_exponent = 3 - powers;                                               \
        LANES_LIMIT(min, type, least) LANES_LIMIT(lowest, type, -most) LANES_LIMIT(max, type, most)   \
        LANES_LIMIT(epsilon, type, step) LANES_LIMIT(denorm_min, type, denormal)                      \
        LANES_LIMIT(infinity, type, __builtin_bit_cast(type, inf))                                        \
        LANES_LIMIT(quiet_NaN, type, __builtin_bit_cast(type, nan))                                          \
    };
LANES_FLOAT(float, 24, 6, 9, 128, 1.17549435e-38f, 1.40129846e-45f, 3.40282347e+38f,
            1.19209290e-7f, 0x7f800000U, 0x7fc00000U)
LANES_FLOAT(double, 53, 15, 17, 1024, 2.2250738585072014e-308, 4.9406564584124654e-324,
            1.7976931348623157e+308, 2.2204460492503131e-16, 0x7ff0000000000000ULL, 0x7ff8000000000000ULL)
#undef LANES_FLOAT
#undef LANES_INTEGER
#undef LANES_LIMIT
}
)";

const char* const type_traits = R"(#pragma once
namespace std {
template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    using value_type = T;
    using type = integral_constant;
    __host__ __device__ constexpr operator T() const { return v; }
    __host__ __device__ constexpr T operator()() const { return v; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <class...> using void_t = void;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool, class A, class B> struct conditional { using type = A; };
template <class A, class B> struct conditional<false, A, B> { using type = B; };
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T*> { using type = T; };
template <class T> struct remove_pointer<T* const> { using type = T; };
template <class T> struct remove_extent { using type = T; };
template <class T> struct remove_extent<T[]> { using type = T; };
template <class T, decltype(sizeof 0) n> struct remove_extent<T[n]> { using type = T; };
template <class T> struct add_const { using type = const T; };
template <class T> struct add_pointer { using type = typename remove_reference<T>::type*; };
template <class T> struct underlying_type { using type = __underlying_type(T); };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool b, class A, class B> using conditional_t = typename conditional<b, A, B>::type;
#define LANES_TYPE(name) template <class T> using name##_t = typename name<T>::type;
LANES_TYPE(remove_const) LANES_TYPE(remove_volatile) LANES_TYPE(remove_cv)
LANES_TYPE(remove_reference) LANES_TYPE(remove_pointer) LANES_TYPE(remove_extent)
LANES_TYPE(add_const) LANES_TYPE(add_pointer) LANES_TYPE(underlying_type)
#undef LANES_TYPE
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class A, class B> struct is_base_of : bool_constant<__is_base_of(A, B)> {};
template <class A, class B> inline constexpr bool is_base_of_v = is_base_of<A, B>::value;
template <class T, class... Ts> inline constexpr bool lanes_is_one_of = (is_same_v<T, Ts> || ...);
template <class T> inline constexpr bool lanes_is_pointer = false;
template <class T> inline constexpr bool lanes_is_pointer<T*> = true;
template <class T> inline constexpr bool lanes_is_reference = false;
template <class T> inline constexpr bool lanes_is_reference<T&> = true;
template <class T> inline constexpr bool lanes_is_reference<T&&> = true;
template <class T> inline constexpr bool lanes_is_array = false;
template <class T> inline constexpr bool lanes_is_array<T[]> = true;
template <class T, decltype(sizeof 0) n> inline constexpr bool lanes_is_array<T[n]> = true;
#define LANES_TRAIT(name, what)                            \
    template <class T> struct name : bool_constant<what> {}; \
    template <class T> inline constexpr bool name##_v = name<T>::value;
LANES_TRAIT(is_void, (is_same_v<remove_cv_t<T>, void>))
LANES_TRAIT(is_const, (!is_same_v<T, remove_const_t<T>>))
LANES_TRAIT(is_integral, (lanes_is_one_of<remove_cv_t<T>, bool, char, signed char, unsigned char,
    wchar_t, char16_t, char32_t, short, unsigned short, int, unsigned, long, unsigned long, long long,
    unsigned long long>))
LANES_TRAIT(is_floating_point, (lanes_is_one_of<remove_cv_t<T>, float, double, long double>))
LANES_TRAIT(is_arithmetic, (is_integral_v<T> || is_floating_point_v<T>))
LANES_TRAIT(is_pointer, (lanes_is_pointer<remove_cv_t<T>>))
LANES_TRAIT(is_reference, (lanes_is_reference<T>))
LANES_TRAIT(is_array, (lanes_is_array<T>))
LANES_TRAIT(is_enum, (__is_enum(T)))
LANES_TRAIT(is_class, (__is_class(T)))
LANES_TRAIT(is_empty, (__is_empty(T)))
LANES_TRAIT(is_trivially_copyable, (__is_trivially_copyable(T)))
#undef LANES_TRAIT
template <class T, bool = is_arithmetic_v<T>> struct lanes_sign : bool_constant<(T(-1) < T(0))> {};
template <class T> struct lanes_sign<T, false> : false_type {};
template <class T> struct is_signed : bool_constant<lanes_sign<T>::value> {};
template <class T> struct is_unsigned : bool_constant<is_arithmetic_v<T> && !lanes_sign<T>::value> {};
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
}
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
                                        std::pair("limits", numeric_limits),
                                        std::pair("type_traits", type_traits),
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
