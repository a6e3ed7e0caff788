// What the trainings of the notebook 09_transfer_learning are made of besides the answers of
// students: an optimizer that calls their adam_step, a small network, features, times.
//
//   const auto step = [](lanes::plates::AdamState& state, const std::vector<double>& gradient,
//                        double rate) { lanes::spare::adam_step(state, gradient, rate); };
//   lanes::Linear layer(3, 2);
//   lanes::plates::OwnOptimizer optimizer(layer.parameters(), 1e-3, step);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/data/image_folder.hpp"
#include "lanes/data/transforms.hpp"
#include "lanes/lesson/spare_transfer.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/nn/train_model.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanes::plates {

// Takes each step by a function of one's own, on the CPU and in double precision.
class OwnOptimizer : public Optimizer {
public:
    using Step = std::function<void(AdamState& state, const std::vector<double>& gradient,
                                    double learning_rate)>;
    OwnOptimizer(std::vector<Tensor> parameters, double learning_rate, Step step);

private:
    void step_impl(const std::vector<tensor::Update>& updates, Tensor& settings) override;

    Step step_;
    std::map<const void*, AdamState> states_;  // by the parameter's tensor
};

// A picture with 224 x 224 pixels, by a function of one's own that changes the number of rows. For
// the columns it gets the picture with rows and columns exchanged.
using ResizeRows = std::function<ColorImage(const ColorImage& image, std::size_t rows)>;
transforms::Transform resized(const ResizeRows& resize_rows);

// A random part of a picture, mirrored with the probability 1/2, by a function of one's own. scale:
// its area, relative to the picture.
using CropAndFlip =
    std::function<ColorImage(const ColorImage& image, std::size_t top, std::size_t left,
                             std::size_t rows, std::size_t columns, bool flip)>;
transforms::Transform random_part(const CropAndFlip& crop_and_flip,
                                  std::array<double, 2> scale = {0.08, 1});

// A normalisation of one's own as the last step of a chain of transforms.
using Normalise = std::function<Tensor3(const ColorImage& image, const std::array<float, 3>& mean,
                                        const std::array<float, 3>& deviation)>;
transforms::Transform to_input(const Normalise& normalise);

using Rate = std::function<double(int epoch)>;  // the learning rate
using TrainModel = std::function<std::vector<TrainedEpoch>(Module& model, DataLoader<2>& train,
                                                           DataLoader<2>& val, Optimizer& optimizer,
                                                           const Rate& rate, int num_epochs)>;

// ResNet-18 with the weights of torchvision if its file lies beside the notebook, else with those
// of the course. Says which. Seeds the generator of the weights that are drawn next.
ResNet pretrained();

// The same learning rates; shows a progress bar of the epochs.
Rate with_bar(const Rate& rate, int num_epochs);

// Trains two convolutions and a linear layer for 40 epochs on pictures of 64 x 64 pixels.
std::vector<TrainedEpoch> from_scratch(const ImageFolder& train, const ImageFolder& val,
                                       const TrainModel& train_model,
                                       const OwnOptimizer::Step& step);

// What a network computes before its last layer, for whole pictures in evaluation mode.
struct Features {
    Tensor x;                 // (pictures, 512), on the CPU
    std::vector<int> labels;  // one per picture
};
Features features_of(ResNet& net, DataLoader<2>& pictures);

// A last layer that was trained for 100 epochs with the features of these pictures.
Linear train_head(const Features& features, const std::vector<int>& pictures, const Rate& rate);
Linear train_head(const Features& features, const Rate& rate);  // with all of them
// train_head with the pictures `train`, and the accuracy for the pictures `val`.
using AccuracyOf =
    std::function<double(const std::vector<int>& train, const std::vector<int>& val)>;
AccuracyOf head_trainer(const Features& features, const Rate& rate);

// Cross-validates the last layer in six parts, for each schedule of the learning rate: a table.
using CrossValidate = std::function<double(int pictures, int parts, const AccuracyOf& accuracy_of)>;
void show_validation(const Features& features, const CrossValidate& cross_validate,
                     const std::vector<std::pair<std::string, Rate>>& rates);

// What a training and the prediction of the test pictures took on one device.
struct DeviceTimes {
    std::string device;
    int epochs = 0;
    double training = 0;  // s, of all epochs
    std::size_t pictures = 0;
    double test = 0;  // s, of all test pictures
};
DeviceTimes times_on_cpu(ResNet& net, const ImageFolder& train, const ImageFolder& val,
                         const ImageFolder& test, int epochs);
// A column for each device. recorded: the name of a recorded table.
void show_times(const std::vector<DeviceTimes>& times, const std::string& recorded);

}  // namespace lanes::plates
