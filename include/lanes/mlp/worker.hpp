// The worker process of assignment 2: takes jobs and returns batches of augmented images until the
// queue of jobs is closed. Introduced in lesson 04a_augmentation.
//
//   #include "lanes/parallel.hpp"
//   const auto data = lanes::load_mnist();
//   lanes::JobQueue<lanes::BatchJob> jobs;
//   lanes::PipeQueue<std::string> result;
//   lanes::Worker worker(jobs, result, data.train);
//   worker.start();
//   jobs.put({0, {5, 7}, lanes::rows_of(data.train, {5, 7}).y});
//   jobs.close();
//   const lanes::ImageBatch batch = lanes::batch_of(result.get());
//
// Random numbers depend on the seed, the job's index and the image's position in the job. So the
// images do not depend on which worker does the job, or when.
#pragma once

#include "lanes/data/dataset.hpp"
#include "lanes/mlp/augment.hpp"
#include "lanes/mlp/batch_job.hpp"
#include "lanes/parallel/job_queue.hpp"
#include "lanes/parallel/process.hpp"
#include "lanes/parallel/queue.hpp"
#include "lanes/parallel/shared_ring.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace lanes {

class Worker : public Process {
public:
    using Jobs = JobQueue<BatchJob>;

    // images: square images, one per row; a worker sees them as they are when it starts. jobs,
    // result and images must outlive the worker.
    Worker(Jobs& jobs, Queue<std::string>& result, const Dataset& images,
           AugmentationBounds bounds = {}, std::uint64_t seed = 0, std::string name = "worker");

    // Batches are written into a slot of the ring: the images, then the labels. The tag is the
    // job's index.
    Worker(Jobs& jobs, SharedRing& result, const Dataset& images, AugmentationBounds bounds = {},
           std::uint64_t seed = 0, std::string name = "worker");

    // The operators as members of the class, as the assignment defines them.
    static Matrix rotate(const Matrix& image, double degrees) {
        return lanes::rotate(image, degrees);
    }
    static Matrix shift(const Matrix& image, int dx, int dy) { return lanes::shift(image, dx, dy); }
    static Matrix add_noise(const Matrix& image, double noise, Rng& rng) {
        return lanes::add_noise(image, noise, rng);
    }
    static Matrix skew(const Matrix& image, double tilt) { return lanes::skew(image, tilt); }

    // All operators with random arguments within the bounds. A derived worker may override it.
    virtual Matrix process_image(const Matrix& image, Rng& rng) const;

    void run() override;

protected:
    // Of the current job, for a derived worker's process_image.
    const AugmentationBounds& bounds() const { return current_; }

private:
    void process(const BatchJob& job, float* x);
    void run_into_queue();
    void run_into_ring();

    Jobs& jobs_;
    Queue<std::string>* queue_ = nullptr;
    SharedRing* ring_ = nullptr;
    const Dataset& images_;
    AugmentationBounds bounds_, current_;
    std::uint64_t seed_;
    std::size_t side_;
};

}  // namespace lanes
