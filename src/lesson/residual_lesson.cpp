#include "lanes/lesson/residual_lesson.hpp"

#include "lanes/base/error.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/lesson/plates_training.hpp"
#include "lanes/lesson/spare_transfer.hpp"
#include "lanes/notebook/table.hpp"

#include <iostream>

namespace lanes {

ResidualLesson::ResidualLesson()
    : device_(plates::device()),
      pictures_(plates::prepare(0) + "/train", transforms::evaluation()),
      net_(plates::pretrained()) {
    net_.eval();
}

double ResidualLesson::compare_conv1(const resnet::Im2col& im2col,
                                     const resnet::Convolution& convolution) const {
    Rng rng(9);
    const Tensor plate = pictures_.get(5, rng).first;  // (3, 224, 224)
    const double ratio = resnet::compare_conv1(net_, plate, answer_or(im2col, spare::im2col),
                                               answer_or(convolution, spare::convolution));
    std::cout << "All convolutions of ResNet-18, one picture: "
              << with_unit(1e-9 * resnet::flop(), "GFLOP") << '\n';
    return ratio;
}

void ResidualLesson::compare_norms(const resnet::BatchNorm& batch_norm) const {
    resnet::compare_norms(net_, answer_or(batch_norm, spare::batch_norm));
    resnet::show_modes(pictures_);
}

void ResidualLesson::compare_blocks(const resnet::Block& residual_block) {
    resnet::compare_blocks(net_, answer_or(residual_block, spare::residual_block));
}

double ResidualLesson::show_workers(const std::string& recorded) {
    const resnet::EpochTimes epoch = resnet::show_workers(net_, pictures_, device_, recorded);
    epoch_seconds_ = epoch.with_workers;
    return 100 * epoch.idle;
}

void ResidualLesson::show_devices(const std::string& recorded) const {
    LANES_REQUIRE(epoch_seconds_, "show_devices: no epoch was measured. Call show_workers first.");
    resnet::show_devices(*epoch_seconds_, recorded);
}

void ResidualLesson::show_amdahl(const resnet::AmdahlShare& amdahl_share) {
    resnet::amdahl_table(answer_or(amdahl_share, spare::amdahl_share));
}

}  // namespace lanes
