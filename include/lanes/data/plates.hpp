// Drawn pictures of plates from above, cleaned or dirty, for lesson 09_transfer_learning: no
// photographs can be shipped. Table, cutlery, light, position, size and decoration of the plate
// vary for both classes alike; only the dirt tells them apart.
//
//   lanes::write_plates("plates");                               // once; takes some seconds
//   const lanes::ImageFolder labelled("plates/train");           // 40: cleaned 0, dirty 1
//   const lanes::ImageFolder test("plates/test");                // 744, without classes
//   const std::vector<int> labels = lanes::read_test_labels("plates");
//   lanes::Rng rng(1);
//   const lanes::ColorImage dirty = lanes::draw_plate(true, rng);
//
// The folder has the layout of the original photographs, which can be put in its place.
#pragma once

#include "lanes/base/option.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/data/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

// size x size pixels. The same seed gives the same picture, with or without dirt.
ColorImage draw_plate(bool dirty, Rng& rng, std::size_t size = 300);

// How many pictures.
class PlatesOptions {
    // Half of them cleaned.
    LANES_OPTION(PlatesOptions, std::size_t, labelled, 40)
    LANES_OPTION(PlatesOptions, std::size_t, test, 744)
    LANES_OPTION(PlatesOptions, std::uint64_t, seed, 0)
    // Called after each picture of write_plates, with the number of pictures so far.
    LANES_OPTION(PlatesOptions, std::function<void(std::size_t)>, on_picture, {})
};

// Writes folder/train/cleaned, folder/train/dirty, folder/test (0000.jpg, 0001.jpg, …) and
// folder/test_labels.txt. If all of them are there already, nothing is done.
void write_plates(const std::string& folder, const PlatesOptions& options = {});

// One label per picture of folder/test, sorted by name: 0 cleaned, 1 dirty. Empty if there is no
// file test_labels.txt: nobody has published those of the original photographs.
std::vector<int> read_test_labels(const std::string& folder);

// The same pictures without files. number: below 40 of the labelled ones, cleaned first; below 744
// of the test.
struct LabelledPlate {
    ColorImage image;
    int label = 0;
};
LabelledPlate labelled_plate(std::size_t number, const PlatesOptions& options = {});
LabelledPlate test_plate(std::size_t number, const PlatesOptions& options = {});

}  // namespace lanes
