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

std::string size_of(const Matrix& image) {
    return std::to_string(image.shape(0)) + "x" + std::to_string(image.shape(1));
}

void judge_image(Judge& judge, const Matrix& image, const Matrix& expected, const About& about,
                 const std::function<Matrix(const Matrix&)>& answer) {
    const Matrix before = image;  // NOLINT(performance-unnecessary-copy-initialization): an answer
                                  // may write into it all the same
    const Matrix got =
        notebook::call_with_guard_blocks(judge, image.size(), [&] { return answer(image); });
    judge.require(image == before, "the image that it was given has changed.",
                  "Write into a new matrix: the training images are needed again as they are.");
    if (got.shape() == expected.shape())
        judge.require(std::none_of(got.begin(), got.end(), [](float x) { return std::isnan(x); }),
                      "some pixels were never written.",
                      "A fresh matrix holds what was in memory before. Begin with "
                      "xt::zeros<float>({rows, columns}): black.");
    judge.same(values_of(got), values_of(expected), about);
}

}  // namespace lanes::exercises::image_check
