// MNIST and Fashion-MNIST as the course uses them. The files are in data/ of the checkout.
// Introduced in lesson 01a_training.
//
//   // 50,000 / 10,000 / 10,000 images
//   const auto data = lanes::load_mnist();
//   //    500 / 10,000 / 59,500
//   const auto few = lanes::load_mnist(lanes::MnistSplit::assignment_2);
#pragma once

#include "lanes/data/dataset.hpp"

#include <string>

namespace lanes {

enum class MnistSplit {
    assignment_1,  // train: the first 50,000; validation: the other 10,000 of the training file;
                   // test: the test file
    assignment_2,  // train: the first 500; validation: as above; test: the test file, then the
                   // other 49,500 of the training file
};

struct SplitDataset {
    Dataset train, validation, test;
};

// folder: holds the four files, plain or compressed (.gz); "" means data/mnist of the checkout.
// Pixels are byte / 255, labels are one-hot. Throws Error with the path, the byte and what to do if
// a file is missing, damaged, or does not hold what its name says.
SplitDataset load_mnist(MnistSplit split = MnistSplit::assignment_1,
                        const std::string& folder = "");

// The subset in data/fashion-mnist: 10,000 images for training, 2,000 for validation, 2,000 for
// testing. The full original files give 50,000 / 10,000 / 10,000.
SplitDataset load_fashion_mnist(const std::string& folder = "");

// Two files of images and labels, not split.
Dataset load_images(const std::string& images_path, const std::string& labels_path);

// The path of the folder `name` of the course's data. Searches in $LANES_DATA, $LANES_HOME/data,
// and data/ of the folders above the library, of the checkout that it was built in and of the
// working folder. Throws Error with every path that was tried.
std::string data_folder(const std::string& name);

}  // namespace lanes
