#include "moved_pixels.hpp"

#include "lanes/base/rng.hpp"
#include "notebook/exercise/guard_blocks.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

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

namespace {

// Quiet, so that it passes through sums and products; a double keeps its last bits.
constexpr std::uint32_t frame_bits = 0x7fc5a5a5;
constexpr std::ptrdiff_t largest_gap = 16;  // between neighbours: the allocator's own data

bool are_neighbours(const Matrix& first, const Matrix& second) {
    const auto* end = reinterpret_cast<const char*>(first.data() + first.size());
    const std::ptrdiff_t gap = reinterpret_cast<const char*>(second.data()) - end;
    return gap >= 0 && gap <= 2 * largest_gap;
}

void fill_with_frame(float* from, const float* end) {
    for (; from < end; ++from) std::memcpy(from, &frame_bits, sizeof *from);
}

// Whether the pixels that come from the image are all those of `meant`, and are most pixels.
bool agree_inside(const notebook::Values& got, const notebook::Values& meant) {
    if (got.shape != meant.shape) return false;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < got.numbers.size(); ++i) {
        if (FramedImage::is_from_frame(static_cast<float>(got.numbers[i]))) continue;
        if (std::fabs(got.numbers[i] - meant.numbers[i]) > 1e-4) return false;
        ++inside;
    }
    return 2 * inside > got.numbers.size();
}

// An answer may have another mistake, which leads it outside.
std::string words_for_outside(const notebook::Values& got, const Trial& trial) {
    if (!agree_inside(got, values_of(trial.expected)))
        for (const notebook::KnownMistake& mistake : trial.mistakes)
            if (agree_inside(got, mistake.gives)) return mistake.words;
    return trial.if_outside;
}

}  // namespace

// A heap that was used before has holes: later blocks come one after the other.
FramedImage::FramedImage(const Matrix& image) : copies_(200, image) {
    for (std::size_t i = copies_.size() - 2; i > 1; --i)
        if (are_neighbours(copies_[i - 1], copies_[i]) &&
            are_neighbours(copies_[i], copies_[i + 1])) {
            number_ = i;
            break;
        }
    for (const std::size_t i : {number_ - 1, number_, number_ + 1}) {
        float* const start = copies_[i].data();  // the allocator may have given a few bytes more
        fill_with_frame(start + (i == number_ ? image.size() : 0),
                        start + malloc_usable_size(start) / sizeof(float));
    }
}

bool FramedImage::is_from_frame(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7fffffffU) == frame_bits;
}

void judge_image(Judge& judge, const Matrix& image, const Trial& trial) {
    const Matrix before = image;  // NOLINT(performance-unnecessary-copy-initialization): an answer
                                  // may write into it by a cast
    const Matrix got = notebook::call_with_guard_blocks(judge, image.size(), trial.call);
    judge.require(image == before, "the image that it was given has changed.",
                  "Write into a new matrix: the training images are needed again as they are.");
    judge.require(std::none_of(got.begin(), got.end(), FramedImage::is_from_frame),
                  "a pixel of the result holds memory from outside the image.",
                  words_for_outside(values_of(got), trial));
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
