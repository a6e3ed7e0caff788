#include "lanes/mlp/worker.hpp"

#include "lanes/base/error.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using lanes::BatchJob;
using lanes::Dataset;
using lanes::Matrix;
using lanes::Worker;

Dataset random_images(std::size_t count, std::size_t side) {
    lanes::Rng rng(4);
    Dataset data{xt::zeros<float>({count, side * side}),
                 xt::zeros<float>({count, std::size_t{10}})};
    rng.fill_uniform(data.x.data(), data.x.size(), 0, 1);
    for (std::size_t i = 0; i < count; ++i) data.y(i, i % 10) = 1;
    return data;
}

BatchJob job_of(const Dataset& data, std::uint64_t index, std::vector<std::uint64_t> images) {
    const std::vector<std::size_t> rows(images.begin(), images.end());
    return {index, std::move(images), lanes::rows_of(data, rows).y};
}

TEST(Worker, MakesBatchesOfJobsUntilTheyAreClosed) {
    const Dataset data = random_images(20, 28);
    Worker::Jobs jobs;
    lanes::PipeQueue<std::string> result;
    Worker worker(jobs, result, data, {}, 5);
    worker.start();
    jobs.put(job_of(data, 3, {7, 1}));
    jobs.put(job_of(data, 4, {7, 1}));
    jobs.close();
    const lanes::ImageBatch first = lanes::batch_of(result.get()),
                            second = lanes::batch_of(result.get());
    EXPECT_TRUE(worker.join(10));
    EXPECT_EQ(worker.exit_code(), 0);
    EXPECT_EQ(first.index, 3u);
    EXPECT_EQ(second.index, 4u);
    EXPECT_EQ(first.y, (lanes::rows_of(data, {7, 1}).y));
    EXPECT_EQ(first.x.shape(), (std::array<std::size_t, 2>{2, 784}));
    EXPECT_NE(first.x, (lanes::rows_of(data, {7, 1}).x));
    EXPECT_NE(first.x, second.x);  // other random numbers for the same images
    lanes::Rng rng = lanes::Rng(5).split(3).split(1);
    Matrix image(std::array<std::size_t, 2>{28, 28});
    std::copy_n(data.x.data() + 784, 784, image.data());
    const Matrix expected = lanes::process_image(image, {}, rng);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), first.x.data() + 784));
}

TEST(Worker, FillsSlotsOfARingWithTheSameBatches) {
    const Dataset data = random_images(20, 28);
    Worker::Jobs jobs;
    lanes::PipeQueue<std::string> result;
    lanes::SharedRing ring(2, 2 * (784 + 10) * sizeof(float));
    Worker into_queue(jobs, result, data, {}, 5);
    jobs.put(job_of(data, 6, {9, 2}));
    into_queue.start();
    const lanes::ImageBatch batch = lanes::batch_of(result.get());
    Worker::Jobs more;
    Worker into_ring(more, ring, data, {}, 5);
    into_ring.start();
    more.put(job_of(data, 6, {9, 2}));
    const auto slot = ring.get(20);
    more.close();
    EXPECT_TRUE(into_ring.join(10));
    ASSERT_TRUE(slot);
    EXPECT_EQ(slot->tag(), 6u);
    ASSERT_EQ(slot->size(), (batch.x.size() + batch.y.size()) * sizeof(float));
    EXPECT_TRUE(std::equal(batch.x.begin(), batch.x.end(), slot->data<float>()));
    EXPECT_TRUE(std::equal(batch.y.begin(), batch.y.end(), slot->data<float>() + batch.x.size()));
}

TEST(Worker, AJobMayHaveBoundsOfItsOwn) {
    const Dataset data = random_images(3, 6);
    Worker::Jobs jobs;
    lanes::PipeQueue<std::string> result;
    Worker worker(jobs, result, data);
    worker.start();
    BatchJob job = job_of(data, 0, {2});
    job.bounds = lanes::AugmentationBounds{0, 0, 0, 0};
    jobs.put(job);
    EXPECT_EQ(lanes::batch_of(result.get()).x, lanes::rows_of(data, {2}).x);
}

class Inverting : public Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix& image, lanes::Rng&) const override { return 1 - image; }
};

class Cutting : public Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix&, lanes::Rng&) const override { return Matrix{{1}}; }
};

TEST(Worker, MayProcessImagesInOnesOwnWay) {
    const Dataset data = random_images(5, 6);
    Worker::Jobs jobs;
    lanes::PipeQueue<std::string> result;
    Inverting worker(jobs, result, data);
    worker.start();
    jobs.put(job_of(data, 0, {3}));
    const lanes::ImageBatch batch = lanes::batch_of(result.get());
    for (std::size_t i = 0; i < 36; ++i) EXPECT_EQ(batch.x(0, i), 1 - data.x(3, i));
}

class Showing : public Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix& image, lanes::Rng&) const override {
        return 0 * image + static_cast<float>(bounds().degrees);
    }
};

TEST(Worker, TellsAProcessImageOfOnesOwnTheBoundsOfTheJob) {
    const Dataset data = random_images(3, 6);
    Worker::Jobs jobs;
    lanes::PipeQueue<std::string> result;
    Showing worker(jobs, result, data, {30, 0, 0, 0, true});
    worker.start();
    BatchJob with = job_of(data, 0, {2}), without = job_of(data, 1, {2});
    with.bounds = lanes::AugmentationBounds{7, 0, 0, 0};
    jobs.put(with);
    jobs.put(without);
    EXPECT_EQ(lanes::batch_of(result.get()).x(0, 0), 7);
    EXPECT_EQ(lanes::batch_of(result.get()).x(0, 0), 30);
}

TEST(Worker, SaysWhatIsWrong) {
    const Dataset data = random_images(5, 6);
    Dataset odd{xt::zeros<float>({3, 35}), xt::zeros<float>({3, 10})};
    Worker::Jobs jobs;
    lanes::PipeQueue<std::string> result;
    EXPECT_THROW(Worker(jobs, result, odd), lanes::Error);
    testing::internal::CaptureStderr();
    jobs.put(job_of(data, 0, {3}));
    Cutting cutting(jobs, result, data);
    cutting.start();
    cutting.join();
    EXPECT_NE(cutting.exception_text().find("process_image made (1, 1) of an image (6, 6)"),
              std::string::npos)
        << cutting.exception_text();
    jobs.put({0, {77}, Matrix{{1}}});
    Worker beyond(jobs, result, data);
    beyond.start();
    beyond.join();
    EXPECT_NE(beyond.exception_text().find("asks for image 77 of 5"), std::string::npos)
        << beyond.exception_text();
    testing::internal::GetCapturedStderr();
}

TEST(Worker, HasTheOperatorsOfTheAssignment) {
    const Matrix image{{0, 1}, {0.5f, 0.25f}};
    lanes::Rng rng(1);
    EXPECT_EQ(Worker::rotate(image, 90), lanes::rotate(image, 90));
    EXPECT_EQ(Worker::shift(image, 1, 0), lanes::shift(image, 1, 0));
    EXPECT_EQ(Worker::skew(image, 1), lanes::skew(image, 1));
    EXPECT_EQ(Worker::add_noise(image, 0, rng), image);
}

}  // namespace
