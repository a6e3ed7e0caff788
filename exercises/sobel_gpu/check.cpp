#include "exercise.hpp"

#include "../common/correlation_values.hpp"
#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/ops/sobel.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::correlated;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

struct Case {
    std::size_t rows, columns;
};

std::string words(const Case& one) {
    return "an image of " + std::to_string(one.rows) + "x" + std::to_string(one.columns);
}

// One CUDA kernel computes the whole result; which blocks it has is free.
struct OneLaunch {};

void judge_launches(Judge& judge, const LaunchTrace& trace, const OneLaunch&) {
    const std::size_t count = trace.launches().size();
    if (count == 0)
        judge.fail(
            "no CUDA kernel was launched.",
            "The work belongs on the device: lanes::launch(program.kernel(\"sobel_kernel\"), "
            "{grid, block}, …).");
    judge.require(count == 1, "CUDA kernels were launched " + std::to_string(count) + " times.",
                  "One launch computes both gradients and the root: then the image is read once, "
                  "and nothing in between is written to memory.");
}

Values combined(const Values& x, const Values& y, double (*f)(double, double)) {
    Values result = x;
    for (std::size_t i = 0; i < x.numbers.size(); ++i)
        result.numbers[i] = f(x.numbers[i], y.numbers[i]);
    return result;
}

std::vector<notebook::KnownMistake> mistakes(const Values& image, const Values& gx,
                                             const Values& gy) {
    std::vector<notebook::KnownMistake> known;
    const auto add = [&](const Values& a, const Values& b, double (*f)(double, double),
                         const char* text) { known.push_back({combined(a, b, f), text}); };
    const auto length = [](double a, double b) { return std::hypot(a, b); };
    add(gx, gy, [](double a, double b) { return a * a + b * b; }, "The root is missing.");
    add(
        gx, gy, [](double a, double b) { return std::fabs(a) + std::fabs(b); },
        "This is |gx| + |gy|. The task asks for the root of the sum of squares.");
    add(
        gx, gy, [](double a, double) { return std::fabs(a); },
        "Only gx is in it: horizontal edges are missing.");
    add(
        gx, gy, [](double, double b) { return std::fabs(b); },
        "Only gy is in it: vertical edges are missing.");
    add(gx, gx, length, "Both gradients are gx: the filter of gy is the transposed one.");
    add(
        gx, gy, [](double a, double b) { return std::hypot(a, b) / 4; },
        "The result is divided by 4. Here it is the plain root; find_edges divides.");
    const Values prewitt{{3, 3}, {1, 0, -1, 1, 0, -1, 1, 0, -1}};
    const Values across{{3, 3}, {1, 1, 1, 0, 0, 0, -1, -1, -1}};
    add(correlated(prewitt, image), correlated(across, image), length,
        "The middle row counts as much as the others: its coefficients are 2 and -2.");
    // Zero at the border instead of zeros outside of the image.
    Values inner = combined(gx, gy, length);
    for (std::size_t y = 0; y < inner.rows(); ++y)
        for (std::size_t x = 0; x < inner.columns(); ++x)
            if (y == 0 || x == 0 || y + 1 == inner.rows() || x + 1 == inner.columns())
                inner.numbers[y * inner.columns() + x] = 0;
    known.push_back({inner,
                     "Pixels at the border are 0. Their neighbours outside count as 0, "
                     "those inside the image do not: skip neighbours, not pixels."});
    return known;
}

void require_few_loads(Judge& judge, const LaunchTrace& trace, std::size_t pixels) {
    for (const TracedLaunch& launch : trace.launches()) {
        const double loads = static_cast<double>(launch.report.counters.global_loads);
        judge.require(
            loads <= 9.0 * static_cast<double>(pixels),
            "the threads load " +
                to_text(std::round(10 * loads / static_cast<double>(pixels)) / 10) +
                " numbers per pixel from global memory, a pixel and its neighbours are 9.",
            "Load each neighbour once into a local variable, and use it for both gradients.");
    }
}

}  // namespace

SobelGpu::SobelGpu()
    : Exercise(text_of<SobelGpu>(
          "sobel_gpu",
          "Gives sqrt(gx^2 + gy^2) for each pixel, gx and gy as for sobel_3x3, on the device "
          "lanes::Device::best(), by one launch\n"
          "of a CUDA kernel of your own, sobel_kernel. Blocks have two dimensions. Each thread "
          "loads at most 9 pixels.",
          "seven lines and a CUDA kernel of twelve",
          "column = blockIdx.x * blockDim.x + threadIdx.x, row the same with y. Threads outside of "
          "the image return; a neighbour outside counts as 0: skip it.")) {}

void SobelGpu::check(Answer answer) const {
    const std::vector<Case> cases{{4, 6}, {1, 1}, {1, 9}, {9, 1}, {33, 40}, {20, 70}, {70, 20}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        Matrix image(std::array<std::size_t, 2>{one.rows, one.columns});
        Rng(76).split(one.rows).fill_uniform(image.data(), image.size(), 0.5F, 3.5F);
        const Values x = values_of(image);
        const Values filter = values_of(sobel_3x3());
        const Values across{{3, 3}, {1, 2, 1, 0, 0, 0, -1, -2, -1}};
        const Values gx = correlated(filter, x), gy = correlated(across, x);
        notebook::About about;
        about.tolerance = notebook::correlation_tolerance(filter, x);
        about.known = mistakes(x, gx, gy);
        const LaunchTrace trace;
        notebook::run_on_devices(
            judge, OneLaunch{}, [&] { return answer(image); },
            [&](const Matrix& got) {
                judge.same(values_of(got),
                           combined(gx, gy, [](double a, double b) { return std::hypot(a, b); }),
                           about);
                require_few_loads(judge, trace, image.size());
            });
    });
}

}  // namespace lanes::exercises
