#include "lanes/data/mnist.hpp"

#include "error_of.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

namespace {

using files::Bytes;
using files::Folder;
using lanes_test::error_of;

std::size_t class_of(const lanes::Dataset& data, std::size_t image) {
    std::size_t found = 10;
    float sum = 0;
    for (std::size_t c = 0; c < 10; ++c) {
        sum += data.y(image, c);
        if (data.y(image, c) == 1.f) found = c;
    }
    EXPECT_EQ(sum, 1.f);
    return found;
}

// Twelve training images, three test images, 2 x 2 pixels.
void write_set(const Folder& folder) {
    folder.write("train-images-idx3-ubyte", files::idx({12, 2, 2}, files::some_values(48)));
    folder.write_packed("train-labels-idx1-ubyte.gz",
                        files::idx({12}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1}));
    folder.write_packed("t10k-images-idx3-ubyte.gz", files::idx({3, 2, 2}, files::some_values(12)));
    folder.write("t10k-labels-idx1-ubyte", files::idx({3}, {7, 2, 1}));
}

TEST(LoadMnist, SplitsAsAssignment1Does) {
    const auto data = lanes::load_mnist();
    EXPECT_EQ(data.train.x.shape(), (std::array<std::size_t, 2>{50000, 784}));
    EXPECT_EQ(data.train.y.shape(), (std::array<std::size_t, 2>{50000, 10}));
    EXPECT_EQ(data.validation.size(), 10000u);
    EXPECT_EQ(data.test.size(), 10000u);
    EXPECT_EQ(class_of(data.train, 0),
              5u);  // the first digits of MNIST: 5 0 4, and 7 2 1 in the test file
    EXPECT_EQ(class_of(data.train, 2), 4u);
    EXPECT_EQ(class_of(data.test, 0), 7u);
    EXPECT_EQ(class_of(data.validation, 0), 3u);
    float largest = 0, smallest = 1;
    for (const float pixel : data.train.x) {
        largest = std::max(largest, pixel);
        smallest = std::min(smallest, pixel);
    }
    EXPECT_EQ(largest, 1.f);
    EXPECT_EQ(smallest, 0.f);
}

TEST(LoadMnist, SplitsAsAssignment2Does) {
    const auto data = lanes::load_mnist(lanes::MnistSplit::assignment_2);
    EXPECT_EQ(data.train.size(), 500u);
    EXPECT_EQ(data.validation.size(), 10000u);
    EXPECT_EQ(data.test.size(), 59500u);
    EXPECT_EQ(class_of(data.train, 0), 5u);
    EXPECT_EQ(class_of(data.test, 0), 7u);
    EXPECT_EQ(data.test.y.shape(0), 59500u);
}

TEST(LoadFashionMnist, HoldsAllClassesEqually) {
    const auto data = lanes::load_fashion_mnist();
    EXPECT_EQ(data.train.size(), 10000u);
    EXPECT_EQ(data.validation.size(), 2000u);
    EXPECT_EQ(data.test.size(), 2000u);
    std::array<int, 10> count{};
    for (std::size_t i = 0; i < data.test.size(); ++i) ++count.at(class_of(data.test, i));
    for (const int each : count) EXPECT_EQ(each, 200);
}

TEST(LoadMnist, TakesPlainAndPackedFilesOfAnyFolder) {
    const Folder folder;
    write_set(folder);
    const auto data = lanes::load_mnist(lanes::MnistSplit::assignment_1, folder.path());
    EXPECT_EQ(data.train.size(), 10u);
    EXPECT_EQ(data.validation.size(), 2u);
    EXPECT_EQ(data.test.size(), 3u);
    EXPECT_FLOAT_EQ(data.train.x(0, 3), 111.f / 255);
    EXPECT_EQ(class_of(data.validation, 1), 1u);
    EXPECT_NE(error_of([&] {
                  lanes::load_mnist(lanes::MnistSplit::assignment_2, folder.path());
              }).find("Assignment 2 takes 500"),
              std::string::npos);
}

TEST(LoadMnist, NamesAMissingFile) {
    const Folder folder;
    write_set(folder);
    std::filesystem::remove(folder.path("t10k-labels-idx1-ubyte"));
    const std::string text =
        error_of([&] { lanes::load_mnist(lanes::MnistSplit::assignment_1, folder.path()); });
    EXPECT_NE(text.find(folder.path("t10k-labels-idx1-ubyte.gz")), std::string::npos) << text;
    EXPECT_NE(text.find("LANES_DATA"), std::string::npos) << text;
}

TEST(LoadImages, SeesSwappedMixedAndWrongFiles) {
    const Folder folder;
    write_set(folder);
    const std::string images = folder.path("train-images-idx3-ubyte"),
                      labels = folder.path("train-labels-idx1-ubyte.gz");
    const std::string swapped = error_of([&] { lanes::load_images(labels, images); });
    EXPECT_NE(swapped.find("'" + labels +
                           "', byte 3: 1 axes, images have 3. Images and labels are swapped"),
              std::string::npos)
        << swapped;
    const std::string mixed =
        error_of([&] { lanes::load_images(images, folder.path("t10k-labels-idx1-ubyte")); });
    EXPECT_NE(mixed.find("byte 4: 12 images"), std::string::npos) << mixed;
    EXPECT_NE(mixed.find("byte 4: 3 labels"), std::string::npos) << mixed;
    const std::string bad =
        folder.write("bad-labels", files::idx({12}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1}));
    EXPECT_NE(
        error_of([&] { lanes::load_images(images, bad); }).find("'" + bad + "', byte 18: label 10"),
        std::string::npos);
}

TEST(DataFolder, FollowsTheVariableAndListsWhatItTried) {
    const Folder folder;
    std::filesystem::create_directory(folder.path("special"));
    setenv("LANES_DATA", folder.path().c_str(), 1);
    EXPECT_EQ(lanes::data_folder("special"), folder.path("special"));
    // The other folders are still searched.
    EXPECT_NE(lanes::data_folder("mnist").find("data"), std::string::npos);
    const std::string text = error_of([] { lanes::data_folder("no-such-set"); });
    unsetenv("LANES_DATA");
    EXPECT_NE(text.find(folder.path("no-such-set")), std::string::npos) << text;
    EXPECT_NE(text.find("Set LANES_DATA"), std::string::npos) << text;
}

}  // namespace
