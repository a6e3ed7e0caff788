#include "lanes/lesson/augmentation.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/mlp/network.hpp"
#include "lanes/mlp/worker.hpp"
#include "lanes/notebook/display.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <string>

namespace lanes {

namespace {

Matrix image_of(const Matrix& x, std::size_t i) {
    Matrix image = Matrix::from_shape({28, 28});
    std::copy_n(x.data() + i * image.size(), image.size(), image.data());
    return image;
}

}  // namespace

void AugmentationLesson::show_bilinear() const {
    Drawing drawing(560, 220);
    const std::array<const char*, 4> names{"image(top, left)", "image(top, left + 1)",
                                           "image(top + 1, left)", "image(top + 1, left + 1)"};
    for (std::size_t i = 0; i < 4; ++i) {
        const double x = i % 2 == 0 ? 150 : 410, y = i < 2 ? 50 : 180;
        drawing.circle(x, y, 8, {"#cfe5f3"}).text(x, y + (i < 2 ? -24 : 24), names.at(i));
    }
    drawing.line(158, 50, 402, 50).line(158, 180, 402, 180);
    drawing.line(150, 58, 150, 172).line(410, 58, 410, 172);
    drawing.circle(236, 132, 6, {"#E69F00"});
    drawing.arrow(150, 132, 228, 132).text(190, 118, "right");
    drawing.arrow(236, 50, 236, 124).text(264, 90, "down");
    drawing.text(300, 140, "(row, column)");
    drawing.show("a position between four pixels, right and down from the upper left one");
}

void AugmentationLesson::show_worker_flow() const {
    Drawing flow(680, 250);
    flow.rectangle(20, 75, 110, 60, {"#d5edd9"}).text(75, 105, "network");
    flow.rectangle(180, 75, 110, 60, {"#fde7c8"}).text(235, 105, "jobs");
    flow.rectangle(540, 75, 110, 60, {"#fde7c8"}).text(595, 105, "result");
    flow.arrow(130, 105, 178, 105).text(154, 92, "put");
    for (int i = 0; i < 3; ++i) {
        const double y = 25 + 60 * i;
        flow.rectangle(360, y, 110, 40, {"#cfe5f3"});
        flow.text(415, y + 20, "worker " + std::to_string(i + 1));
        flow.arrow(290, 105, 358, y + 20).arrow(470, y + 20, 538, 90 + 15 * i);
    }
    flow.line(595, 135, 595, 230).line(595, 230, 75, 230).arrow(75, 230, 75, 137);
    flow.text(335, 216, "batches, in any order: each carries the index of its job");
    flow.show("the network puts jobs, three workers take them and put batches");
}

void AugmentationLesson::show_variants(const Altered& altered) const {
    std::vector<Matrix> images;
    std::vector<std::string> titles;
    const auto add = [&](const Matrix& image, const std::string& title) {
        images.push_back(image);
        titles.push_back(title);
    };
    for (int i = -3; i <= 3; ++i)
        add(altered(12 * i, 0, 0, 0, 0), std::to_string(12 * i) + " degrees");
    for (int i = -3; i <= 3; ++i) add(altered(0, 2 * i, 0, 0, 0), std::to_string(2 * i) + " left");
    for (int i = 0; i < 7; ++i) add(altered(0, 0, 0, 0.08 * i, 0), "noise " + compact(0.08 * i));
    for (int i = -3; i <= 3; ++i) add(altered(0, 0, 0, 0, 0.12 * i), "tilt " + compact(0.12 * i));
    show_images(images, titles, 7);
}

double AugmentationLesson::show_making_time(const ProcessImage& process) const {
    const Dataset& images = data.train;
    const double making = seconds_per_call(1, [&] {
        Rng rng(3);
        for (std::size_t i = 0; i < 4800; ++i)
            process(image_of(images.x, i % images.x.shape(0)), {}, rng);
    });
    TrainingOptions options;
    options.learning_rate(0.1).batch_size(16).batches_per_epoch(300).seed(1);
    NeuralNetwork network({784, 128, 64, 10}, options);
    network.print_epochs(false);
    const double training = seconds_per_call(1, [&] { network.fit(images, 1); });
    const double ratio = making / training;
    std::cout << "Making the images of one epoch takes " << with_unit(making * 1e3, "ms")
              << ", training on them " << with_unit(training * 1e3, "ms") << ".\n"
              << (ratio > 1 ? "Making them costs more than learning from them: workers are worth "
                              "their trouble.\n"
                            : "Making them costs less than learning from them: one worker that "
                              "works ahead would be enough.\n");
    return ratio;
}

namespace spare {

Matrix add_noise(const Matrix& image, double noise, Rng& rng) {
    return lanes::add_noise(image, noise, rng);
}

Matrix process_image(const Matrix& image, const AugmentationBounds& bounds, Rng& rng) {
    return lanes::process_image(image, bounds, rng);
}

Matrix rotate(const Matrix& image, double degrees) { return lanes::rotate(image, degrees); }

Matrix shift(const Matrix& image, int dx, int dy) { return lanes::shift(image, dx, dy); }

Matrix skew(const Matrix& image, double tilt) { return lanes::skew(image, tilt); }

std::vector<ImageBatch> make_all(const std::vector<BatchJob>& given, int workers,
                                 const Dataset& images, AugmentationBounds bounds,
                                 std::uint64_t seed) {
    LANES_REQUIRE(workers > 0, "make_all: ", workers, " workers. Start at least one.");
    Worker::Jobs jobs;
    PipeQueue<std::string> result;
    std::vector<std::unique_ptr<Worker>> started;
    for (int i = 0; i < workers; ++i) {
        started.push_back(std::make_unique<Worker>(jobs, result, images, bounds, seed));
        started.back()->start();
    }
    for (const BatchJob& job : given) jobs.put(job);
    jobs.close();
    std::vector<ImageBatch> batches(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        ImageBatch batch = batch_of(result.get());
        LANES_REQUIRE(batch.index < batches.size(), "make_all: a job has the index ", batch.index,
                      ". Number ", batches.size(), " jobs from 0.");
        batches[batch.index] = std::move(batch);
    }
    for (auto& worker : started) worker->join();
    return batches;
}

}  // namespace spare

}  // namespace lanes
