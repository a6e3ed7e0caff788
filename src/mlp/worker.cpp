#include "lanes/mlp/worker.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <typeinfo>
#include <utility>

namespace lanes {

namespace {

std::size_t side_of(const Dataset& images) {
    const std::size_t pixels = images.x.shape(1);
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(pixels))));
    LANES_REQUIRE(side > 0 && side * side == pixels, "Worker: images of ", pixels,
                  " pixels, which is not a square number. Give rows such as 784 = 28 x 28.");
    return side;
}

}  // namespace

Worker::Worker(Jobs& jobs, Queue<std::string>& result, const Dataset& images,
               AugmentationBounds bounds, std::uint64_t seed, std::string name)
    : Process(std::move(name)),
      jobs_(jobs),
      queue_(&result),
      images_(images),
      bounds_(bounds),
      current_(bounds),
      seed_(seed),
      side_(side_of(images)) {}

Worker::Worker(Jobs& jobs, SharedRing& result, const Dataset& images, AugmentationBounds bounds,
               std::uint64_t seed, std::string name)
    : Process(std::move(name)),
      jobs_(jobs),
      ring_(&result),
      images_(images),
      bounds_(bounds),
      current_(bounds),
      seed_(seed),
      side_(side_of(images)) {}

Matrix Worker::process_image(const Matrix& image, Rng& rng) const {
    return lanes::process_image(image, current_, rng);
}

// x: (images of the job, pixels)
void Worker::process(const BatchJob& job, float* x) {
    current_ = job.bounds.value_or(bounds_);
    const std::size_t pixels = side_ * side_;
    // A derived worker may have its own process_image; this one needs no temporary arrays.
    const bool own = typeid(*this) != typeid(Worker);
    const Rng of_job = Rng(seed_).split(job.index);
    for (std::size_t i = 0; i < job.images.size(); ++i, x += pixels) {
        LANES_REQUIRE(job.images[i] < images_.size(), "Worker: job ", job.index, " asks for image ",
                      job.images[i], " of ", images_.size(), ". Images are counted from 0.");
        const float* const image = images_.x.data() + job.images[i] * pixels;
        Rng rng = of_job.split(i);
        if (!own) {
            lanes::process_image(image, x, side_, side_, current_, rng);
            continue;
        }
        Matrix original(std::array<std::size_t, 2>{side_, side_});
        std::copy_n(image, pixels, original.data());
        const Matrix processed = process_image(original, rng);
        LANES_REQUIRE(processed.shape() == original.shape(), "Worker: process_image made ",
                      processed.shape(), " of an image ", original.shape(),
                      ". Give an image of the same shape.");
        std::copy_n(processed.data(), pixels, x);
    }
}

void Worker::run_into_queue() {
    std::string bytes;
    while (const auto job = jobs_.get()) {
        process(*job, begin_batch(bytes, job->index, side_ * side_, job->labels));
        queue_->put(bytes);
    }
}

// Claims a slot before it takes a job: the worker with the oldest job then always has a slot, and
// cannot be blocked by workers with later jobs.
void Worker::run_into_ring() {
    while (auto slot = ring_->claim()) {
        const auto job = jobs_.get();
        if (!job) return;
        const std::size_t images = job->images.size() * side_ * side_,
                          bytes = (images + job->labels.size()) * sizeof(float);
        LANES_REQUIRE(bytes <= slot->capacity(), "Worker: a batch of ", bytes,
                      " bytes in a slot of ", slot->capacity(), ". Make the ring's slots larger.");
        process(*job, slot->data<float>());
        std::copy_n(job->labels.data(), job->labels.size(), slot->data<float>() + images);
        slot->publish(bytes, job->index);
    }
}

void Worker::run() { ring_ ? run_into_ring() : run_into_queue(); }

}  // namespace lanes
