// What happens to an image between its file and the network, with torchvision's names.
//
//   namespace transforms = lanes::transforms;
//   const transforms::Compose for_training{
//       transforms::RandomResizedCrop(224),
//       transforms::RandomHorizontalFlip(),
//       transforms::ToTensor(),
//       transforms::Normalize({0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f}),
//   };
//   lanes::Rng rng(1);
//   const auto file = lanes::Picture::from_file(lanes::data_folder("pictures") + "/coffee.png");
//   const lanes::Tensor x = for_training(file, rng).tensor();  // (3, 224, 224)
//
// A transform is any function from (Picture, Rng&) to Picture, also a lambda. All random numbers
// come from the Rng, so a seed repeats them.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/data/picture.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <vector>

namespace lanes::transforms {

using Transform = std::function<Picture(Picture, Rng&)>;

// One after the other.
class Compose {
public:
    Compose() = default;
    Compose(std::initializer_list<Transform> transforms) : transforms_(transforms) {}
    Picture operator()(Picture picture, Rng& rng) const;

private:
    std::vector<Transform> transforms_;
};

// --- images to images

// A box with a random area and a random ratio of width to height at a random place, resized to
// size x size pixels. scale: of the area, relative to the image.
class RandomResizedCrop {
public:
    explicit RandomResizedCrop(std::size_t size, std::array<double, 2> scale = {0.08, 1},
                               std::array<double, 2> ratio = {3.0 / 4, 4.0 / 3});
    Picture operator()(Picture picture, Rng& rng) const;

    // Draws up to ten boxes, until one fits; else takes the largest possible box at the centre.
    CropBox draw(std::size_t rows, std::size_t columns, Rng& rng) const;

private:
    std::size_t size_;
    std::array<double, 2> scale_;
    std::array<double, 2> ratio_;
};

// Left and right are exchanged with the probability p.
class RandomHorizontalFlip {
public:
    explicit RandomHorizontalFlip(double p = 0.5);
    Picture operator()(Picture picture, Rng& rng) const;

private:
    double p_;
};

// Bilinear with antialiasing. One number: the shorter side gets that length, the other follows.
class Resize {
public:
    explicit Resize(std::size_t shorter_side);
    Resize(std::size_t rows, std::size_t columns);
    Picture operator()(Picture picture, Rng& rng) const;

private:
    std::size_t rows_;
    std::size_t columns_;  // 0: rows_ is the length of the shorter side
};

class CenterCrop {
public:
    explicit CenterCrop(std::size_t size) : CenterCrop(size, size) {}
    CenterCrop(std::size_t rows, std::size_t columns);
    Picture operator()(Picture picture, Rng& rng) const;

private:
    std::size_t rows_;
    std::size_t columns_;
};

// --- images to tensors

// (rows, columns, 3) from 0 to 255 -> (3, rows, columns) from 0 to 1
struct ToTensor {
    Picture operator()(Picture picture, Rng& rng) const;
};

// (x - mean) / deviation, for each channel
class Normalize {
public:
    Normalize(std::vector<float> mean, std::vector<float> deviation);
    Picture operator()(Picture picture, Rng& rng) const;

private:
    std::vector<float> mean_;
    std::vector<float> deviation_;
};

// --- what a course on ImageNet's networks needs

constexpr std::array<float, 3> imagenet_mean{0.485f, 0.456f, 0.406f};
constexpr std::array<float, 3> imagenet_deviation{0.229f, 0.224f, 0.225f};
Normalize normalize_imagenet();

// RandomResizedCrop(size), RandomHorizontalFlip, ToTensor, Normalize
Compose training(std::size_t size = 224);
// Resize(size, size), ToTensor, Normalize: always the same for the same picture
Compose evaluation(std::size_t size = 224);

// The inverse of ToTensor and Normalize, to look at what a network gets: x * deviation + mean,
// clipped to 0 to 1. x: (3, rows, columns)
ColorImage to_image(const Tensor& x);

}  // namespace lanes::transforms
