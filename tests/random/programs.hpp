// Programs that random_programs.py has written, and their comparison with stored values.
#pragma once

#include "lanes/tensor.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace lanes_random {

using Json = nlohmann::json;
using lanes::Device, lanes::Shape, lanes::Tensor;

// The stored programs of a kind, or those of the file that LANES_RANDOM_PROGRAMS names.
inline const Json& programs_of(const std::string& kind) {
    static std::map<std::string, Json> files;
    if (files.count(kind) == 0) {
        const char* const other = std::getenv("LANES_RANDOM_PROGRAMS");
        const std::string path = other ? other : LANES_RANDOM "/" + kind + ".json";
        std::ifstream in(path);
        files[kind] = Json::parse(in);
    }
    return files[kind].at("programs");
}

// Random words, as hashed() of programs.py computes them.
inline std::vector<std::uint32_t> hashed(std::uint32_t seed, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t h = static_cast<std::uint32_t>(i) * 0x85EBCA77u + seed * 0x9E3779B1u;
        h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
        h = (h ^ (h >> 12)) * 0x297A2D39u;
        words[i] = h ^ (h >> 15);
    }
    return words;
}

// fill: "normal" in [-2, 2), "positive" in [0.5, 2.5), "ties" are small integers, "special" has NaN
// and infinities among the others; "labels4" are the integers 0 to 3.
inline Tensor filled(const Shape& shape, const std::string& fill, std::uint32_t seed) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr std::array<float, 8> special{
        std::numeric_limits<float>::quiet_NaN(), inf, -inf, 0, -0.0f, 1e15f, -1e15f, 1e-15f};
    const std::vector<std::uint32_t> words = hashed(seed, shape.count());
    if (fill.compare(0, 6, "labels") == 0) {
        std::vector<int> labels;
        for (const std::uint32_t word : words)
            labels.push_back(static_cast<int>(word % std::stoul(fill.substr(6))));
        return Tensor::from(labels).reshape(shape);
    }
    std::vector<float> values;
    for (const std::uint32_t word : words) {
        const auto small = static_cast<float>(word >> 9);
        float value = small / (1 << 21) - 2;
        if (fill == "ties") value = static_cast<float>(word % 5) - 2;
        if (fill == "positive") value = small / (1 << 22) + 0.5f;
        if (fill == "special" && word % 6 == 0) value = special[(word >> 8) % 8];
        values.push_back(value);
    }
    return Tensor::from(values).reshape(shape);
}

inline Shape shape_of(const Json& extents) { return Shape(extents.get<std::vector<long long>>()); }

inline double number_of(const Json& value) {
    return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

inline std::vector<double> values_of(const Tensor& x) {
    if (x.dtype() == lanes::DType::int32) {
        const std::vector<int> values = x.cpu().to_vector<int>();
        return {values.begin(), values.end()};
    }
    const std::vector<float> values = x.detach().cpu().to_vector();
    return {values.begin(), values.end()};
}

struct Tolerance {
    double absolute;
    double relative;
};

// What differs from the stored tensor, which may have only every n-th value; "" if nothing.
inline std::string difference(const Tensor& x, const Json& expected,
                              const Tolerance& tolerance = {1e-4, 1e-4}) {
    const Shape shape = shape_of(expected.at("shape"));
    if (x.shape() != shape) return "shape " + x.shape().text() + " instead of " + shape.text();
    const Json& wanted = expected.at("values");
    const std::vector<double> values = values_of(x);
    const std::size_t stride = expected.value("stride", 1);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double a = values[i * stride];
        const double b = number_of(wanted[i]);
        if (std::isnan(b) ? std::isnan(a) : a == b) continue;
        if (std::abs(a - b) <= tolerance.absolute + tolerance.relative * std::abs(b)) continue;
        return "element " + std::to_string(i * stride) + " is " + std::to_string(a) +
               " instead of " + std::to_string(b);
    }
    return "";
}

}  // namespace lanes_random
