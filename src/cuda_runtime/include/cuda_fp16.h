// Half precision on the host: values and their conversions. Arithmetic belongs to the device.
#pragma once

#include "cuda_runtime.h"

struct __half {
    _Float16 value;
    __half() = default;
    __host__ __device__ __half(float from) : value((_Float16)from) {}
    __host__ __device__ operator float() const { return (float)value; }
};
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half half;
typedef __half2 half2;

__host__ __device__ static inline __half __float2half(float x) { return __half(x); }
__host__ __device__ static inline __half __float2half_rn(float x) { return __half(x); }
__host__ __device__ static inline float __half2float(__half x) { return x; }
__host__ __device__ static inline __half2 __floats2half2_rn(float x, float y) {
    return {__half(x), __half(y)};
}
__host__ __device__ static inline __half2 __float22half2_rn(float2 v) {
    return {__half(v.x), __half(v.y)};
}
__host__ __device__ static inline __half2 __float2half2_rn(float x) {
    return {__half(x), __half(x)};
}
__host__ __device__ static inline float2 __half22float2(__half2 v) { return float2{v.x, v.y}; }
__host__ __device__ static inline float __low2float(__half2 v) { return v.x; }
__host__ __device__ static inline float __high2float(__half2 v) { return v.y; }
