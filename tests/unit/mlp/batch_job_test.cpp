#include "lanes/mlp/batch_job.hpp"

#include "lanes/base/error.hpp"
#include "lanes/parallel/job_queue.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::BatchJob;
using lanes::ImageBatch;
using lanes::Matrix;

TEST(BatchJob, TravelsThroughAJobQueue) {
    lanes::JobQueue<BatchJob> jobs;
    jobs.put({7, {3, 1, 4}, Matrix{{1, 0}, {0, 1}, {1, 0}}});
    const auto job = jobs.get();
    ASSERT_TRUE(job);
    EXPECT_EQ(job->index, 7u);
    EXPECT_EQ(job->images, (std::vector<std::uint64_t>{3, 1, 4}));
    EXPECT_EQ(job->labels, (Matrix{{1, 0}, {0, 1}, {1, 0}}));
    EXPECT_FALSE(job->bounds);
    lanes::AugmentationBounds bounds;
    bounds.tilt = 0.75;
    jobs.put({8, {2}, Matrix{{1}}, bounds});
    EXPECT_EQ(jobs.get()->bounds->tilt, 0.75);
}

TEST(BatchJob, ABatchTravelsThroughQueuesOfBatchesAndOfBytes) {
    const ImageBatch batch{9, Matrix{{1, 2, 3}, {4, 5, 6}}, Matrix{{0}, {1}}};
    lanes::PipeQueue<ImageBatch> queue;
    queue.put(batch);
    const ImageBatch got = queue.get(), again = lanes::batch_of(lanes::to_bytes(batch));
    for (const ImageBatch& each : {got, again}) {
        EXPECT_EQ(each.index, 9u);
        EXPECT_EQ(each.x, batch.x);
        EXPECT_EQ(each.y, batch.y);
    }
}

TEST(BatchJob, ABatchIsMadeAndLookedAtWhereItLies) {
    const ImageBatch batch{9, Matrix{{1, 2, 3}, {4, 5, 6}}, Matrix{{0}, {1}}};
    std::string bytes(1000, 'x');  // left from a larger batch
    float* const x = lanes::begin_batch(bytes, 9, 3, batch.y);
    std::copy(batch.x.begin(), batch.x.end(), x);
    EXPECT_EQ(bytes, lanes::to_bytes(batch));
    const lanes::BatchView view = lanes::view_of(bytes);
    EXPECT_EQ(view.index, 9U);
    EXPECT_EQ(view.images, 2U);
    EXPECT_EQ(view.pixels, 3U);
    EXPECT_EQ(view.classes, 1U);
    EXPECT_EQ(view.x, x);
    EXPECT_EQ(view.y, x + 6);
    EXPECT_EQ(view.y[1], 1.0F);
}

TEST(BatchJob, BytesOfSomethingElseAreRefused) {
    const std::string bytes = lanes::to_bytes({9, Matrix{{1, 2, 3}}, Matrix{{0}}});
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(lanes::batch_of(bytes.substr(0, size)), lanes::Error) << size;
    EXPECT_THROW(lanes::batch_of(std::string(100, 'x')), lanes::Error);
    EXPECT_THROW(lanes::Message<BatchJob>::from(bytes), lanes::Error);
    std::string torn = bytes;
    torn[23] = '\x7f';  // more images than there are bytes
    EXPECT_THROW(lanes::batch_of(torn), lanes::Error);
}

TEST(BatchJob, ImagesAndLabelsMustBeEquallyMany) {
    std::string scratch;
    EXPECT_THROW(lanes::to_bytes({0, Matrix{{1}, {2}}, Matrix{{0}}}), lanes::Error);
    EXPECT_THROW(lanes::Message<BatchJob>::bytes({0, {1, 2}, Matrix{{0}}}, scratch), lanes::Error);
}

}  // namespace
