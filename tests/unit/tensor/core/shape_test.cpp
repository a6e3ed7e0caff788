#include "lanes/tensor/shape.hpp"

#include "tensor/core/broadcast.hpp"
#include "tensor/devices.hpp"

namespace lanes {
namespace {

TEST(Shape, TakesAnyIntegerType) {
    const std::size_t rows = 2;
    const int columns = 3;
    const Shape shape{rows, columns, 4L};
    EXPECT_EQ(shape.rank(), 3U);
    EXPECT_EQ(shape.count(), 24U);
    EXPECT_EQ(shape.text(), "(2, 3, 4)");
    EXPECT_EQ(Shape(std::vector<int>{2, 3, 4}), shape);
    EXPECT_NE(shape, (Shape{2, 3}));
    EXPECT_EQ(Shape{}.count(), 1U);
    EXPECT_EQ(shape.axis(-1, "test"), 2U);
    EXPECT_NE(error_of([] { Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}; }), "");
}

TEST(Broadcast, MergesAxesThatAreSteppedThroughAlike) {
    const auto same = tensor::broadcast({2, 3, 4}, {2, 3, 4}, {2, 3, 4});
    EXPECT_TRUE(same.is_plain());
    const auto row = tensor::broadcast({2, 3, 4}, {3, 4}, {2, 3, 4});
    EXPECT_EQ(row.rank, 2U);
    EXPECT_EQ(row.extent[0], 2U);
    EXPECT_EQ(row.extent[1], 12U);
    EXPECT_EQ(row.b_step[0], 0U);
    EXPECT_EQ(row.b_step[1], 1U);
    const auto channel = tensor::broadcast({2, 3, 4}, {3, 1}, {2, 3, 4});
    EXPECT_EQ(channel.rank, 3U);
    EXPECT_EQ(channel.b_step[1], 1U);
    EXPECT_EQ(channel.b_step[2], 0U);
}

}  // namespace
}  // namespace lanes
