#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;
using notebook::Values;
using notebook::values_of;

constexpr int side = 28;
constexpr double middle = 13.5;

struct Case {
    std::string name;
    std::vector<float> degrees;
};

std::string words(const Case& one) { return one.name; }

// Images with a black frame: whether a position on the border is inside depends on rounding.
Matrix images(std::size_t number) {
    Matrix x = xt::zeros<float>({number, std::size_t{side * side}});
    Rng rng = Rng(12).split(number);
    for (std::size_t n = 0; n < number; ++n)
        for (int y = 1; y + 1 < side; ++y)
            for (int column = 1; column + 1 < side; ++column)
                x(n, static_cast<std::size_t>(side * y + column)) =
                    static_cast<float>(rng.uniform(0.1, 1));
    return x;
}

struct Variant {
    double turn = 1;           // -1: clockwise
    bool nearest = false;      // no interpolation
    bool radians = false;      // degrees are taken for radians
    bool first_only = false;   // all blocks rotate the first image
    bool first_angle = false;  // all images by the first angle
    double centre = middle;
    bool swapped = false;  // rows and columns of the weights
};

Values rotated(const Matrix& x, const std::vector<float>& degrees, const Variant& variant = {}) {
    Values result{{x.shape(0), x.shape(1)}, std::vector<double>(x.size())};
    for (std::size_t n = 0; n < x.shape(0); ++n) {
        const double given = degrees[variant.first_angle ? 0 : n];
        const double angle =
            variant.turn * (variant.radians ? given : given * std::acos(-1.0) / 180);
        const double s = std::sin(angle), c = std::cos(angle), m = variant.centre;
        const auto pixel = [&](int row, int column) {
            return static_cast<double>(
                x(variant.first_only ? 0 : n, static_cast<std::size_t>(side * row + column)));
        };
        for (int y = 0; y < side; ++y)
            for (int k = 0; k < side; ++k) {
                const double row = m + c * (y - m) + s * (k - m),
                             column = m - s * (y - m) + c * (k - m);
                if (row < 0 || row > side - 1 || column < 0 || column > side - 1) continue;
                const int top = static_cast<int>(row), left = static_cast<int>(column);
                const int below = std::min(top + 1, side - 1), next = std::min(left + 1, side - 1);
                double d = row - top, r = column - left;
                if (variant.swapped) std::swap(d, r);
                if (variant.nearest) d = r = 0;
                result.numbers[n * side * side + static_cast<std::size_t>(side * y + k)] =
                    (1 - d) * ((1 - r) * pixel(top, left) + r * pixel(top, next)) +
                    d * ((1 - r) * pixel(below, left) + r * pixel(below, next));
            }
    }
    return result;
}

struct OneLaunch {
    std::size_t pixels;
};

void judge_launches(Judge& judge, const LaunchTrace& trace, const OneLaunch& rule) {
    judge.require(trace.launches().size() == 1,
                  "CUDA kernels were launched " + std::to_string(trace.launches().size()) +
                      " times, expected once.",
                  "One launch rotates the whole batch: a block per image.");
    const LaunchReport& report = trace.launches().front().report;
    const std::size_t stores = report.counters.global_stores;
    judge.require(!report.simulated || stores >= rule.pixels,
                  "the batch has " + std::to_string(rule.pixels) + " pixels, and " +
                      std::to_string(stores) + " were written.",
                  "The memory of the result has no values at first: each thread writes its pixel, "
                  "black ones too.");
}

}  // namespace

RotateGpu::RotateGpu()
    : Exercise(text_of<RotateGpu>(
          "rotate_gpu",
          "rotate_kernel rotates a batch of images of 28x28 pixels: block n rotates image n by "
          "degrees[n], thread (x, y) computes pixel (y, x).\n"
          "The formulas are those of rotate.",
          "twelve lines",
          "const float* image = images + 784 * blockIdx.x; x = threadIdx.x, y = threadIdx.y; the "
          "middle is 13.5. Each thread writes one pixel, black ones too.")) {}

void RotateGpu::check(Answer answer) const {
    const std::vector<Case> cases{{"one image, 0 degrees", {0}},
                                  {"one image, 30 degrees", {30}},
                                  {"one image, -77 degrees", {-77}},
                                  {"five images", {10, -20, 33, 123, -160}},
                                  {"40 images", std::vector<float>(40, 17)}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        const Matrix x = images(one.degrees.size());
        notebook::About about;
        about.tolerance = {1e-4, 1e-3};
        const auto add = [&](const Variant& variant, const char* text) {
            about.known.push_back({rotated(x, one.degrees, variant), text});
        };
        Variant wrong;
        wrong.turn = -1;
        add(wrong, "The images turn clockwise: look at the signs of s.");
        wrong = {}, wrong.nearest = true;
        add(wrong, "This is the upper left of the four pixels: average all four.");
        wrong = {}, wrong.radians = true;
        add(wrong, "sinf and cosf take radians: degrees * 3.14159265f / 180.");
        wrong = {}, wrong.first_only = true;
        add(wrong, "Every block rotates the first image: image n begins at images + 784 * n.");
        wrong = {}, wrong.first_angle = true;
        add(wrong, "Every image is rotated by the first angle: degrees[blockIdx.x].");
        wrong = {}, wrong.centre = 14;
        add(wrong, "The middle is (28 - 1) / 2 = 13.5, not 14.");
        wrong = {}, wrong.swapped = true;
        add(wrong, "The weights of rows and columns are exchanged.");
        about.known.push_back({values_of(x), "The images came back as they were."});
        notebook::run_on_devices(
            judge, OneLaunch{x.size()}, [&] { return answer(x, one.degrees); },
            [&](const Matrix& got) { judge.same(values_of(got), rotated(x, one.degrees), about); });
    });
}

}  // namespace lanes::exercises
