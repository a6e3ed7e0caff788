// The module `data`: images with their labels, the files that hold them, transforms, and batches
// for training.
//
//   const auto data = lanes::load_mnist();               // 50,000 / 10,000 / 10,000 images
//   const lanes::Matrix digit = data.train.image(0);     // (28, 28), from 0 (black) to 1
//   const lanes::Matrix label = lanes::one_hot({5, 0});  // (2, 10)
//   lanes::write_image("digit.png", digit);
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/data/idx.hpp"
#include "lanes/data/image_file.hpp"
#include "lanes/data/image_folder.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/data/picture.hpp"
#include "lanes/data/plates.hpp"
#include "lanes/data/tensor_dataset.hpp"
#include "lanes/data/transforms.hpp"
