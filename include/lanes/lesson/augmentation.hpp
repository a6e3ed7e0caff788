// Drawings and measurements of the lessons on augmentation, and the library's version of what
// students write there. Introduced in the notebook 04a_augmentation.
//
//   const lanes::AugmentationLesson lesson;
//   lesson.show_worker_flow();
//   const lanes::Dataset& images = lesson.data.train;
//   lanes::BatchJob job{0, {3, 7}, lanes::rows_of(images, {3, 7}).y, {}};
//   const auto batches = lanes::spare::make_all({job}, 2, images, {}, 1);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/mlp/augment.hpp"
#include "lanes/mlp/batch_job.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace lanes {

using Altered = std::function<Matrix(double degrees, int left, int up, double noise, double tilt)>;
using ProcessImage =
    std::function<Matrix(const Matrix& image, const AugmentationBounds& bounds, Rng& rng)>;

// The images of the lesson, and what it shows of them.
struct AugmentationLesson {
    SplitDataset data = load_mnist(MnistSplit::assignment_2);

    // A position between four pixels, and its distances from the upper left one.
    void show_bilinear() const;
    // Four rows of images: angles, shifts, noise, tilts.
    void show_variants(const Altered& altered) const;
    // Times making the images of one epoch, 4,800, against the training on them, and says what
    // follows. Returns making / training.
    double show_making_time(const ProcessImage& process) const;
    // Network, jobs, three workers, results.
    void show_worker_flow() const;
};

namespace spare {

// The operators, each with one signature, so that it can be passed as a function.
Matrix add_noise(const Matrix& image, double noise, Rng& rng);
Matrix process_image(const Matrix& image, const AugmentationBounds& bounds, Rng& rng);
Matrix rotate(const Matrix& image, double degrees);
Matrix shift(const Matrix& image, int dx, int dy);
Matrix skew(const Matrix& image, double tilt);

// The batches of the jobs, in their order; job i has index i.
std::vector<ImageBatch> make_all(const std::vector<BatchJob>& given, int workers,
                                 const Dataset& images, AugmentationBounds bounds,
                                 std::uint64_t seed);

}  // namespace spare

}  // namespace lanes
