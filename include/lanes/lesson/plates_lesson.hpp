// What the given cells of the notebook 09_transfer_learning load, train, measure and show. The
// functions that students write do the work; the library's take their place only while an answer is
// missing, and this says so.
//
//   lanes::PlatesLesson lesson(8, 8);
//   const lanes::ImageFolder& labelled = lesson.labelled();
//   lesson.show(labelled, {0, 1, 20, 21});
//   const auto split = lesson.copy_split(lanes::spare::split_names);
//   const auto whole = lesson.whole_picture(lanes::spare::resize_rows, lanes::spare::normalise);
//   const lanes::ImageFolder val_folder(split + "/val", whole);
#pragma once

#include "lanes/lesson/plates_pictures.hpp"
#include "lanes/lesson/plates_training.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

class PlatesLesson {
public:
    using RunModel = std::function<plates::Predicted(Module& model, DataLoader<2>& pictures)>;
    using MakeLoader = std::function<DataLoader<2>(const ImageFolder& pictures, bool training)>;
    using Freeze = std::function<void(ResNet& net, std::size_t classes)>;
    using Rates = std::vector<std::pair<std::string, plates::Rate>>;

    // Draws the plates, once, or takes the folder "photographs". So many are for the test, without
    // and with a GPU.
    PlatesLesson(std::size_t test_pictures, std::size_t with_gpu);
    PlatesLesson(const PlatesLesson&) = delete;
    PlatesLesson& operator=(const PlatesLesson&) = delete;

    // --- pictures
    const ImageFolder& labelled() const { return labelled_; }  // their numbers are their files'
    void show(const ImageFolder& folder, const std::vector<std::size_t>& numbers) const;
    // Copies the labelled pictures into the folders train and val of the folder that it returns.
    std::string copy_split(const plates::Split& split_names) const;

    // The chains of transforms: a random part of each picture, and the whole picture.
    transforms::Transform random_part(const plates::CropAndFlip& crop_and_flip,
                                      const plates::ResizeRows& resize_rows,
                                      const plates::Normalise& normalise,
                                      std::array<double, 2> scale = {0.08, 1}) const;
    transforms::Transform whole_picture(const plates::ResizeRows& resize_rows,
                                        const plates::Normalise& normalise) const;

    DataLoader<2> batches(const MakeLoader& make_loader, const ImageFolder& pictures,
                          bool training) const;
    // The first batch, and the areas of random crops. Returns how many crops show less than a
    // quarter of the picture, in percent.
    double show_crops(DataLoader<2>& batches) const;

    // --- training
    // The rates of the project and those that were meant. Returns the first epoch that differs.
    int show_rates(const plates::StepLr& step_lr) const;
    // A small network without transfer, and the standard errors of accuracies.
    void train_from_scratch(const ImageFolder& train, const ImageFolder& val,
                            const plates::TrainModel& train_model,
                            const plates::OwnOptimizer::Step& adam_step) const;

    ResNet pretrained() const { return plates::pretrained(); }
    void show_pretrained(ResNet& net) const;  // its first layer, and two plates among its classes
    // Also moves it to the device.
    void freeze(ResNet& net, const Freeze& freeze_and_replace) const;

    // An optimizer that takes its steps by adam_step.
    plates::OwnOptimizer optimizer(std::vector<Tensor> parameters,
                                   const plates::OwnOptimizer::Step& adam_step) const;
    // For 14 epochs, on a GPU 100. The library's rate is that of the project.
    void train(ResNet& net, DataLoader<2>& train, DataLoader<2>& val, Optimizer& optimizer,
               const plates::Rate& rate, const plates::TrainModel& train_model);
    void show_training(const std::string& recorded) const;

    // What the network computes before its last layer.
    plates::Features features_of(ResNet& net, const ImageFolder& pictures,
                                 const MakeLoader& make_loader) const;
    void show_validation(const plates::Features& features,
                         const plates::CrossValidate& cross_validate, const Rates& rates) const;
    Linear train_head(const plates::Features& features, const plates::Rate& rate) const;

    // --- test
    ImageFolder test_pictures(const transforms::Transform& transform) const;
    // Returns the accuracy of the last network, in percent.
    double test(const plates::NamedNetworks& networks, const ImageFolder& pictures,
                const MakeLoader& make_loader, const RunModel& predict);
    // What the last network said: which mistakes it makes, and the first pictures.
    void show_predictions(std::size_t count) const;
    // Of the training and the test. With a GPU the CPU is measured for 10 epochs, too.
    void show_times(ResNet& net, const ImageFolder& train, const ImageFolder& val,
                    const std::string& recorded) const;

private:
    const ImageFolder& tested_pictures(const char* operation) const;

    Device device_;
    std::string folder_;
    ImageFolder labelled_;
    int epochs_;

    std::vector<TrainedEpoch> history_;
    double training_seconds_ = 0;
    std::optional<ImageFolder> tested_pictures_;
    plates::Networks tested_;
};

}  // namespace lanes
