#include "lanes/mlp/augment.hpp"

#include "augment_loops.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lanes {

namespace {

using augment::Shape;

constexpr double most_degrees =
    1e6;  // larger angles have too few digits left for a fraction of a turn

void require_angle(double degrees) {
    LANES_REQUIRE(std::abs(degrees) <= most_degrees, "rotate: an angle of ", degrees,
                  " degrees. Give a number between -360 and 360.");
}

void require_noise(double noise) {
    LANES_REQUIRE(noise >= 0 && noise <= 1, "add_noise: noise ", noise,
                  ". Give a number from 0 to 1.");
}

void require_tilt(double tilt) {
    LANES_REQUIRE(std::isfinite(tilt), "skew: a tilt of ", tilt, ". Give a number, such as 0.1.");
}

template <class Loop>
Matrix on_image(const Matrix& image, const Loop& loop) {
    Matrix out(image.shape());
    if (image.size() > 0) loop(image.data(), out.data(), Shape{image.shape(0), image.shape(1)});
    return out;
}

// arguments: one per image, or one for all.
template <class T>
const T& of_image(const std::vector<T>& arguments, std::size_t i) {
    return arguments[arguments.size() == 1 ? 0 : i];
}

template <class T>
void require_one_each(const char* operation, const Tensor3& images,
                      const std::vector<T>& arguments) {
    LANES_REQUIRE(arguments.size() == 1 || arguments.size() == images.shape(0), operation, ": ",
                  arguments.size(), " arguments for ", images.shape(0),
                  " images. Give one per image, or one for all.");
}

template <class Loop>
Tensor3 on_batch(const Tensor3& images, const Loop& loop) {
    Tensor3 out(images.shape());
    const Shape shape{images.shape(1), images.shape(2)};
    for (std::size_t i = 0; shape.size() > 0 && i < images.shape(0); ++i)
        loop(images.data() + i * shape.size(), out.data() + i * shape.size(), shape, i);
    return out;
}

// Memory for the image between two operators, reused by the next call.
float* scratch_image(Shape shape) {
    thread_local std::vector<float> pixels;
    pixels.resize(shape.size());
    return pixels.data();
}

}  // namespace

Matrix rotate(const Matrix& image, double degrees) {
    require_angle(degrees);
    return on_image(image, [&](const float* from, float* to, Shape shape) {
        augment::rotate(from, to, shape, degrees);
    });
}

Tensor3 rotate(const Tensor3& images, const std::vector<double>& degrees) {
    require_one_each("rotate", images, degrees);
    for (const double angle : degrees) require_angle(angle);
    return on_batch(images, [&](const float* from, float* to, Shape shape, std::size_t i) {
        augment::rotate(from, to, shape, of_image(degrees, i));
    });
}

Matrix shift(const Matrix& image, int dx, int dy) {
    return on_image(image, [&](const float* from, float* to, Shape shape) {
        augment::shift(from, to, shape, dx, dy);
    });
}

Tensor3 shift(const Tensor3& images, const std::vector<int>& dx, const std::vector<int>& dy) {
    require_one_each("shift, dx", images, dx);
    require_one_each("shift, dy", images, dy);
    return on_batch(images, [&](const float* from, float* to, Shape shape, std::size_t i) {
        augment::shift(from, to, shape, of_image(dx, i), of_image(dy, i));
    });
}

Matrix shift_subpixel(const Matrix& image, double dx, double dy) {
    LANES_REQUIRE(std::isfinite(dx) && std::isfinite(dy), "shift_subpixel: by ", dx, " and ", dy,
                  " cells. Give two numbers, such as 0.5.");
    return on_image(image, [&](const float* from, float* to, Shape shape) {
        augment::shift_subpixel(from, to, shape, dx, dy);
    });
}

template <class Random, EnableForRng<Random>>
Matrix add_noise(const Matrix& image, double noise, Random& rng) {
    require_noise(noise);
    return on_image(image, [&](const float* from, float* to, Shape shape) {
        std::copy_n(from, shape.size(), to);
        augment::add_noise(to, shape, noise, rng);
    });
}

Tensor3 add_noise(const Tensor3& images, const std::vector<double>& noise, Rng& rng) {
    require_one_each("add_noise", images, noise);
    for (const double most : noise) require_noise(most);
    return on_batch(images, [&](const float* from, float* to, Shape shape, std::size_t i) {
        std::copy_n(from, shape.size(), to);
        augment::add_noise(to, shape, of_image(noise, i), rng);
    });
}

Matrix skew(const Matrix& image, double tilt) {
    require_tilt(tilt);
    return on_image(image, [&](const float* from, float* to, Shape shape) {
        augment::skew(from, to, shape, tilt);
    });
}

Tensor3 skew(const Tensor3& images, const std::vector<double>& tilt) {
    require_one_each("skew", images, tilt);
    for (const double each : tilt) require_tilt(each);
    return on_batch(images, [&](const float* from, float* to, Shape shape, std::size_t i) {
        augment::skew(from, to, shape, of_image(tilt, i));
    });
}

void process_image(const float* image, float* out, std::size_t rows, std::size_t columns,
                   const AugmentationBounds& bounds, Rng& rng) {
    require_angle(bounds.degrees);
    require_noise(bounds.noise);
    require_tilt(bounds.tilt);
    LANES_REQUIRE(bounds.cells >= 0 && bounds.cells <= 1e6, "process_image: shifts by up to ",
                  bounds.cells, " cells. Give 0 or more.");
    const Shape shape{rows, columns};
    if (shape.size() == 0) return;
    const auto either_way = [&](double most) {
        return rng.uniform(-std::abs(most), std::abs(most));
    };
    const double degrees = either_way(bounds.degrees);
    if (bounds.subpixel) {
        const double dx = either_way(bounds.cells);
        const double dy = either_way(bounds.cells);
        augment::rotate_shift_and_skew_subpixel(image, out, shape, degrees, dx, dy,
                                                either_way(bounds.tilt));
    } else {
        const auto most = static_cast<std::int64_t>(bounds.cells);
        const auto dx = static_cast<int>(rng.integer(-most, most));
        const auto dy = static_cast<int>(rng.integer(-most, most));
        const double tilt = either_way(bounds.tilt);
        float* const shifted = scratch_image(shape);
        augment::rotate(image, out, shape, degrees);
        augment::shift(out, shifted, shape, dx, dy);
        augment::skew(shifted, out, shape, tilt);
    }
    augment::add_noise(out, shape, bounds.noise, rng);
}

template <class Random, EnableForRng<Random>>
Matrix process_image(const Matrix& image, const AugmentationBounds& bounds, Random& rng) {
    return on_image(image, [&](const float* from, float* to, Shape shape) {
        process_image(from, to, shape.rows, shape.columns, bounds, rng);
    });
}

template Matrix add_noise(const Matrix&, double, Rng&);
template Matrix process_image(const Matrix&, const AugmentationBounds&, Rng&);

}  // namespace lanes
