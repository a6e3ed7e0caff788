#include "lanes/data/image_folder.hpp"

#include "data/files.hpp"
#include "error_of.hpp"
#include "lanes/data/data_loader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {

using lanes::ImageFolder;
using lanes::Rng;
using lanes_test::error_of;
namespace fs = std::filesystem;

// A picture of one colour, whose red is `red`.
void write_picture(const fs::path& path, unsigned char red) {
    fs::create_directories(path.parent_path());
    lanes::ColorImage image(std::array<std::size_t, 3>{8, 8, 3});
    for (std::size_t i = 0; i < image.size(); ++i)
        image.data()[i] = i % 3 == 0 ? red : static_cast<unsigned char>(0);
    lanes::write_image(path.string(), image);
}

class ImageFolderTest : public ::testing::Test {
protected:
    ImageFolderTest() {
        for (int i = 0; i < 20; ++i) {
            const std::string name = (i < 10 ? "0" : "") + std::to_string(i) + ".png";
            write_picture(root() / "dirty" / name, static_cast<unsigned char>(100 + i));
            write_picture(root() / "cleaned" / name, static_cast<unsigned char>(i));
        }
    }
    fs::path root() const { return folder_.path("plates"); }
    std::string split() const { return folder_.path("split"); }

    files::Folder folder_;
    Rng rng_{1};
};

TEST_F(ImageFolderTest, labels_are_the_numbers_of_the_sorted_classes) {
    folder_.write("plates/.DS_Store", {1, 2, 3});
    folder_.write("plates/dirty/.DS_Store", {1, 2, 3});
    const ImageFolder pictures(root().string());
    EXPECT_EQ(pictures.classes(), (std::vector<std::string>{"cleaned", "dirty"}));
    ASSERT_EQ(pictures.size(), 40u);
    const auto [x, label] = pictures.get(23, rng_);
    EXPECT_EQ(label, 1);
    EXPECT_EQ(pictures.label(23), 1);
    EXPECT_EQ(pictures.path(23), (root() / "dirty" / "03.png").string());
    EXPECT_EQ(x.shape(), (lanes::Shape{3, 8, 8}));
    EXPECT_FLOAT_EQ(x.at({0, 4, 4}), 103.0f / 255);
    EXPECT_EQ(error_of([&] { pictures.path(40); }),
              "ImageFolder: picture 40 of 40. The first one is 0.");
}

TEST_F(ImageFolderTest, a_variant_says_which_file_an_example_is) {
    const lanes::ImageFolderWithPaths pictures(root().string());
    const auto [x, label, index] = pictures.get(5, rng_);
    EXPECT_EQ(label, 0);
    EXPECT_EQ(pictures.folder().path(static_cast<std::size_t>(index)),
              (root() / "cleaned" / "05.png").string());
}

TEST_F(ImageFolderTest, another_transform_takes_the_same_files) {
    const ImageFolder pictures(root().string());
    const ImageFolder small = pictures.with(lanes::transforms::evaluation(4));
    EXPECT_EQ(small.get(0, rng_).first.shape(), (lanes::Shape{3, 4, 4}));
    EXPECT_EQ(small.size(), pictures.size());
}

TEST_F(ImageFolderTest, a_folder_of_pictures_alone_is_one_class) {
    const ImageFolder pictures((root() / "dirty").string() + "/");
    EXPECT_EQ(pictures.classes(), std::vector<std::string>{"dirty"});
    EXPECT_EQ(pictures.size(), 20u);
    EXPECT_EQ(pictures.label(7), 0);
}

TEST_F(ImageFolderTest, batches_do_not_depend_on_the_number_of_workers) {
    const ImageFolder pictures(root().string(), lanes::transforms::training(6));
    std::vector<std::vector<float>> epochs;
    for (const int workers : {0, 1, 3}) {
        lanes::DataLoader loader(
            pictures, lanes::DataLoaderOptions().batch_size(8).shuffle(true).num_workers(workers));
        std::vector<float> seen;
        for (int epoch = 0; epoch < 2; ++epoch)
            for (auto& [x, labels] : loader) {
                const std::vector<float> values = x.to_vector();
                seen.insert(seen.end(), values.begin(), values.end());
                for (const int label : labels.to_vector<int>())
                    seen.push_back(static_cast<float>(label));
            }
        EXPECT_EQ(seen.size(), 2u * 40 * (3 * 6 * 6 + 1));
        epochs.push_back(std::move(seen));
    }
    EXPECT_EQ(epochs[0], epochs[1]);
    EXPECT_EQ(epochs[0], epochs[2]);
}

