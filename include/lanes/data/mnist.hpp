// MNIST and Fashion-MNIST as the course uses them. The files lie in data/ of the checkout;
// introduced in the notebook 01_mlp.
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

// folder: where the four files lie, packed (.gz) or plain; "" means data/mnist of the checkout.
// Pixels are byte / 255, labels one-hot. Throws Error with the file, the byte and the remedy where
// a file is missing, damaged, or another one than its name says.
SplitDataset load_mnist(MnistSplit split = MnistSplit::assignment_1,
                        const std::string& folder = "");

// The subset in data/fashion-mnist: 10,000 to train, 2,000 to validate, 2,000 to test; the full
// original files work, too: 50,000 / 10,000 / 10,000.
SplitDataset load_fashion_mnist(const std::string& folder = "");

// Two files of images and labels as they are.
Dataset load_images(const std::string& images_path, const std::string& labels_path);

// Where `name` of the course's data lies: $LANES_DATA, $LANES_HOME/data, data/ around the library,
// that of the checkout it was built from, that of the current folder. Throws Error with every place
// that was tried.
std::string data_folder(const std::string& name);

}  // namespace lanes
