#include "lanes/lesson/pipelines_lesson.hpp"

#include "../error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace {

using lanes::NeuralNetwork;
using lanes_test::error_of;

std::string printed(const std::function<void()>& call) {
    testing::internal::CaptureStdout();
    try {
        call();
    } catch (...) {
        testing::internal::GetCapturedStdout();
        throw;
    }
    return testing::internal::GetCapturedStdout();
}

bool holds(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

lanes::Dataset images(std::size_t count, std::uint64_t seed) {
    lanes::Rng rng(seed);
    lanes::Dataset made{xt::zeros<float>({count, std::size_t{16}}),
                        xt::zeros<float>({count, std::size_t{2}})};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t pixel = 0; pixel < 16; ++pixel)
            made.x(i, pixel) = static_cast<float>(rng.uniform(0, 1));
        made.y(i, made.x(i, 0) > 0.5F) = 1;
    }
    return made;
}

lanes::TrainingOptions options_with(std::uint64_t seed) {
    return lanes::TrainingOptions().batches_per_epoch(3).seed(seed);
}

class PipelinesLesson : public testing::Test {
protected:
    lanes::SplitDataset data{images(64, 1), images(40, 2), images(40, 3)};
    lanes::PipelinesLesson lesson{data, {16, 6, 2}, options_with, 2, 2};
};

struct LikeTheLibrarys : lanes::AugmentedNetwork {
    using AugmentedNetwork::AugmentedNetwork;
    void fit(const lanes::Dataset& training, std::size_t epochs, int workers) {
        set_num_workers(workers);
        AugmentedNetwork::fit(training, epochs);
    }
};

struct DependsOnWorkers : NeuralNetwork {
    using NeuralNetwork::NeuralNetwork;
    void fit(const lanes::Dataset& training, std::size_t epochs, int workers) {
        for (int i = 0; i < workers; ++i) NeuralNetwork::fit(training, epochs);
    }
};

struct Missing : NeuralNetwork {
    using NeuralNetwork::NeuralNetwork;
    void fit(const lanes::Dataset&, std::size_t, int) {
        throw lanes::NotFilledIn("Fill in fit: eight lines.");
    }
};

struct CountingWorker : lanes::Worker {
    using Worker::Worker;
    lanes::Matrix process_image(const lanes::Matrix& image, lanes::Rng&) const override {
        ++made;
        return image;
    }
    inline static std::atomic<int> made = 0;  // by threads: a process counts its own
};

TEST_F(PipelinesLesson, ComparesTheStudentsNetworkWithTheLibrarys) {
    EXPECT_TRUE(holds(error_of([&] { lesson.compare_weights(); }), "use_network first"));
    lesson.use_network<LikeTheLibrarys, lanes::Worker>();
    EXPECT_EQ(printed([&] { lesson.compare_weights(); }), "the same weights\n");
    lesson.use_network<LikeTheLibrarys, CountingWorker>();
    EXPECT_EQ(printed([&] { lesson.compare_weights(); }), "other weights\n");
    lesson.use_network<DependsOnWorkers, lanes::Worker>();
    EXPECT_EQ(printed([&] { lesson.compare_weights(); }), "other weights\n");
}

TEST_F(PipelinesLesson, SaysThatANetworkIsMissing) {
    lesson.use_network<Missing, lanes::Worker>();
    EXPECT_EQ(printed([&] { lesson.compare_weights(); }),
              "fit is not filled in yet: this uses the library's version.\nthe same weights\n");
}

TEST_F(PipelinesLesson, ComparesTheWeightsOfAllNumbersOfWorkers) {
    int asked = 0;
    const auto two = [&] {
        ++asked;
        return 2;
    };
    EXPECT_TRUE(holds(error_of([&] { lesson.show_workers(two); }), "use_network first"));
    EXPECT_EQ(asked, 0);
    double gain = 0;
    lesson.use_network<LikeTheLibrarys, lanes::Worker>();
    EXPECT_TRUE(holds(printed([&] { gain = lesson.show_workers(two); }), "\nequal weights"));
    EXPECT_EQ(asked, 1);
    EXPECT_GT(gain, 0);
    lesson.use_network<DependsOnWorkers, lanes::Worker>();
    EXPECT_TRUE(holds(printed([&] { lesson.show_workers(two); }), "\ndifferent weights"));
}

TEST_F(PipelinesLesson, RecordsTheStudentsPrefetch) {
    std::size_t calls = 0;
    const auto own = [&](const auto& given, std::size_t ahead, const auto&... others) {
        ++calls;
        EXPECT_EQ(ahead, 8U);
        lanes::spare::prefetch(given, ahead, others...);
    };
    const auto same = [](const lanes::Matrix& image, const auto&, auto&) { return image; };
    std::string text;
    text = printed([&] { EXPECT_GT(lesson.show_timeline(same, own), 0); });
    EXPECT_TRUE(holds(text, "Your prefetch, 8 jobs ahead")) << text;
    EXPECT_GT(calls, 0U);
}

