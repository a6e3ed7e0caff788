// Pictures, comparisons and tables of the notebook 09b_residual_network: the layers of ResNet-18 as
// students wrote them beside those of the library, and what a training of it costs.
//
//   lanes::resnet::im2col_picture();
//   const double operations = lanes::resnet::flop();  // of the forward pass of one picture
//   lanes::resnet::amdahl_table(lanes::spare::amdahl_share);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/image_folder.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/lesson/residual_parts.hpp"
#include "lanes/lesson/transfer_types.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/tensor/tensor.hpp"

#include <functional>
#include <string>

namespace lanes::resnet {

void im2col_picture();
void block_picture();

// Multiplications and additions of the convolutions, for one picture of 224 x 224 pixels.
double flop();

// The first layer of the network on a picture, (3, 224, 224), by the given functions and by the
// library; Error if they differ. Shows how many numbers there are, and returns how many times as
// many the matrix of patches has as the image.
using Im2col = std::function<Matrix(const Tensor3& x, int size, int stride, int padding)>;
using Convolution =
    std::function<Tensor3(const Tensor3& x, const Tensor4& filters, int stride, int padding)>;
double compare_conv1(const ResNet& net, const Tensor& picture, const Im2col& im2col,
                     const Convolution& convolution);

// The first normalisation of the network in both modes, by the given function and by the library;
// Error if they differ.
using BatchNorm = std::function<Tensor4(const Tensor4& x, BatchNormState& state, bool training)>;
void compare_norms(const ResNet& net, const BatchNorm& batch_norm);

// In both modes: whether the features of a picture depend on the others in its batch, and whether
// the running statistics of a frozen network change.
void show_modes(const ImageFolder& pictures);

// The features of some pictures with the given function in the place of all eight blocks, and by
// the library; Error if they differ.
using Block = std::function<Tensor(ResidualParts& parts, const Tensor& x)>;
void compare_blocks(ResNet& net, const Block& block);

// How long an epoch over the folder waits for batches and computes, with 0, 1, 2 and 4 workers: a
// table and bars; recorded: the name of a recorded table. Gives the times with 2 workers and
// without any.
struct EpochTimes {
    double with_workers = 0;     // s: waiting and computing
    double without_workers = 0;  // s
    double idle = 0;             // of the device without workers, 0 to 1
};
EpochTimes show_workers(ResNet& net, const ImageFolder& pictures, const Device& device,
                        const std::string& recorded);

// Times and rates of an epoch of 40 pictures: your own and those of the project's Table 1.
void show_devices(double own_seconds, const std::string& recorded);

// For several k: the share that a T4 has accelerated in the project, and what follows from it.
using AmdahlShare = std::function<double(double before, double after, double k)>;
void amdahl_table(const AmdahlShare& amdahl_share);

}  // namespace lanes::resnet
