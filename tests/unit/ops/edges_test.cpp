#include "lanes/ops/edges.hpp"

#include "error_of.hpp"
#include "lanes/array/compare.hpp"
#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace {

using lanes::Matrix;
using lanes::Sectors;

TEST(Direction, IsTheNearestOfFourAndHasNoSign) {
    const Matrix gx{{3, -3, 2, -2, 0, 0, 2, -2, 0, 3}};
    const Matrix gy{{0, 1, 2, -2, 5, -5, -2, 2, 0, 1}};
    EXPECT_EQ(lanes::direction(gx, gy), (Sectors{{0, 0, 1, 1, 2, 2, 3, 3, 0, 0}}));
}

TEST(Direction, ChangesHalfwayBetweenTwoOfThem) {
    for (int degrees = 0; degrees < 360; ++degrees) {
        const double angle = degrees * std::acos(-1.0) / 180;
        const Matrix gx{{static_cast<float>(std::cos(angle))}};
        const Matrix gy{{static_cast<float>(std::sin(angle))}};
        EXPECT_EQ(lanes::direction(gx, gy)(0, 0), (2 * degrees + 45) / 90 % 4) << degrees;
    }
}

TEST(Thin, KeepsOneLineOfAStepOfTwoEqualColumns) {
    const Matrix magnitude{{0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}};
    const Sectors along(std::array<std::size_t, 2>{3, 4}, 0);
    EXPECT_EQ(lanes::thin(magnitude, along), (Matrix{{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}));
}

TEST(Thin, ComparesInTheDirectionOfThePixel) {
    const Matrix magnitude{{1, 2, 3}, {8, 5, 4}, {7, 6, 9}};
    const std::array<float, 4> middle{0, 0, 0, 0};  // 8-5-4, 1-5-9, 2-5-6, 3-5-7
    for (int sector = 0; sector < 4; ++sector)
        EXPECT_EQ(lanes::thin(magnitude, Sectors(magnitude.shape(), sector))(1, 1),
                  middle[static_cast<std::size_t>(sector)]);
    const Matrix ridge{{1, 2, 9}, {3, 5, 4}, {7, 6, 1}};  // the maximum along direction 1 alone
    for (int sector = 0; sector < 4; ++sector)
        EXPECT_EQ(lanes::thin(ridge, Sectors(ridge.shape(), sector))(1, 1),
                  sector == 0 || sector == 1 ? 5 : 0)
            << sector;
}

TEST(Thin, RefusesWhatIsNoDirection) {
    const Matrix magnitude(std::array<std::size_t, 2>{3, 3}, 1.0F);
    EXPECT_EQ(lanes_test::error_of([&] { lanes::thin(magnitude, Sectors(magnitude.shape(), 4)); }),
              "thin: the direction at row 1, column 1 is 4. Directions are 0, 1, 2 and 3.");
}

TEST(Hysteresis, FollowsWeakPixelsFromStrongOnes) {
    const Matrix thinned{{0, 3, 3, 0, 0}, {3, 0, 0, 0, 3}, {3, 0, 9, 0, 3}, {0, 3, 0, 0, 0}};
    const Matrix edges{{0, 1, 1, 0, 0}, {1, 0, 0, 0, 0}, {1, 0, 1, 0, 0}, {0, 1, 0, 0, 0}};
    EXPECT_EQ(lanes::hysteresis(thinned, 2, 5), edges);
}

TEST(Hysteresis, RefusesExchangedThresholds) {
    EXPECT_EQ(lanes_test::error_of([] { lanes::hysteresis(Matrix{{1}}, 0.5F, 0.25F); }),
              "hysteresis: low is 0.5, high is 0.25. The lower threshold comes first.");
}

TEST(FindEdges, SeesAStepAsOneLineWithoutAFrameAroundTheImage) {
    Matrix image(std::array<std::size_t, 2>{8, 9}, 0.5F);
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 4; x < 9; ++x) image(y, x) = 1;
    Matrix expected(image.shape(), 0.0F);
    for (std::size_t y = 2; y < 6; ++y) expected(y, 3) = 1;
    const Matrix edges = lanes::find_edges(image, 0.1F, 0.3F);
    for (std::size_t y = 2; y < 6; ++y)
        for (std::size_t x = 0; x < 9; ++x) EXPECT_EQ(edges(y, x), expected(y, x)) << y << ' ' << x;
    EXPECT_EQ(lanes::find_edges(image, 0.1F, 0.6F), Matrix(image.shape(), 0.0F));
}

}  // namespace
