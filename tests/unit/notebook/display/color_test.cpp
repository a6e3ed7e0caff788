#include "notebook/display/color.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace {

using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>;

Triple product(const Matrix3& matrix, const Triple& vector) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) result[i] += matrix[i][k] * vector[k];
    return result;
}

Triple linear_rgb(const std::string& color) {
    Triple rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = std::stoi(color.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
        rgb[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return rgb;
}

// CIE L*a*b*, in which distances are about as large as they look.
Triple lab(const Triple& rgb) {
    const Matrix3 to_xyz{
        {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
    const Triple white{0.9505, 1, 1.089};
    Triple f = product(to_xyz, rgb);
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = f[i] / white[i];
        f[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

// How colours look without one kind of cones (Machado, Oliveira and Fernandes, 2009).
const std::array<Matrix3, 4> eyes{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868},  // protanopia
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},  // deuteranopia
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779},  // tritanopia
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
}};

TEST(Color, SeriesCanBeToldApartByColourBlindPeople) {
    constexpr double clearly_different = 15;
    const std::vector<std::string> colors = lanes::notebook::series_colors();
    ASSERT_EQ(colors.size(), 7U);
    for (const Matrix3& eye : eyes) {
        std::vector<Triple> seen;
        for (const std::string& color : colors) {
            Triple rgb = product(eye, linear_rgb(color));
            for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
            seen.push_back(lab(rgb));
        }
        for (std::size_t i = 0; i < seen.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(std::hypot(seen[i][0] - seen[j][0], seen[i][1] - seen[j][1],
                                     seen[i][2] - seen[j][2]),
                          clearly_different)
                    << colors[i] << " and " << colors[j];
    }
}

}  // namespace
