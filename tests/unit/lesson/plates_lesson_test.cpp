#include "lanes/lesson/plates_lesson.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "lanes/lesson/spare_transfer.hpp"
#include "lanes/tensor/ops.hpp"

#include "../error_of.hpp"
#include "with_photographs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace plates = lanes::plates;
namespace spare = lanes::spare;

using lanes::ColorImage;
using lanes::ImageFolder;
using lanes::NotFilledIn;
using lanes_test::count;
using lanes_test::error_of;
using lanes_test::printed;
using lanes_test::WithPhotographs;

class PlatesLesson : public WithPhotographs {
protected:
    PlatesLesson() {
        said = printed([&] { lesson = std::make_unique<lanes::PlatesLesson>(8, 8); });
    }

    std::unique_ptr<lanes::PlatesLesson> lesson;
    std::string said;
};

ColorImage missing(const ColorImage&, std::size_t, std::size_t, std::size_t, std::size_t, bool) {
    throw NotFilledIn("Fill in crop_and_flip: eight lines.");
}

TEST_F(PlatesLesson, SaysWhatIsLabelled) {
    EXPECT_NE(said.find("6 labelled pictures in 2 classes: cleaned is 0, dirty is 1"),
              std::string::npos);
    EXPECT_EQ(lesson->test_pictures(lanes::transforms::ToTensor()).size(), 8U);
}

TEST_F(PlatesLesson, TheStudentsSplitIsCopied) {
    const auto two = [](const std::vector<std::string>& names, std::size_t) {
        return plates::NameSplit{{names[0]}, {names[1], names[2]}};
    };
    std::string folder;
    printed([&] { folder = lesson->copy_split(two); });
    EXPECT_EQ(ImageFolder(folder + "/train").size(), 2U);
    EXPECT_EQ(ImageFolder(folder + "/val").size(), 4U);
}

// In the same boxes, mirrored in the same cases.
TEST_F(PlatesLesson, RandomPartsAreThoseOfTheLibrarysTransforms) {
    int mirrored = 0;
    const auto counting = [&](const ColorImage& image, std::size_t top, std::size_t left,
                              std::size_t rows, std::size_t columns, bool flip) {
        mirrored += flip ? 1 : 0;
        return spare::crop_and_flip(image, top, left, rows, columns, flip);
    };
    const ImageFolder own = lesson->labelled().with(
        lesson->random_part(counting, spare::resize_rows, spare::normalise));
    const ImageFolder librarys = lesson->labelled().with(lanes::transforms::training());
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        lanes::Rng rng(seed);
        lanes::Rng same(seed);
        // A mirrored picture that is resized differs from a resized one that is mirrored by the
        // rounding of a pixel, 1/255.
        lanes::require_close(own.get(seed % 6, rng).first.to_xtensor<3>(),
                             librarys.get(seed % 6, same).first.to_xtensor<3>(), {0.02, 0});
    }
    EXPECT_GT(mirrored, 0);
    EXPECT_LT(mirrored, 8);
}

TEST_F(PlatesLesson, WholePicturesAreThoseOfTheLibrarysTransforms) {
    const ImageFolder own =
        lesson->labelled().with(lesson->whole_picture(spare::resize_rows, spare::normalise));
    const ImageFolder librarys = lesson->labelled().with(lanes::transforms::evaluation());
    lanes::Rng rng(1);
    lanes::require_close(own.get(3, rng).first.to_xtensor<3>(),
                         librarys.get(3, rng).first.to_xtensor<3>(), {0.02, 0});  // 1/255
}

// The student's functions get the rows of the picture, then its columns as rows.
TEST_F(PlatesLesson, TheStudentsFunctionResizesBothAxes) {
    std::vector<std::size_t> rows;
    const auto watched = [&](const ColorImage& image, std::size_t count) {
        rows.push_back(image.shape(0));
        return spare::resize_rows(image, count);
    };
    lanes::Rng rng(1);
    lesson->labelled().with(lesson->whole_picture(watched, spare::normalise)).get(0, rng);
    EXPECT_EQ(rows, (std::vector<std::size_t>{60, 80}));
}

TEST_F(PlatesLesson, ResizedRowsAreThoseOfTheLibrary) {
    for (const std::size_t size : {1, 9, 30, 59, 60, 61, 200}) {
        lanes::Rng unused(0);
        lanes::Picture picture = lanes::Picture::from_file(lesson->labelled().path(0));
        const ColorImage own = spare::resize_rows(picture.pixels(), size);
        const ColorImage librarys =
            lanes::transforms::Resize(size, 80)(picture, unused).take_pixels();
        ASSERT_EQ(own.shape(), librarys.shape());
        for (std::size_t i = 0; i < own.size(); ++i)
            ASSERT_NEAR(own.data()[i], librarys.data()[i], 1) << size;
    }
}

