#include "lanes/data/transforms.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::transforms {

namespace {

std::size_t rounded(double value) { return static_cast<std::size_t>(std::nearbyint(value)); }

CropBox centered(std::size_t rows, std::size_t columns, std::size_t of_rows,
                 std::size_t of_columns) {
    return {(of_rows - rows) / 2, (of_columns - columns) / 2, rows, columns};
}

bool is_range(const std::array<double, 2>& range) {
    return range[0] > 0 && range[0] <= range[1] && std::isfinite(range[1]);
}

}  // namespace

Picture Compose::operator()(Picture picture, Rng& rng) const {
    for (const Transform& transform : transforms_) picture = transform(std::move(picture), rng);
    return picture;
}

RandomResizedCrop::RandomResizedCrop(std::size_t size, std::array<double, 2> scale,
                                     std::array<double, 2> ratio)
    : size_(size), scale_(scale), ratio_(ratio) {
    LANES_REQUIRE(size > 0, "RandomResizedCrop: a size of 0. Give the pixels of a side.");
    LANES_REQUIRE(is_range(scale) && is_range(ratio), "RandomResizedCrop: scale ", scale,
                  ", ratio ", ratio, ". Give two positive numbers each, the smaller one first.");
}

CropBox RandomResizedCrop::draw(std::size_t rows, std::size_t columns, Rng& rng) const {
    const double area = static_cast<double>(rows) * static_cast<double>(columns);
    for (int attempt = 0; attempt < 10; ++attempt) {
        const double target = area * rng.uniform(scale_[0], scale_[1]);
        const double ratio = std::exp(rng.uniform(std::log(ratio_[0]), std::log(ratio_[1])));
        const std::size_t width = rounded(std::sqrt(target * ratio));
        const std::size_t height = rounded(std::sqrt(target / ratio));
        if (width == 0 || height == 0 || width > columns || height > rows) continue;
        const auto top = rng.integer(0, static_cast<std::int64_t>(rows - height));
        const auto left = rng.integer(0, static_cast<std::int64_t>(columns - width));
        return {static_cast<std::size_t>(top), static_cast<std::size_t>(left), height, width};
    }
    const double ratio = static_cast<double>(columns) / static_cast<double>(rows);
    std::size_t width = columns;
    std::size_t height = rows;
    if (ratio < ratio_[0]) height = rounded(static_cast<double>(width) / ratio_[0]);
    if (ratio > ratio_[1]) width = rounded(static_cast<double>(height) * ratio_[1]);
    return centered(std::max<std::size_t>(height, 1), std::max<std::size_t>(width, 1), rows,
                    columns);
}

Picture RandomResizedCrop::operator()(Picture picture, Rng& rng) const {
    const CropBox box = draw(picture.rows(), picture.columns(), rng);
    return picture.crop_and_resize(box, size_, size_);
}

RandomHorizontalFlip::RandomHorizontalFlip(double p) : p_(p) {
    LANES_REQUIRE(p >= 0 && p <= 1, "RandomHorizontalFlip: a probability of ", p,
                  ". Give a number from 0 to 1.");
}

Picture RandomHorizontalFlip::operator()(Picture picture, Rng& rng) const {
    if (rng.uniform() >= p_) return picture;
    ColorImage image = picture.take_pixels();
    const std::size_t columns = image.shape(1);
    for (std::size_t y = 0; y < image.shape(0); ++y) {
        unsigned char* const row = image.data() + 3 * y * columns;
        for (std::size_t x = 0; x < columns / 2; ++x)
            std::swap_ranges(row + 3 * x, row + 3 * x + 3, row + 3 * (columns - 1 - x));
    }
    return image;
}

Resize::Resize(std::size_t shorter_side) : rows_(shorter_side), columns_(0) {
    LANES_REQUIRE(shorter_side > 0, "Resize: to 0 pixels. Give the length of the shorter side.");
}

