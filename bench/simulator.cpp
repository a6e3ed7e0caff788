// Measures the simulator for bench/simulator.py, which compiles this program with the flags of the
// simulator itself, so that the comparison with plain loops is fair. Prints one line per figure:
// name, seconds. Every result is compared with the plain loop first.
#include "lanes/gpu.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using lanes::Buffer, lanes::Device, lanes::launch;

constexpr const char* text = R"(
__global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float left[16][16], right[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int start = 0; start < n; start += 16) {
        left[ty][tx] = a[row * n + start + tx];
        right[ty][tx] = b[(start + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
__global__ void saxpy(const float* x, float* y, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void larger(const int* a, const int* b, int* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] > b[i] ? a[i] : b[i];
}
__global__ void product(const float* x, float* c, int rows, int columns) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= rows) return;
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += x[i * columns + k] * x[j * columns + k];
    c[i * rows + j] = sum;
}
__global__ void sums(const float* x, float* y) {  // one barrier per step
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
)";

[[gnu::noinline]] void plain_larger(const int* a, const int* b, int* c, int n) {
    for (int i = 0; i < n; ++i) c[i] = a[i] > b[i] ? a[i] : b[i];
}

[[gnu::noinline]] void plain_saxpy(const float* x, float* y, float a, int n) {
    for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

[[gnu::noinline]] void plain_product(const float* x, float* c, int rows, int columns) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j) {
            float sum = 0;
            for (int k = 0; k < columns; ++k) sum += x[i * columns + k] * x[j * columns + k];
            c[i * rows + j] = sum;
        }
}

[[gnu::noinline]] void plain_matmul(const float* a, const float* b, float* c, int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The best of enough repetitions to fill a second: other load on the machine only adds time.
void measure(const std::string& name, const std::function<void()>& work) {
    work();
    double best = 1e30;
    int times = 0;
    for (const double begin = seconds(); times < 3 || (seconds() - begin < 1 && times < 1000);
         ++times) {
        const double start = seconds();
        work();
        best = std::min(best, seconds() - start);
    }
    std::printf("%s %.9f\n", name.c_str(), best);
    std::fflush(stdout);
}

template <class T>
void require_equal(const std::string& name, const std::vector<T>& values,
                   const std::vector<T>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (std::fabs(static_cast<double>(values[i]) - static_cast<double>(expected[i])) >
            1e-4 * std::fabs(static_cast<double>(expected[i]))) {
            std::fprintf(stderr, "%s: element %zu is wrong\n", name.c_str(), i);
            std::exit(1);
        }
}

template <class T>
std::vector<T> numbers(int count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    unsigned state = 1;
    for (auto& value : values) value = static_cast<T>((state = state * 1664525 + 1013904223) >> 24);
    return values;
}

void measure_all(const std::string& mode, const Device& device) {
    const lanes::Program program(device, text);
    const int size = 64, count = 1000000, rows = 784, columns = 128;

    const auto a = numbers<float>(size * size);
    std::vector<float> c(a.size());
    Buffer<float> da(device, a), dc(device, a.size());
    const auto tiled = program.kernel("tiled");
    measure(mode + "_tiled",
            [&] { launch(tiled, {{size / 16, size / 16}, {16, 16}}, da, da, dc, size); });
    plain_matmul(a.data(), a.data(), c.data(), size);
    require_equal(mode + "_tiled", dc.download(), c);

    const int large = 256;
    const auto la = numbers<float>(large * large);
    std::vector<float> lc(la.size());
    Buffer<float> dla(device, la), dlc(device, la.size());
    measure(mode + "_tiled_256",
            [&] { launch(tiled, {{large / 16, large / 16}, {16, 16}}, dla, dla, dlc, large); });
    plain_matmul(la.data(), la.data(), lc.data(), large);
    require_equal(mode + "_tiled_256", dlc.download(), lc);

    const int blocks = 4096;
    const auto v = numbers<float>(256 * blocks);
    std::vector<float> w(blocks);
    for (std::size_t i = 0; i < v.size(); ++i) w[i / 256] += v[i];
    Buffer<float> dv(device, v), dw(device, w.size());
    const auto sums = program.kernel("sums");
    measure(mode + "_sums", [&] { launch(sums, {blocks, 256}, dv, dw); });
    require_equal(mode + "_sums", dw.download(), w);

    const auto p = numbers<int>(count), q = numbers<int>(count);
    std::vector<int> r(p.size());
    Buffer<int> dp(device, p), dq(device, q), dr(device, p.size());
    const auto larger = program.kernel("larger");
    measure(mode + "_max", [&] { launch(larger, {1000, 1000}, dp, dq, dr, count); });
    plain_larger(p.data(), q.data(), r.data(), count);
    require_equal(mode + "_max", dr.download(), r);

    // y must not grow without end: launches of 1 and of -1 in turn.
    const auto sx = numbers<float>(count);
    std::vector<float> sy(sx.size(), 1);
    Buffer<float> dsx(device, sx), dsy(device, sy);
    const auto saxpy = program.kernel("saxpy");
    float sign = 1;
    launch(saxpy, {3907, 256}, dsx, dsy, 2.0f, count);
    plain_saxpy(sx.data(), sy.data(), 2.0f, count);
    require_equal(mode + "_saxpy", dsy.download(), sy);
    measure(mode + "_saxpy", [&] {
        launch(saxpy, {3907, 256}, dsx, dsy, sign, count);
        sign = -sign;
    });

    const auto x = numbers<float>(rows * columns);
    std::vector<float> y(static_cast<std::size_t>(rows) * rows);
    Buffer<float> dx(device, x), dy(device, y.size());
    const auto product = program.kernel("product");
    measure(mode + "_product", [&] {
        launch(product, {{(rows + 15) / 16, (rows + 15) / 16}, {16, 16}}, dx, dy, rows, columns);
    });
    plain_product(x.data(), y.data(), rows, columns);
    require_equal(mode + "_product", dy.download(), y);

    const double begin = seconds();
    const std::string other = std::string(text) + "// " + std::to_string(begin) + "\n";
    const lanes::Program fresh(device, other);
    std::printf("%s_compile %.9f\n", mode.c_str(), seconds() - begin);
    const double again = seconds();
    const lanes::Program kept(device, other);
    std::printf("%s_from_cache %.9f\n", mode.c_str(), seconds() - again);

    if (mode != "fast") return;
    measure("plain_tiled", [&] { plain_matmul(a.data(), a.data(), c.data(), size); });
    measure("plain_max", [&] { plain_larger(p.data(), q.data(), r.data(), count); });
    measure("plain_product", [&] { plain_product(x.data(), y.data(), rows, columns); });
}

}  // namespace

int main() {
    measure_all("fast", Device::simulator().fast());
    measure_all("one_order", Device::simulator().with(lanes::Checks::one_schedule()));
    measure_all("checked", Device::simulator());
}
