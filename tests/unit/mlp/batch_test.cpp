#include "lanes/mlp/batch.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Matrix;
using lanes_test::error_of;

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

TEST(Batch, RefusesRowsThatDoNotExist) {
    const lanes::Dataset data{Matrix{{1, 2}, {3, 4}, {5, 6}}, Matrix{{0}, {1}, {2}}};
    EXPECT_EQ(error_of([&] { lanes::Batch(data, {0, 3, 1}); }),
              "Batch: row 3 of 3 images. Give rows of the dataset; they are counted from 0.");
    const lanes::Dataset empty{xt::zeros<float>({0, 2}), xt::zeros<float>({0, 1})};
    EXPECT_NE(error_of([&] { lanes::Batch(empty, {0}); }).find("row 0 of 0 images"),
              std::string::npos);
    EXPECT_EQ(lanes::Batch(data, {}).size(), 0u);
}

TEST(Batch, RefusesImagesWithoutTheirLabels) {
    const lanes::Dataset uneven{Matrix{{1, 2}, {3, 4}}, Matrix{{7}}};
    const std::string expected = "Batch: 2 images but 1 labels. Give one label for each image.";
    EXPECT_EQ(error_of([&] { lanes::Batch(uneven, {0}); }), expected);
    EXPECT_EQ(error_of([&] { lanes::Batch{lanes::Dataset(uneven)}; }), expected);
}

}  // namespace
