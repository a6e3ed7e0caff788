// What the given cells of the notebook 09b_residual_network compare, measure and show. The
// functions that students write are compared and used; the library's take their place only while an
// answer is missing, and this says so.
//
//   lanes::ResidualLesson lesson;
//   lesson.show_block();
//   lesson.compare_blocks(lanes::spare::residual_block);
//   lesson.show_amdahl(lanes::spare::amdahl_share);
#pragma once

#include "lanes/lesson/plates_pictures.hpp"
#include "lanes/lesson/resnet_layers.hpp"

#include <optional>
#include <string>

namespace lanes {

class ResidualLesson {
public:
    // Draws the 40 labelled plates, once, and loads the pretrained network.
    ResidualLesson();
    ResidualLesson(const ResidualLesson&) = delete;
    ResidualLesson& operator=(const ResidualLesson&) = delete;

    static void show_im2col() { resnet::im2col_picture(); }
    static void show_block() { resnet::block_picture(); }

    // Each throws Error if the student's result and the library's differ.
    //
    // The first layer on a plate, and the cost of all convolutions. Returns how many times as many
    // numbers the matrix of patches has as the image.
    double compare_conv1(const resnet::Im2col& im2col,
                         const resnet::Convolution& convolution) const;
    // The first normalisation in both modes. The second table is about the whole network, frozen.
    void compare_norms(const resnet::BatchNorm& batch_norm) const;
    void compare_blocks(const resnet::Block& residual_block);

    // An epoch with 0, 1, 2 and 4 workers. Returns how long the device is idle without any, in
    // percent. recorded: the name of a recorded table.
    double show_workers(const std::string& recorded);
    // That epoch with two workers beside the project's.
    void show_devices(const std::string& recorded) const;
    static void show_amdahl(const resnet::AmdahlShare& amdahl_share);

private:
    Device device_;
    ImageFolder pictures_;
    ResNet net_;
    std::optional<double> epoch_seconds_;  // with two workers
};

}  // namespace lanes
