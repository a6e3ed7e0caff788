// The library's versions of what students write in the notebooks 09_transfer_learning and
// 09b_residual_network, plain and without checks of their arguments: cells go on with them while an
// answer is missing.
//
//   // split.val is a, c
//   const lanes::plates::NameSplit split = lanes::spare::split_names({"c", "a", "b"}, 2);
//   const double rate = lanes::spare::step_lr(1e-3, 8, 7, 0.1);  // 0.0001
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/data/image_file.hpp"
#include "lanes/data/image_folder.hpp"
#include "lanes/lesson/residual_parts.hpp"
#include "lanes/lesson/transfer_types.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/nn/train_model.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes::spare {

plates::NameSplit split_names(std::vector<std::string> names, std::size_t n);
// The part of an image, (rows, columns, 3), that begins in row top and column left; mirrored if
// `flip`: left and right are exchanged.
ColorImage crop_and_flip(const ColorImage& image, std::size_t top, std::size_t left,
                         std::size_t rows, std::size_t columns, bool flip);
// The image with so many rows: bilinear with antialiasing.
ColorImage resize_rows(const ColorImage& image, std::size_t rows);
// image: (rows, columns, 3), 0 to 255; the result: (3, rows, columns)
Tensor3 normalise(const ColorImage& image, const std::array<float, 3>& mean,
                  const std::array<float, 3>& deviation);

// Batches of 8 that two workers make; in a new random order in each epoch if `training`, else in
// that of the names.
DataLoader<2> make_loader(const ImageFolder& pictures, bool training);

void adam_step(plates::AdamState& state, const std::vector<double>& gradient, double learning_rate);
double step_lr(double initial, int epoch, int step_size, double gamma);

// One phase of an epoch. Without an optimizer it is the validation.
PhaseResult run_phase(Module& model, DataLoader<2>& batches, Optimizer* optimizer);
std::vector<TrainedEpoch> train_model(Module& model, DataLoader<2>& train, DataLoader<2>& val,
                                      Optimizer& optimizer, const std::function<double(int)>& rate,
                                      int num_epochs);

void freeze_and_replace(ResNet& net, std::size_t classes);
plates::Predicted predict(Module& model, DataLoader<2>& pictures);

// accuracy_of(train, val) trains with the pictures of these numbers and gives the accuracy, 0 to 1.
double cross_validate(int pictures, int parts,
                      const std::function<double(const std::vector<int>& train,
                                                 const std::vector<int>& val)>& accuracy_of);

// x: (channels, rows, columns); the result: one column per place of the filter.
Matrix im2col(const Tensor3& x, int size, int stride, int padding);
// filters: (outputs, channels, size, size); the result: (outputs, rows, columns)
Tensor3 convolution(const Tensor3& x, const Tensor4& filters, int stride, int padding);
// x: (batch, channels, rows, columns)
Tensor4 batch_norm(const Tensor4& x, resnet::BatchNormState& state, bool training);
Tensor residual_block(resnet::ResidualParts& parts, const Tensor& x);
double amdahl_share(double before, double after, double k);

}  // namespace lanes::spare
