// Pictures and tables of the notebook 09_transfer_learning: plates, batches, the schedule of the
// learning rate, trainings and what a network says to the test pictures.
//
//   const std::string plates = lanes::plates::prepare(96);  // draws them, once
//   const lanes::ImageFolder labelled(plates + "/train");
//   lanes::plates::show(labelled, {0, 1, 20, 21});
//   lanes::plates::standard_errors({8, 744});
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/data/image_folder.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/lesson/transfer_types.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/nn/train_model.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::plates {

// The first GPU if there is one, else the CPU. Says which.
Device device();

// The folder of the pictures: "photographs" if there is one, else drawn plates, with a progress
// bar: 40 labelled ones and so many for the test. 0: the labelled ones alone, in a folder of
// another name.
std::string prepare(std::size_t test_pictures);
std::vector<int> test_labels(const std::string& folder);  // empty if nobody has published them

// Copies the pictures of each class in `from` into to/train and to/val, as `split` chooses from
// their names with n = 6, and shows a table. Pictures of an earlier call are removed.
using Split = std::function<NameSplit(std::vector<std::string> names, std::size_t n)>;
void copy_split(const std::string& from, const std::string& to, const Split& split);

// Pictures of a folder with the names of their classes.
void show(const ImageFolder& folder, const std::vector<std::size_t>& numbers);
// The first batch of an epoch, as the network gets it.
void show_batch(DataLoader<2>& batches, const std::vector<std::string>& classes);
// A histogram of the areas of random crops. Returns how many show less than a quarter of the
// picture, in percent.
double show_crops();

// The learning rates of a loop that steps the scheduler at the end of an epoch, beside those of one
// that steps at its beginning, and how far a weight can move. Returns the first epoch in which both
// differ.
using StepLr = std::function<double(double initial, int epoch, int step_size, double gamma)>;
int show_rates(const StepLr& step_lr);

// Loss and accuracy, as a table and a plot. recorded: the name of a recorded table, or empty.
void show_training(const std::string& title, const std::vector<TrainedEpoch>& history,
                   const std::string& recorded = "");
// Of an accuracy that was measured with so many pictures.
void standard_errors(const std::vector<int>& pictures);

// The 64 filters of the first layer, each with its own black and white.
void show_filters(const ResNet& net);
// The three most likely of the 200 classes, for each picture.
void show_classes(ResNet& net, const std::vector<std::string>& paths);

// Accuracy of several networks on the test pictures. Returns that of the last one, 0 to 1. Without
// labels, which nobody has published for the photographs, it says so and returns 0.
using Networks = std::vector<std::pair<std::string, Predicted>>;
double show_test(const Networks& networks, const std::vector<int>& labels);
// What each network says to the test pictures by `predict`, one after the other, with a progress
// bar.
using NamedNetworks = std::vector<std::pair<std::string, ResNet*>>;
Networks predictions(const NamedNetworks& networks,
                     const std::function<Predicted(ResNet&)>& predict);
// Rows: the true class, columns: what the network says, as shares of each true class.
void show_confusion(const Matrix& probabilities, const std::vector<int>& labels);
// The first pictures with the probability that they are dirty.
void show_predictions(const ImageFolder& folder, const Matrix& probabilities, std::size_t count);

}  // namespace lanes::plates
