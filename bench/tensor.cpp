// Measures tensors and the GPU versions of ops for bench/tensor.py, which starts this once per
// group:
//
//   tensor products|steps|cpu_steps|copies|operations
//
// Prints lines "NAME SECONDS", each the median of several turns. cpu_steps needs no GPU.
#include "lanes/tensor.hpp"
#include "lanes/base.hpp"
#include "lanes/gpu.hpp"
#include "lanes/ops.hpp"
#include "lanes/tensor/update.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using lanes::Device, lanes::Matrix, lanes::Shape, lanes::Tensor;

Device device() {
    static const Device best = Device::best();
    return best;
}

// Seconds per call: `calls` of them, then the GPU has to finish.
double seconds_per_call(int calls, const std::function<void()>& work) {
    for (int i = 0; i < 3; ++i) work();
    device().synchronize();
    std::vector<double> turns;
    for (int turn = 0; turn < 7; ++turn) {
        const lanes::Timer timer;
        for (int i = 0; i < calls; ++i) work();
        device().synchronize();
        turns.push_back(timer.seconds() / calls);
    }
    std::sort(turns.begin(), turns.end());
    return turns[turns.size() / 2];
}

void report(const std::string& name, int calls, const std::function<void()>& work) {
    std::printf("%s %.9f\n", name.c_str(), seconds_per_call(calls, work));
    std::fflush(stdout);
}

void products() {
    for (const int n : {512, 1024, 2048, 4096}) {
        const Tensor a = Tensor::randn({n, n}, device());
        const Tensor b = Tensor::randn({n, n}, device());
        const int calls = n <= 1024 ? 200 : n == 2048 ? 50 : 10;
        const std::string size = std::to_string(n);
        report("matmul_nn_" + size, calls, [&] { lanes::matmul(a, b); });
        report("matmul_nt_" + size, calls, [&] { lanes::matmul(a, b, false, true); });
        report("matmul_tn_" + size, calls, [&] { lanes::matmul(a, b, true, false); });
    }
}

// Fully connected layers with relu between them, SGD and cross-entropy.
class Network {
public:
    Network(const std::vector<int>& widths, const Device& device)
        : settings_(Tensor::of({0.01f, 0, 0, 0}).to(device)) {
        for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
            const float scale = 1 / std::sqrt(static_cast<float>(widths[i]));
            parameters_.push_back((Tensor::randn({widths[i + 1], widths[i]}) * scale).to(device));
            parameters_.push_back(Tensor::zeros({widths[i + 1]}, device));
        }
        for (Tensor& parameter : parameters_) parameter.requires_grad_();
    }

    Tensor step(const Tensor& x, const Tensor& labels) {
        for (Tensor& parameter : parameters_) parameter.zero_grad();
        Tensor y = x;
        for (std::size_t i = 0; i < parameters_.size(); i += 2)
            y = lanes::linear(
                y, parameters_[i], parameters_[i + 1],
                i + 2 < parameters_.size() ? lanes::Activation::relu : lanes::Activation::none);
        Tensor loss = lanes::cross_entropy(y, labels);
        loss.backward();
        std::vector<lanes::tensor::Update> updates;
        for (const Tensor& parameter : parameters_)
            updates.push_back({parameter, parameter.grad(), {}, {}});
        lanes::tensor::sgd_step(updates, {}, settings_);
        return loss;
    }

private:
    std::vector<Tensor> parameters_;
    Tensor settings_;
};

void steps_on(const Device& device) {
    const std::pair<const char*, std::vector<int>> networks[] = {
        {"small", {784, 128, 10}},
        {"medium", {784, 1024, 1024, 10}},
        {"large", {784, 4096, 4096, 4096, 10}}};
    for (const auto& [name, widths] : networks)
        for (const int batch : {16, 128, 1024}) {
            Network network(widths, device);
            const Tensor x = Tensor::rand({batch, 784}, device);
            std::vector<int> classes(static_cast<std::size_t>(batch));
            for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<int>(i % 10);
            const Tensor labels = Tensor::from(classes, device);
            const bool large = name == std::string("large");
            const std::string size = std::string(name) + "_" + std::to_string(batch);
            if (device.is_cpu()) {  // the largest step takes seconds
                if (!large || batch < 1024)
                    report("cpu_" + size, large ? 1 : 20, [&] { network.step(x, labels); });
                continue;
            }
            const int calls = large ? 20 : 100;
            report("eager_" + size, calls, [&] { network.step(x, labels); });
            lanes::CapturedStep step(
                [&](const Tensor& in, const Tensor& y) { return network.step(in, y); });
            report("captured_" + size, calls, [&] { step(x, labels); });
        }
}

void steps() { steps_on(device()); }

void cpu_steps() { steps_on(Device::cpu()); }

void copies() {
    for (const std::size_t megabytes : {4, 256}) {
        const std::size_t count = megabytes << 18;
        const std::string size = std::to_string(megabytes);
        const int calls = megabytes == 4 ? 50 : 3;
        std::vector<float> pageable(count, 1);
        lanes::PinnedBuffer<float> pinned(device(), count);
        std::fill(pinned.begin(), pinned.end(), 1.0f);
        lanes::Buffer<float> buffer(device(), count);
        report("upload_" + size, calls, [&] { buffer.upload(pageable), device().synchronize(); });
        report("download_" + size, calls, [&] { buffer.download(pageable); });
        report("upload_pinned_" + size, calls, [&] { buffer.upload(pinned); });
        report("download_pinned_" + size, calls, [&] { buffer.download(pinned); });
    }
}

// With arrays of the host in and out.
void operations() {
    lanes::Rng rng(1);
    const auto random = [&](std::size_t rows, std::size_t columns) {
        Matrix x = Matrix::from_shape({rows, columns});
        rng.fill_uniform(x.data(), x.size(), -1, 1);
        return x;
    };
    for (const std::size_t n : {1000, 8192}) {
        xt::xtensor<int, 2> a = xt::xtensor<int, 2>::from_shape({n, n});
        for (int& value : a) value = static_cast<int>(rng.integer(0, 255));
        const xt::xtensor<int, 2> b = a + 1;
        report("max_" + std::to_string(n), n == 1000 ? 20 : 2, [&] { lanes::max_gpu(a, b); });
    }
    for (const auto& [rows, columns] : {std::pair(784, 128), std::pair(4096, 4096)}) {
        const Matrix x = random(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
        report("product_" + std::to_string(rows), rows == 784 ? 50 : 3,
               [&] { lanes::matmul_transpose_gpu(x); });
    }
    const Matrix filter = random(5, 5);
    for (const std::size_t n : {215, 4096}) {
        const Matrix image = random(n, n);
        report("correlation_" + std::to_string(n), n == 215 ? 50 : 3,
               [&] { lanes::correlation_gpu(filter, image); });
    }
}

}  // namespace

int main(int count, char** arguments) {
    const std::string group = count == 2 ? arguments[1] : "";
    const std::pair<const char*, void (*)()> groups[] = {{"products", products},
                                                         {"steps", steps},
                                                         {"cpu_steps", cpu_steps},
                                                         {"copies", copies},
                                                         {"operations", operations}};
    lanes::manual_seed(1);
    for (const auto& [name, measure] : groups)
        if (group == name) return measure(), 0;
    return std::fprintf(stderr, "tensor products|steps|cpu_steps|copies|operations\n"), 2;
}