Resize::Resize(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {
    LANES_REQUIRE(rows > 0 && columns > 0, "Resize: to ", rows, " x ", columns,
                  " pixels. Give at least one pixel.");
}

Picture Resize::operator()(Picture picture, Rng&) const {
    const std::size_t rows = picture.rows();
    const std::size_t columns = picture.columns();
    std::size_t to_rows = rows_;
    std::size_t to_columns = columns_;
    if (columns_ == 0) {
        to_rows = rows <= columns ? rows_ : rows_ * rows / columns;
        to_columns = rows <= columns ? rows_ * columns / rows : rows_;
    }
    if (rows == to_rows && columns == to_columns) return picture;
    return picture.crop_and_resize({0, 0, rows, columns}, to_rows, to_columns);
}

CenterCrop::CenterCrop(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {
    LANES_REQUIRE(rows > 0 && columns > 0, "CenterCrop: ", rows, " x ", columns,
                  " pixels. Give at least one pixel.");
}

Picture CenterCrop::operator()(Picture picture, Rng&) const {
    LANES_REQUIRE(rows_ <= picture.rows() && columns_ <= picture.columns(), "CenterCrop: ", rows_,
                  " x ", columns_, " pixels of a picture of ", picture.rows(), " x ",
                  picture.columns(), " pixels. Resize it first.");
    // torchvision rounds halves to the even number
    const std::size_t top = rounded(static_cast<double>(picture.rows() - rows_) / 2);
    const std::size_t left = rounded(static_cast<double>(picture.columns() - columns_) / 2);
    return picture.crop({top, left, rows_, columns_});
}

Picture ToTensor::operator()(Picture picture, Rng&) const {
    const ColorImage& image = picture.pixels();
    Tensor tensor = Tensor::empty({3, image.shape(0), image.shape(1)});
    const std::size_t pixels = image.shape(0) * image.shape(1);
    const unsigned char* const from = image.data();
    float* const red = tensor.data();
    float* const green = red + pixels;
    float* const blue = green + pixels;
    for (std::size_t i = 0; i < pixels; ++i) {
        red[i] = static_cast<float>(from[3 * i]) / 255.0f;
        green[i] = static_cast<float>(from[3 * i + 1]) / 255.0f;
        blue[i] = static_cast<float>(from[3 * i + 2]) / 255.0f;
    }
    return tensor;
}

Normalize::Normalize(std::vector<float> mean, std::vector<float> deviation)
    : mean_(std::move(mean)), deviation_(std::move(deviation)) {
    const bool positive =
        std::all_of(deviation_.begin(), deviation_.end(), [](float value) { return value > 0; });
    LANES_REQUIRE(mean_.size() == deviation_.size() && positive, "Normalize: means ", mean_,
                  ", standard deviations ", deviation_,
                  ". Give one of each per channel; standard deviations are positive.");
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as all transforms take it
Picture Normalize::operator()(Picture picture, Rng&) const {
    Tensor tensor = picture.tensor().clone();  // the caller may keep the one it gave
    LANES_REQUIRE(tensor.shape(0) == mean_.size(), "Normalize: ", mean_.size(),
                  " means for a picture of ", tensor.shape(0), " channels. Give one per channel.");
    const std::size_t pixels = tensor.size() / mean_.size();
    for (std::size_t channel = 0; channel < mean_.size(); ++channel) {
        const float mean = mean_[channel];
        const float deviation = deviation_[channel];
        float* const values = tensor.data() + channel * pixels;
        for (std::size_t i = 0; i < pixels; ++i) values[i] = (values[i] - mean) / deviation;
    }
    return tensor;
}

Normalize normalize_imagenet() {
    return {{imagenet_mean.begin(), imagenet_mean.end()},
            {imagenet_deviation.begin(), imagenet_deviation.end()}};
}

Compose training(std::size_t size) {
    return {RandomResizedCrop(size), RandomHorizontalFlip(), ToTensor(), normalize_imagenet()};
}

Compose evaluation(std::size_t size) {
    return {Resize(size, size), ToTensor(), normalize_imagenet()};
}

ColorImage to_image(const Tensor& x) {
    LANES_REQUIRE(x.rank() == 3 && x.shape(0) == 3, "to_image: a tensor of shape ", x.shape(),
                  ". Give (3, rows, columns), one image of a batch.");
    const std::size_t rows = x.shape(1);
    const std::size_t columns = x.shape(2);
    const Tensor on_cpu = x.cpu();
    ColorImage image(std::array<std::size_t, 3>{rows, columns, 3});
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const float* const values = std::as_const(on_cpu).data() + channel * rows * columns;
        for (std::size_t i = 0; i < rows * columns; ++i) {
            const float value = values[i] * imagenet_deviation[channel] + imagenet_mean[channel];
            image.data()[3 * i + channel] =
                static_cast<unsigned char>(std::lround(255 * std::clamp(value, 0.0f, 1.0f)));
        }
    }
    return image;
}

}  // namespace lanes::transforms