// What this process has read so far.
std::size_t bytes_read() {
    std::ifstream file("/proc/self/io");
    std::string name;
    std::size_t bytes = 0;
    file >> name >> bytes;  // rchar: 1234
    return bytes;
}

TEST_F(ImageFolderTest, only_the_headers_of_the_files_are_read) {
    constexpr std::size_t large = 64 << 20;
    lanes::ColorImage image(std::array<std::size_t, 3>{8, 8, 3}, 7);
    lanes::write_image((root() / "dirty/large.jpg").string(), image);
    for (const char* name : {"dirty/00.png", "dirty/large.jpg"})
        fs::resize_file(root() / name, large);  // zeros behind the picture
    const std::size_t before = bytes_read();
    const ImageFolder pictures(root().string());
    EXPECT_EQ(pictures.size(), 41u);
    EXPECT_LT(bytes_read() - before, large / 4);
}

// A header may be longer than what is read at first.
TEST_F(ImageFolderTest, a_header_of_any_length_is_read) {
    const std::string small = (root() / "dirty/small.jpg").string();
    lanes::write_image(small, lanes::ColorImage(std::array<std::size_t, 3>{8, 8, 3}, 7));
    files::Bytes bytes = files::read(small);
    const files::Bytes comment{0xff, 0xfe, 0xff, 0xff};  // a JPEG comment of 65535 bytes
    for (int i = 0; i < 5; ++i) {
        bytes.insert(bytes.begin() + 2, 65533, ' ');
        bytes.insert(bytes.begin() + 2, comment.begin(), comment.end());
    }
    folder_.write("plates/dirty/small.jpg", bytes);
    EXPECT_EQ(ImageFolder(root().string()).size(), 41u);
}

TEST_F(ImageFolderTest, a_file_that_is_no_picture_is_named) {
    folder_.write("plates/dirty/notes.txt", {'h', 'i'});
    EXPECT_NE(error_of([&] { ImageFolder pictures(root().string()); }).find("dirty/notes.txt"),
              std::string::npos);
}

TEST_F(ImageFolderTest, a_file_outside_of_the_classes_is_named) {
    write_picture(root() / "stray.png", 1);
    EXPECT_NE(error_of([&] { ImageFolder pictures(root().string()); }).find("stray.png is not a"),
              std::string::npos);
}

TEST_F(ImageFolderTest, a_missing_folder_and_an_empty_class_are_named) {
    EXPECT_NE(error_of([&] { ImageFolder pictures(folder_.path("none")); }).find("none cannot"),
              std::string::npos);
    fs::create_directories(root() / "empty");
    EXPECT_NE(error_of([&] { ImageFolder pictures(root().string()); }).find("empty has no pict"),
              std::string::npos);
}

TEST_F(ImageFolderTest, every_sixth_picture_is_for_validation) {
    for (int repeat = 0; repeat < 2; ++repeat) {
        const lanes::SplitSizes sizes = lanes::split_every(6, root().string(), split());
        EXPECT_EQ(sizes.train, 32u);
        EXPECT_EQ(sizes.val, 8u);
    }
    const ImageFolder val(split() + "/val");
    ASSERT_EQ(val.size(), 8u);
    const std::vector<std::string> expected{"00.png", "06.png", "12.png", "18.png"};
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_EQ(fs::path(val.path(i)).filename(), expected[i % 4]);
    EXPECT_EQ(ImageFolder(split() + "/train").size(), 32u);
}

TEST_F(ImageFolderTest, a_split_refuses_pictures_of_another_one) {
    lanes::split_every(6, root().string(), split());
    EXPECT_NE(error_of([&] {
                  lanes::split_every(5, root().string(), split());
              }).find("is not one of the pictures that belong there"),
              std::string::npos);
    EXPECT_NE(error_of([&] { lanes::split_every(1, root().string(), split()); }), "");
}

}  // namespace
