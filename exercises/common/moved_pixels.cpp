#include "moved_pixels.hpp"

#include "lanes/base/rng.hpp"
#include "notebook/exercise/guard_blocks.hpp"

#include <array>

namespace lanes::exercises::image_check {

using notebook::About;
using notebook::Judge;
using notebook::values_of;

Matrix picture(std::size_t rows, std::size_t columns) {
    Matrix image(std::array<std::size_t, 2>{rows, columns});
    Rng(24).split(rows * 1000 + columns).fill_uniform(image.data(), image.size(), 0.1f, 1);
    return image;
}

std::string words(std::size_t rows, std::size_t columns) {
    return std::to_string(rows) + "x" + std::to_string(columns);
}

void judge_image(Judge& judge, const Matrix& image, const Trial& trial) {
    const Matrix before = image;  // NOLINT(performance-unnecessary-copy-initialization): an answer
                                  // may write into it by a cast
    const Matrix got = notebook::call_with_guard_blocks(judge, image.size(), trial.call);
    judge.require(image == before, "the image that it was given has changed.",
                  "Write into a new matrix: the training images are needed again as they are.");
    if (got.shape() == trial.expected.shape())
        judge.require(std::none_of(got.begin(), got.end(), [](float x) { return std::isnan(x); }),
                      "some pixels were never written.",
                      "A fresh matrix holds what was in memory before. Begin with "
                      "xt::zeros<float>({rows, columns}): black.");
    About about;
    about.tolerance = trial.tolerance;
    about.known = trial.mistakes;
    judge.same(values_of(got), values_of(trial.expected), about);
}

}  // namespace lanes::exercises::image_check