TEST_F(PlatesLesson, LoadersAreThoseOfTheStudent) {
    const auto threes = [](const ImageFolder& pictures, bool training) {
        return lanes::DataLoader<2>(pictures,
                                    lanes::DataLoaderOptions().batch_size(training ? 3 : 4));
    };
    EXPECT_EQ(lesson->batches(threes, lesson->labelled(), true).options().batch_size(), 3U);
    EXPECT_EQ(lesson->batches(threes, lesson->labelled(), false).options().batch_size(), 4U);
    const auto nobody = [](const ImageFolder&, bool) -> lanes::DataLoader<2> {
        throw NotFilledIn("Fill in make_loader: four lines.");
    };
    const std::string text = printed([&] {
        const auto options = lesson->batches(nobody, lesson->labelled(), true).options();
        EXPECT_EQ(options.batch_size(), 8U);
        EXPECT_EQ(options.num_workers(), 2);
        EXPECT_TRUE(options.shuffle());
    });
    EXPECT_EQ(count(text, "make_loader is not filled in yet"), 1U);
}

TEST_F(PlatesLesson, AMissingAnswerIsSaidAndReplaced) {
    const ImageFolder own =
        lesson->labelled().with(lesson->random_part(missing, spare::resize_rows, spare::normalise));
    const ImageFolder right = lesson->labelled().with(
        lesson->random_part(spare::crop_and_flip, spare::resize_rows, spare::normalise));
    const std::string text = printed([&] {
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            lanes::Rng rng(seed);
            lanes::Rng same(seed);
            EXPECT_EQ(own.get(0, rng).first.to_vector(), right.get(0, same).first.to_vector());
        }
    });
    EXPECT_EQ(count(text, "crop_and_flip is not filled in yet"), 1U);
}

TEST_F(PlatesLesson, TheStudentsLoopTrainsWithTheStudentsRate) {
    lanes::ResNet net = lanes::resnet18(2);
    printed([&] { lesson->freeze(net, spare::freeze_and_replace); });
    EXPECT_EQ(net.parameter_count(true), 1026U);
    lanes::DataLoader<2> batches = lesson->batches(spare::make_loader, lesson->labelled(), false);
    auto optimizer = lesson->optimizer(net.fc.parameters(), spare::adam_step);
    std::vector<double> rates;
    const auto loop = [&](lanes::Module&, lanes::DataLoader<2>&, lanes::DataLoader<2>&,
                          lanes::Optimizer&, const plates::Rate& rate, int num_epochs) {
        rates.clear();
        for (int epoch = 0; epoch < num_epochs; ++epoch) rates.push_back(rate(epoch));
        return std::vector<lanes::TrainedEpoch>(rates.size());
    };
    EXPECT_NE(error_of([&] { lesson->show_training(""); }), "");
    const auto train_with = [&](const plates::Rate& rate) {
        return printed([&] {
            lesson->train(net, batches, batches, optimizer, rate, loop);
            lesson->show_training("");
        });
    };
    train_with([](int epoch) { return 1.0 + epoch; });
    ASSERT_EQ(rates.size(), lanes::Device::has_gpu() ? 100U : 14U);
    EXPECT_EQ(rates[7], 8);
    const std::string text =
        train_with([](int) -> double { throw NotFilledIn("Fill in step_lr: one line."); });
    EXPECT_EQ(count(text, "step_lr is not filled in yet"), 1U);
    EXPECT_DOUBLE_EQ(rates[6], 1e-3);
    EXPECT_DOUBLE_EQ(rates[7], 1e-4);
}

TEST_F(PlatesLesson, TestsWithTheStudentsPredict) {
    EXPECT_NE(error_of([&] { lesson->show_predictions(1); }), "");
    lanes::ResNet net = lanes::resnet18(2);
    const ImageFolder pictures = lesson->test_pictures(lanes::transforms::evaluation());
    const std::vector<int> labels = plates::test_labels("photographs");
    ASSERT_EQ(labels.size(), 8U);
    const auto one_wrong = [&](lanes::Module&, lanes::DataLoader<2>& batches) {
        EXPECT_EQ(batches.size(), 1U);
        plates::Predicted said{xt::zeros<float>({8, 2}), 1};
        for (std::size_t i = 0; i < 8; ++i)
            said.probabilities(i, 1) = (labels[i] == 1) == (i > 0) ? 1.0f : 0.0f;
        return said;
    };
    printed([&] {
        EXPECT_DOUBLE_EQ(lesson->test({{"one", &net}}, pictures, spare::make_loader, one_wrong),
                         87.5);
        lesson->show_predictions(2);
        EXPECT_NE(error_of([&] { lesson->show_times(net, pictures, pictures, ""); }), "");
    });
}

}  // namespace
