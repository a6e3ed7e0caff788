#include "lanes/lesson/own_tape.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/tensor/ops.hpp"

#include <xtensor/xsort.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace lanes {

void require_gradient(const std::string& name, const Matrix& gradient,
                      const std::function<double(const Matrix&)>& f, Matrix m) {
    LANES_REQUIRE(gradient.shape() == m.shape(), "the gradient of ", name, " has ",
                  gradient.shape(0), " rows and ", gradient.shape(1), " columns, ", name, " has ",
                  m.shape(0), " and ", m.shape(1));
    constexpr float h = 1e-2f;
    double largest = 0;
    for (std::size_t i = 0; i < m.size(); ++i) {
        float& element = m.data()[i];
        const float before = element;
        element = before + h;
        const double above = f(m);
        element = before - h;
        const double below = f(m);
        element = before;
        const double difference = gradient.data()[i] - (above - below) / (2 * h);
        largest = std::isnan(difference) ? difference : std::max(largest, std::abs(difference));
        if (std::isnan(largest)) break;
    }
    LANES_REQUIRE(largest < 2e-2, "the gradient of ", name, " differs by up to ", largest,
                  " from the central differences. Does it have the shape and the sums of your "
                  "formula? Is every gradient added with +=?");
}

TapeExample::TapeExample() {
    Rng rng(8);
    const auto random = [&](std::size_t rows, std::size_t columns) {
        Matrix m = Matrix::from_shape({rows, columns});
        for (float& value : m) value = static_cast<float>(rng.uniform(-1, 1));
        return m;
    };
    x = random(3, 4), w1 = random(4, 5), w2 = random(5, 5), target = random(3, 5);
    b = random(1, 5);
    labels = {4, 0, 2};
}

void TapeExample::compare(const Gradients& by_tape, const std::vector<Matrix>& by_library) const {
    const std::vector<Matrix> own = answer_or(by_tape, [] { return std::vector<Matrix>(); })();
    if (own.empty()) return;
    LANES_REQUIRE(own.size() == by_library.size(), "compare: ", own.size(), " and ",
                  by_library.size(), " gradients");
    double largest = 0;
    for (std::size_t i = 0; i < own.size(); ++i)
        largest = std::max<double>(largest, xt::amax(xt::abs(own[i] - by_library[i]))());
    if (largest < 1e-4)
        std::cout << "The library's gradients are those of your tape.\n";
    else
        std::cout << "The gradients differ by up to " << compact(largest) << ".\n";
}

TapeNetwork TapeNetwork::random(const std::array<std::size_t, 3>& sizes, std::uint64_t seed) {
    Rng rng(seed);
    const auto weights = [&](std::size_t from, std::size_t to) {
        Matrix m = Matrix::from_shape({from, to});
        const double scale = std::sqrt(2.0 / static_cast<double>(from));
        for (float& value : m) value = static_cast<float>(scale * rng.normal());
        return m;
    };
    TapeNetwork network;
    network.w1 = weights(sizes[0], sizes[1]);
    network.b1 = xt::zeros<float>({std::size_t{1}, sizes[1]});
    network.w2 = weights(sizes[1], sizes[2]);
    network.b2 = xt::zeros<float>({std::size_t{1}, sizes[2]});
    return network;
}

namespace {

constexpr std::size_t images = 1000, batch = 50, epochs = 5;
constexpr float rate = 0.2f;

std::vector<Matrix*> matrices_of(TapeNetwork& network) {
    return {&network.w1, &network.b1, &network.w2, &network.b2};
}

std::vector<Tensor> tensors_of(TapeNetwork& network) {
    std::vector<Tensor> tensors;
    for (const Matrix* m : matrices_of(network))
        tensors.push_back(Tensor::from(*m).requires_grad_());
    return tensors;
}

Tensor loss_of(const std::vector<Tensor>& p, const Matrix& x, const std::vector<int>& labels) {
    const Tensor hidden = relu(matmul(Tensor::from(x), p[0]) + p[1]);
    return cross_entropy(matmul(hidden, p[2]) + p[3], Tensor::from(labels));
}

struct Batch {
    Matrix x;
    std::vector<int> labels;
};

std::vector<Batch> batches_of(const Dataset& data) {
    std::vector<Batch> batches;
    for (std::size_t at = 0; at + batch <= images; at += batch) {
        const Dataset part = slice_of(data, at, at + batch);
        const xt::xtensor<int, 1> labels = xt::argmax(part.y, 1);
        batches.push_back({part.x, {labels.begin(), labels.end()}});
    }
    return batches;
}

// The mean loss of each epoch.
std::vector<double> losses_of(const std::vector<Batch>& batches,
                              const std::function<double(const Batch&)>& step) {
    std::vector<double> losses;
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        double sum = 0;
        for (const Batch& one : batches) sum += step(one);
        losses.push_back(sum / static_cast<double>(batches.size()));
    }
    return losses;
}

}  // namespace

double TapeNetwork::show_training(const Step& step) {
    const std::vector<Batch> batches = batches_of(load_fashion_mnist().train);
    TapeNetwork own = random({784, 32, 10}, 8), same = own;
    const auto own_step = answer_or(step, spare::train_with_tape);
    const std::vector<double> by_tape = losses_of(
        batches, [&](const Batch& one) { return own_step(own, one.x, one.labels, rate); });

    const std::vector<Tensor> tensors = tensors_of(same);
    SGD sgd(tensors, rate);
    const std::vector<double> by_library = losses_of(batches, [&](const Batch& one) {
        Tensor loss = loss_of(tensors, one.x, one.labels);
        sgd.zero_grad();
        loss.backward();
        sgd.step();
        return loss.item();
    });

    Table table({"epoch", "your tape", "the library"}, "Mean loss");
    for (std::size_t i = 0; i < epochs; ++i)
        table.row(i + 1, with_unit(by_tape[i], "nats"), with_unit(by_library[i], "nats"));
    table.show();
    const bool falls = by_tape.back() < by_tape.front();
    std::cout << (falls ? "The loss falls.\n" : "The loss does not fall.\n");
    double largest = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Matrix there = tensors[i].detach().to_xtensor<2>();
        const Matrix here = *matrices_of(own)[i];
        LANES_REQUIRE(here.shape() == there.shape(),
                      "a matrix of the network has another shape "
                      "after the training than before");
        largest = std::max<double>(largest, xt::amax(xt::abs(here - there))());
    }
    if (largest < 1e-3)
        std::cout << "Both trainings end with the same weights, up to rounding.\n";
    else
        std::cout << "The weights differ by up to " << compact(largest) << ".\n";
    return by_tape.back();
}

double spare::train_with_tape(TapeNetwork& network, const Matrix& x, const std::vector<int>& labels,
                              float rate) {
    const std::vector<Tensor> tensors = tensors_of(network);
    Tensor loss = loss_of(tensors, x, labels);
    loss.backward();
    const std::vector<Matrix*> matrices = matrices_of(network);
    for (std::size_t i = 0; i < tensors.size(); ++i)
        *matrices[i] -= rate * tensors[i].grad().to_xtensor<2>();
    return loss.item();
}

}  // namespace lanes
