#include "lanes/lesson/own_kernels.hpp"

#include "tensor/core/tensor_impl.hpp"

#include "lanes/base/error.hpp"
#include "lanes/gpu/launch.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <xtensor/xsort.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace lanes {

namespace {

// Plain versions: one thread does what a block shares out in a good answer.
constexpr const char* plain_relu_backward = R"(
__global__ void relu_backward(const float* z, const float* g, float* out, int n) {
    if (threadIdx.x > 0) return;
    const int each = (n + gridDim.x - 1) / gridDim.x;
    for (int k = each * blockIdx.x; k < min(each * (int(blockIdx.x) + 1), n); ++k) {
        out[k] = 0;
        if (z[k] > 0) out[k] = g[k];
    }
})";

constexpr const char* plain_sgd_update = R"(
__global__ void sgd_update(float* w, float* v, const float* g, float rate, float momentum, int n) {
    const int each = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
    const int first = each * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = first; k < min(first + each, n); ++k)
        w[k] -= rate * (v[k] = fmaf(momentum, v[k], g[k]));
})";

constexpr const char* plain_softmax_cross_entropy = R"(
__global__ void softmax_cross_entropy(const float* z, const int* labels, float* losses,
                                      float* gradient, int classes) {
    if (threadIdx.x > 0) return;
    const float* row = z + blockIdx.x * classes;
    float largest = row[0], sum = 0;
    for (int j = 0; j < classes; ++j) largest = fmaxf(largest, row[j]);
    for (int j = 0; j < classes; ++j) sum += expf(row[j] - largest);
    for (int j = 0; j < classes; ++j)
        gradient[blockIdx.x * classes + j] =
            (expf(row[j] - largest) / sum - (j == labels[blockIdx.x])) / gridDim.x;
    losses[blockIdx.x] = largest + logf(sum) - row[labels[blockIdx.x]];
})";

CudaKernel compiled(const Device& device, const char* name, const std::string& text,
                    const char* plain) {
    const auto of = [&](const std::string& source) { return Program(device, source).kernel(name); };
    return text.empty() ? of(plain)
                        : answer_or(of, [&](const std::string&) { return of(plain); })(text);
}

gpu::Argument argument(const Tensor& x) { return tensor::argument_of(x); }

int count(const Tensor& x) { return static_cast<int>(x.size()); }

constexpr int block = 256;
int blocks(const Tensor& x) { return (count(x) + block - 1) / block; }

// Images of 28x28 pixels with 7x7: the mean of 4x4 pixels each.
Matrix reduced(const Matrix& images) {
    constexpr std::size_t side = 28, part = 4;
    LANES_REQUIRE(images.shape(1) == side * side, "OwnTraining: the images have ", images.shape(1),
                  " pixels, expected 28x28");
    Matrix result = xt::zeros<float>({images.shape(0), side / part * (side / part)});
    for (std::size_t i = 0; i < images.shape(0); ++i)
        for (std::size_t k = 0; k < side * side; ++k)
            result(i, k / side / part * (side / part) + k % side / part) +=
                images(i, k) / (part * part);
    return result;
}

void require_same_size(const char* name, const Tensor& a, const Tensor& b) {
    LANES_REQUIRE(a.shape() == b.shape(), name, ": the tensors have the shapes ", a.shape(),
                  " and ", b.shape(), ". Both must be equal.");
}

}  // namespace

OwnKernels::OwnKernels(const Device& device, const std::string& relu_backward,
                       const std::string& sgd_update, const std::string& softmax_cross_entropy)
    : relu_backward_(compiled(device, "relu_backward", relu_backward, plain_relu_backward)),
      sgd_update_(compiled(device, "sgd_update", sgd_update, plain_sgd_update)),
      softmax_cross_entropy_(compiled(device, "softmax_cross_entropy", softmax_cross_entropy,
                                      plain_softmax_cross_entropy)) {}

Tensor OwnKernels::relu_backward(const Tensor& z, const Tensor& g) const {
    require_same_size("relu_backward", z, g);
    Tensor out = Tensor::empty(z.shape(), z.device());
    gpu::launch_arguments_async(relu_backward_, {blocks(z), block},
                                {argument(z), argument(g), argument(out), gpu::argument(count(z))});
    return out;
}

void OwnKernels::sgd_update(Tensor& w, Tensor& v, const Tensor& g, float rate,
                            float momentum) const {
    require_same_size("sgd_update", w, g);
    require_same_size("sgd_update", w, v);
    // A quarter of the threads that one per weight would need.
    gpu::launch_arguments_async(sgd_update_, {(blocks(w) + 3) / 4, block},
                                {argument(w), argument(v), argument(g), gpu::argument(rate),
                                 gpu::argument(momentum), gpu::argument(count(w))});
    tensor::changed(w);
    tensor::changed(v);
}

