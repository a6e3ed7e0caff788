// What the pictures of plates are painted on and with.
#pragma once

#include "lanes/base/rng.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lanes::plates {

struct Point {
    float x = 0;
    float y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(float a, Point b) { return {a * b.x, a * b.y}; }
inline float dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline float length(Point a) { return std::sqrt(dot(a, a)); }
inline Point direction(float angle) { return {std::cos(angle), std::sin(angle)}; }
inline Point turned(Point p, float angle) {
    const Point d = direction(angle);
    return {p.x * d.x - p.y * d.y, p.x * d.y + p.y * d.x};
}

struct Colour {
    float red = 0;  // 0 to 1, as the other two
    float green = 0;
    float blue = 0;
};
inline Colour operator*(float a, Colour b) { return {a * b.red, a * b.green, a * b.blue}; }
inline Colour mix(Colour a, Colour b, float share) {
    return {a.red + share * (b.red - a.red), a.green + share * (b.green - a.green),
            a.blue + share * (b.blue - a.blue)};
}

// 0 below `low`, 1 above `high`, smooth between them.
inline float smooth_step(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

inline float draw(Rng& rng, float low, float high) {
    return static_cast<float>(rng.uniform(low, high));
}
inline bool happens(Rng& rng, double probability) { return rng.uniform() < probability; }
template <class Values>
auto pick(Rng& rng, const Values& values) {
    return values[static_cast<std::size_t>(
        rng.integer(0, static_cast<std::int64_t>(values.size()) - 1))];
}

// Smooth random numbers from 0 to 1, about one hill or valley per unit of length.
class Noise {
public:
    explicit Noise(Rng& rng) : values_(std::size_t{side} * side) {
        rng.fill_uniform(values_.data(), values_.size(), 0, 1);
    }
    float at(float x, float y) const {
        const float fx = std::floor(x);
        const float fy = std::floor(y);
        const float right = smooth(x - fx);
        const float down = smooth(y - fy);
        const auto ix = static_cast<unsigned>(static_cast<int>(fx));
        const auto iy = static_cast<unsigned>(static_cast<int>(fy));
        const float top = value(ix, iy) + right * (value(ix + 1, iy) - value(ix, iy));
        const float bottom =
            value(ix, iy + 1) + right * (value(ix + 1, iy + 1) - value(ix, iy + 1));
        return top + down * (bottom - top);
    }
    // Three sizes of hills on top of each other.
    float rough(float x, float y) const {
        return (4 * at(x, y) + 2 * at(2 * x + 17, 2 * y + 5) + at(4 * x + 3, 4 * y + 29)) / 7;
    }

private:
    static constexpr unsigned side = 64;
    static float smooth(float t) { return t * t * (3 - 2 * t); }
    float value(unsigned x, unsigned y) const { return values_[y % side * side + x % side]; }
    std::vector<float> values_;
};

// Points have coordinates from 0 to 1: x to the right, y downwards.
class Canvas {
public:
    explicit Canvas(std::size_t size) : size_(size), pixels_(size * size) {}
    std::size_t size() const { return size_; }
    float pixel() const { return 1.0f / static_cast<float>(size_); }  // its width
    Colour& at(std::size_t row, std::size_t column) { return pixels_[row * size_ + column]; }

    // Calls paint(point, colour) for the pixels of a square around the centre.
    template <class Paint>
    void paint(Point centre, float radius, const Paint& paint) {
        const Range rows = range(centre.y, radius);
        const Range columns = range(centre.x, radius);
        for (std::size_t row = rows.first; row < rows.last; ++row)
            for (std::size_t column = columns.first; column < columns.last; ++column)
                paint(Point{(static_cast<float>(column) + 0.5f) * pixel(),
                            (static_cast<float>(row) + 0.5f) * pixel()},
                      at(row, column));
    }
    template <class Paint>
    void paint_all(const Paint& paint) {
        this->paint({0.5f, 0.5f}, 1, paint);
    }

private:
    struct Range {
        std::size_t first;
        std::size_t last;
    };
    Range range(float centre, float radius) const {
        const auto limit = static_cast<float>(size_);
        return {static_cast<std::size_t>(std::clamp((centre - radius) * limit, 0.0f, limit)),
                static_cast<std::size_t>(std::clamp((centre + radius) * limit + 1, 0.0f, limit))};
    }

    std::size_t size_;
    std::vector<Colour> pixels_;
};

}  // namespace lanes::plates
