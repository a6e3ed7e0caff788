#include "lanes/data/plates.hpp"

#include "data/files.hpp"
#include "error_of.hpp"
#include "lanes/data/image_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

namespace {

using lanes::ColorImage;
using lanes::PlatesOptions;
using lanes::Rng;
using lanes_test::error_of;

double mean_of(const ColorImage& image) {
    return std::accumulate(image.begin(), image.end(), 0.0) / static_cast<double>(image.size());
}

TEST(Plates, a_seed_repeats_a_picture) {
    Rng first(3);
    Rng again(3);
    Rng other(4);
    const ColorImage plate = lanes::draw_plate(true, first, 64);
    EXPECT_EQ(plate, lanes::draw_plate(true, again, 64));
    EXPECT_NE(plate, lanes::draw_plate(true, other, 64));
}

TEST(Plates, dirt_changes_the_plate_and_not_the_table) {
    Rng clean_rng(5);
    Rng dirty_rng(5);
    const ColorImage clean = lanes::draw_plate(false, clean_rng, 128);
    const ColorImage dirty = lanes::draw_plate(true, dirty_rng, 128);
    const auto contrast = [](const ColorImage& a, const ColorImage& b, std::size_t row) {
        double sum = 0;
        for (std::size_t x = 0; x < 128; ++x)
            sum += std::abs(int{a(row, x, 1)} - int{b(row, x, 1)});
        return sum / 128;
    };
    EXPECT_GT(contrast(clean, dirty, 64), 2 * contrast(clean, dirty, 2));
}

// Accuracies were measured on these pictures: they must stay as they are.
TEST(Plates, the_generator_has_not_changed) {
    const double expected[] = {181.19, 119.02, 111.59, 93.35};
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(mean_of(lanes::labelled_plate(13 * i).image), expected[i], 0.2) << i;
}

TEST(Plates, half_of_the_labelled_ones_and_about_half_of_the_test_are_dirty) {
    EXPECT_EQ(lanes::labelled_plate(19).label, 0);
    EXPECT_EQ(lanes::labelled_plate(20).label, 1);
    EXPECT_NE(error_of([] { lanes::labelled_plate(40); }), "");
    EXPECT_NE(error_of([] { lanes::test_plate(744); }), "");
}

TEST(Plates, files_have_the_layout_of_the_photographs) {
    const files::Folder folder;
    PlatesOptions options;
    options.labelled(4);
    options.test(3);
    options.seed(2);
    lanes::write_plates(folder.path("plates"), options);
    const auto written =
        std::filesystem::last_write_time(folder.path("plates/train/dirty/0001.jpg"));
    lanes::write_plates(folder.path("plates"), options);  // finds that all is there
    EXPECT_EQ(std::filesystem::last_write_time(folder.path("plates/train/dirty/0001.jpg")),
              written);

    const lanes::ImageFolder train(folder.path("plates/train"));
    EXPECT_EQ(train.classes(), (std::vector<std::string>{"cleaned", "dirty"}));
    EXPECT_EQ(train.size(), 4u);
    const lanes::ImageFolder test(folder.path("plates/test"));
    EXPECT_EQ(test.size(), 3u);
    const std::vector<int> labels = lanes::read_test_labels(folder.path("plates"));
    ASSERT_EQ(labels.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const lanes::LabelledPlate plate = lanes::test_plate(i, options);
        EXPECT_EQ(labels[i], plate.label);
        EXPECT_NEAR(mean_of(lanes::read_image(test.path(i))), mean_of(plate.image), 1);
    }
}

TEST(Plates, photographs_without_labels_have_none) {
    const files::Folder folder;
    EXPECT_TRUE(lanes::read_test_labels(folder.path()).empty());
    std::ofstream(folder.path("test_labels.txt")) << "0000.jpg clean\n";
    EXPECT_NE(error_of([&] { lanes::read_test_labels(folder.path()); }).find("'clean'"),
              std::string::npos);
}

}  // namespace