LossAndGradient OwnKernels::softmax_cross_entropy(const Tensor& z, const Tensor& labels) const {
    LANES_REQUIRE(z.rank() == 2 && labels.rank() == 1 && z.shape(0) == labels.shape(0),
                  "softmax_cross_entropy: the logits have the shape ", z.shape(), ", the labels ",
                  labels.shape(), ". One label per row of the logits is needed.");
    LossAndGradient result{Tensor::empty({z.shape(0)}, z.device()),
                           Tensor::empty(z.shape(), z.device())};
    gpu::launch_arguments_async(
        softmax_cross_entropy_, {static_cast<int>(z.shape(0)), 32},
        {argument(z), argument(labels), argument(result.losses), argument(result.gradient),
         gpu::argument(static_cast<int>(z.shape(1)))});
    return result;
}

TwoLayers::TwoLayers(const std::array<std::size_t, 3>& sizes, const Device& device) {
    const auto weights = [&](std::size_t from, std::size_t to) {
        return (Tensor::randn({from, to}) * std::sqrt(2.0f / static_cast<float>(from))).to(device);
    };
    w1 = weights(sizes[0], sizes[1]);
    w2 = weights(sizes[1], sizes[2]);
    v1 = Tensor::zeros(w1.shape(), device);
    v2 = Tensor::zeros(w2.shape(), device);
}

Tensor spare::own_step(const OwnKernels& kernels, TwoLayers& net, const Tensor& x, const Tensor& y,
                       float rate, float momentum) {
    Tensor w1 = net.w1.detach().requires_grad_(), w2 = net.w2.detach().requires_grad_();
    Tensor loss = cross_entropy(matmul(relu(matmul(x, w1)), w2), y);
    loss.backward();
    kernels.sgd_update(net.w1, net.v1, w1.grad(), rate, momentum);
    kernels.sgd_update(net.w2, net.v2, w2.grad(), rate, momentum);
    return loss.detach();
}

namespace {

constexpr std::size_t batch = 50;
constexpr float rate = 0.1f, momentum = 0.9f;

using TrainBatch = std::function<Tensor(const Tensor& x, const Tensor& y)>;  // gives the loss

// The mean loss of each epoch. x and y are moved to the device once.
std::vector<double> losses_of(const Device& device, const Tensor& x_here, const Tensor& y_here,
                              std::size_t epochs, const TrainBatch& train_batch) {
    const Tensor x = x_here.to(device), y = y_here.to(device);
    const std::size_t batches = x.shape(0) / batch;
    Progress progress("training on " + device.id() + ", epoch", epochs);
    std::vector<double> losses;
    for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
        double sum = 0;
        for (std::size_t at = 0; at + batch <= x.shape(0); at += batch)
            sum += train_batch(x.slice(at, at + batch), y.slice(at, at + batch)).item();
        losses.push_back(sum / static_cast<double>(batches));
        progress.at(epoch);
    }
    progress.done();
    return losses;
}

double largest_difference(const Tensor& a, const Tensor& b) {
    double largest = 0;
    for (const float d : (a.cpu() - b.cpu()).to_vector())
        largest = std::max<double>(largest, std::abs(d));
    return largest;
}

}  // namespace

OwnTraining::OwnTraining(const OwnKernels& kernels, const Dataset& images, std::size_t number,
                         std::size_t epochs, const Step& step)
    : device_(kernels.device().id()) {
    LANES_REQUIRE(number >= batch && number <= images.x.shape(0), "OwnTraining: ", number,
                  " images were asked for; there are ", images.x.shape(0), ", a batch has ", batch);
    const Dataset first = slice_of(images, 0, number);
    const Tensor x = Tensor::from(reduced(first.x));
    const xt::xtensor<int, 1> labels = xt::argmax(first.y, 1);
    const Tensor y = Tensor::from(labels);

    manual_seed(8);
    TwoLayers own({x.shape(1), 16, first.y.shape(1)}, kernels.device());
    Tensor w1 = own.w1.cpu().clone().requires_grad_(), w2 = own.w2.cpu().clone().requires_grad_();
    own_ = losses_of(kernels.device(), x, y, epochs, [&](const Tensor& xs, const Tensor& ys) {
        return step(kernels, own, xs, ys, rate, momentum);
    });
    SGD sgd({w1, w2}, rate, SGDOptions().momentum(momentum));
    library_ = losses_of(Device::cpu(), x, y, epochs, [&](const Tensor& xs, const Tensor& ys) {
        Tensor loss = cross_entropy(matmul(relu(matmul(xs, w1)), w2), ys);
        sgd.zero_grad();
        loss.backward();
        sgd.step();
        return loss.detach();
    });
    difference_ =
        std::max(largest_difference(own.w1, w1.detach()), largest_difference(own.w2, w2.detach()));
}

void OwnTraining::show() const {
    Table table({"epoch", "your CUDA kernels", "the library, CPU"}, "Mean loss");
    for (std::size_t i = 0; i < own_.size(); ++i)
        table.row(i + 1, with_unit(own_[i], "nats"), with_unit(library_[i], "nats"));
    table.note("your CUDA kernels ran on the device " + device_).show();
    std::cout << (last_loss() < first_loss() ? "The loss falls.\n" : "The loss does not fall.\n");
    if (difference_ < 1e-3)
        std::cout << "Both trainings end with the same weights, up to rounding.\n";
    else
        std::cout << "The weights differ by up to " << compact(difference_) << ".\n";
}

}  // namespace lanes
