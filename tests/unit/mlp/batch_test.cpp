#include "lanes/mlp/batch.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Matrix;

TEST(Batch, RefersToRowsOfADataset) {
    const lanes::Dataset data{Matrix{{1, 2}, {3, 4}, {5, 6}}, Matrix{{0}, {1}, {2}}};
    const lanes::Batch batch(data, {2, 0});
    EXPECT_EQ(batch.size(), 2u);
    EXPECT_EQ(batch.pixels(), 2u);
    EXPECT_EQ(batch.classes(), 1u);
    EXPECT_EQ(batch.x(0)[1], 6);
    EXPECT_EQ(batch.y(1)[0], 0);
    EXPECT_EQ(batch.x(1), data.x.data());  // no copy
    EXPECT_EQ(batch.gather().x, (Matrix{{5, 6}, {1, 2}}));
    EXPECT_EQ(batch.rows(), (std::vector<std::size_t>{2, 0}));
    EXPECT_TRUE(batch.is_of(data));
    EXPECT_FALSE(batch.is_of(lanes::Dataset(data)));
}

TEST(Batch, OwnsImagesAndSharesThemWithItsCopies) {
    const lanes::Batch copy =
        lanes::Batch(lanes::Dataset{Matrix{{1, 2}, {3, 4}}, Matrix{{7}, {8}}});
    EXPECT_EQ(copy.size(), 2u);
    EXPECT_EQ(copy.x(1)[0], 3);
    EXPECT_EQ(copy.gather().y, (Matrix{{7}, {8}}));
}

TEST(Batch, KeepsTheOwnerOfItsMemoryAlive) {
    const auto memory = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4, 9, 8});
    {
        const lanes::Batch batch(memory, memory->data(), memory->data() + 4, 2, 2, 1), copy = batch;
        EXPECT_EQ(memory.use_count(), 3);
        EXPECT_EQ(copy.x(1), memory->data() + 2);  // no copy
        EXPECT_EQ(copy.gather().x, (Matrix{{1, 2}, {3, 4}}));
        EXPECT_EQ(copy.gather().y, (Matrix{{9}, {8}}));
    }
    EXPECT_EQ(memory.use_count(), 1);
}

}  // namespace