TEST_F(PipelinesLesson, TimesTheStudentsWorkerInEachPipeline) {
    CountingWorker::made = 0;
    const std::string text =
        printed([&] { lesson.show_pipelines<CountingWorker>([] { return 2; }, "my_process"); });
    EXPECT_GT(CountingWorker::made, 0);
    EXPECT_TRUE(holds(text, " my_process  the library's worker")) << text;
    for (const char* name : {"whole epoch", "pipeline", "shared ring", "threads"})
        EXPECT_TRUE(holds(text, std::string("\n") + name)) << name << '\n' << text;
}

TEST_F(PipelinesLesson, TrainsOneNetworkPerSeed) {
    EXPECT_TRUE(holds(error_of([&] { lesson.show_epochs(); }), "show_epochs: the plain"));
    EXPECT_TRUE(holds(printed([&] { lesson.show_test(); }), "Without the plain and the aug"));
    EXPECT_TRUE(holds(printed([&] { lesson.train_plain(); }), "plain network: 2 of 2"));
    EXPECT_TRUE(holds(error_of([&] { lesson.show_overfitting(); }), "train_augmented"));
    printed([&] { lesson.train_augmented(); });
    EXPECT_TRUE(holds(printed([&] { lesson.show_epochs(); }), "seeds: 2"));

    NeuralNetwork first({16, 6, 2}, options_with(1));
    first.print_epochs(false);
    first.fit(data.train, 2);
    double training_accuracy = 0;
    const std::string text = printed([&] { training_accuracy = lesson.show_overfitting(); });
    EXPECT_EQ(training_accuracy, first.accuracy(data.train));
    EXPECT_TRUE(holds(text, "accuracy after 2 epochs, mean ± standard deviation of 2 seeds"));
}

TEST_F(PipelinesLesson, ComparesAScheduleWithTheDefaultBounds) {
    std::vector<std::size_t> epochs;
    const auto as_default = [&](std::size_t epoch) {
        epochs.push_back(epoch);
        return lanes::AugmentationBounds();
    };
    EXPECT_TRUE(holds(error_of([&] { lesson.compare_schedule(as_default); }), "train_plain"));
    printed([&] {
        lesson.train_plain();
        lesson.train_augmented();
    });
    const auto difference = [&](const lanes::PipelinesLesson::Schedule& schedule) {
        lanes::PairedDifference found;
        printed([&] { found = lesson.compare_schedule(schedule); });
        return found;
    };
    EXPECT_EQ(difference(as_default).mean, 0);
    EXPECT_EQ(difference(as_default).pairs, 2U);
    EXPECT_EQ(*std::min_element(epochs.begin(), epochs.end()), 1U);
    EXPECT_EQ(*std::max_element(epochs.begin(), epochs.end()), 2U);
    const auto tested = [&] { return printed([&] { lesson.show_test(); }); };
    EXPECT_TRUE(holds(tested(), "\nschedule "));
    EXPECT_FALSE(holds(tested(), "Without"));
    const auto missing = [](std::size_t) -> lanes::AugmentationBounds {
        throw lanes::NotFilledIn("Fill in schedule.");
    };
    EXPECT_TRUE(holds(error_of([&] { difference(missing); }), "Fill in schedule"));
    EXPECT_FALSE(holds(tested(), "\nschedule "));
    EXPECT_TRUE(holds(tested(), "Without a row for your schedule: fill in schedule"));
}

TEST_F(PipelinesLesson, CallsTheStudentsAccuracyWithThreeSeeds) {
    const lanes::AugmentationBounds bounds{45, 3, 0.06, 0.3};
    const auto own = [&](const lanes::AugmentationBounds& given, std::uint64_t seed) {
        EXPECT_EQ(given.degrees, 45);
        return 0.1 * static_cast<double>(seed);
    };
    const std::vector<double> found = lesson.accuracies<lanes::Worker>(own, bounds);
    ASSERT_EQ(found.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], 0.1 * (i + 1.0), 1e-12);

    const auto missing = [](const auto&, std::uint64_t) -> double {
        throw lanes::NotFilledIn("Fill in accuracy_with: six lines.");
    };
    std::vector<double> librarys;
    const std::string said =
        printed([&] { librarys = lesson.accuracies<lanes::Worker>(missing, bounds); });
    EXPECT_TRUE(holds(said, "accuracy_with is not filled in yet: this uses the library's version"));
    EXPECT_TRUE(holds(said, "training, network: 3 of 3")) << said;
    EXPECT_EQ(librarys[1], lanes::spare::accuracy_with<lanes::Worker>(data, {16, 6, 2},
                                                                      options_with(2), 2, bounds));
}

TEST(Greys, OfKnownImages) {
    using lanes::Matrix;
    const auto greys = [](const lanes::ProcessImage& process) {
        return lanes::PipelinesLesson::greys(process, {0, 0, 0.2, 0});
    };
    const auto same = greys([](const Matrix& image, const auto&, auto&) { return image; });
    EXPECT_EQ(same.darkest, 0.5F);
    EXPECT_EQ(same.brightest, 0.5F);
    EXPECT_EQ(same.black, 0);
    const auto changed = greys([](Matrix image, const auto& bounds, auto&) {
        image(0, 0) = 0;
        image(1, 1) += static_cast<float>(bounds.noise);
        return image;
    });
    EXPECT_FLOAT_EQ(changed.brightest, 0.7F);
    EXPECT_EQ(changed.darkest, 0.5F);
    EXPECT_EQ(changed.black, 20);  // one for each image
}

}  // namespace
