// 1 / (1 + e^-x) and its derivative. Introduced in the notebook 01_mlp.
//
//   const float half = lanes::sigmoid(0.0f);
//   const lanes::Matrix a = lanes::sigmoid(lanes::Matrix{{-100, 0, 100}});  // {{0, 0.5, 1}}
//
// No x overflows: the exponential is computed of -|x| only.
#pragma once

#include <xtensor/xexpression.hpp>
#include <xtensor/xtensor.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace lanes {

namespace detail {

// e^x for x <= 0, without branches and calls: x = n ln 2 + r, so e^x = 2^n e^r, and e^r is computed
// by its power series. The error is at most two units in the last place for x > -87; smaller x give
// e^-87, NaN gives NaN. F is float or a SIMD vector of floats, U the same with unsigned integers.
template <class F, class U>
inline F exp_by_series(F x) {
    const F lowest = F{} - 87.f;
    // 1.5 * 2^23 + 127: adding it rounds to the nearest integer. The lowest bits are then n + 127,
    // which is the exponent of the number 2^n.
    const F shift = F{} + 12583039.f;
    x = x < lowest ? lowest : x;
    const F shifted = x * 1.44269504f + shift;
    const F n = shifted - shift;
    // ln 2 in two parts; n times the first one is exact
    const F r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    F series = r * (1.f / 5040) + (1.f / 720);
    series = series * r + (1.f / 120);
    series = series * r + (1.f / 24);
    series = series * r + (1.f / 6);
    series = series * r + 0.5f;
    series = series * r + 1.f;
    series = series * r + 1.f;
    U bits{};
    std::memcpy(&bits, &shifted, sizeof bits);
    bits <<= 23;
    F power{};
    std::memcpy(&power, &bits, sizeof power);
    return series * power;  // not by adding n to the bits of the series, which hides a NaN
}

template <class F>
struct ExpOfNegative;
template <>
struct ExpOfNegative<float> {
    static float of(float x) { return exp_by_series<float, std::uint32_t>(x); }
};
template <>
struct ExpOfNegative<double> {
    static double of(double x) { return std::exp(x); }
};

template <class F>
struct SigmoidAndPrime {
    F value, prime;
};

// F is T or a SIMD vector of it.
template <class T, class F = T>
inline SigmoidAndPrime<F> sigmoid_and_prime(F x) {
    const F zero = {};
    const F one = zero + T{1};
    const F e = ExpOfNegative<F>::of(x < zero ? x : -x);
    const F larger = one / (one + e);
    const F smaller = e * larger;
    return {x < zero ? smaller : larger, larger * smaller};
}

}  // namespace detail

inline float sigmoid(float x) { return detail::sigmoid_and_prime<float>(x).value; }
inline double sigmoid(double x) { return detail::sigmoid_and_prime<double>(x).value; }

// The derivative at x. x is the weighted input of a neuron (z), not its activation.
inline float sigmoid_prime(float x) { return detail::sigmoid_and_prime<float>(x).prime; }
inline double sigmoid_prime(double x) { return detail::sigmoid_and_prime<double>(x).prime; }

// The same for each element of an array or an expression of xtensor.
template <class E>
xt::temporary_type_t<E> sigmoid(const xt::xexpression<E>& x) {
    static_assert(std::is_floating_point_v<typename E::value_type>,
                  "sigmoid: the array holds whole numbers. Cast it to float first.");
    xt::temporary_type_t<E> result = x.derived_cast();
    auto* const values = result.data();
    for (std::size_t i = 0; i < result.size(); ++i)
        values[i] = detail::sigmoid_and_prime<typename E::value_type>(values[i]).value;
    return result;
}

template <class E>
xt::temporary_type_t<E> sigmoid_prime(const xt::xexpression<E>& x) {
    static_assert(std::is_floating_point_v<typename E::value_type>,
                  "sigmoid_prime: the array holds whole numbers. Cast it to float first.");
    xt::temporary_type_t<E> result = x.derived_cast();
    auto* const values = result.data();
    for (std::size_t i = 0; i < result.size(); ++i)
        values[i] = detail::sigmoid_and_prime<typename E::value_type>(values[i]).prime;
    return result;
}

}  // namespace lanes
