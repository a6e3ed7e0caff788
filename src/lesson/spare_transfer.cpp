#include "lanes/lesson/spare_transfer.hpp"

#include "lanes/array/blas.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace lanes {

plates::NameSplit spare::split_names(std::vector<std::string> names, std::size_t n) {
    plates::NameSplit split;
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < names.size(); ++i)
        (i % n == 0 ? split.val : split.train).push_back(names[i]);
    return split;
}

ColorImage spare::crop_and_flip(const ColorImage& image, std::size_t top, std::size_t left,
                                std::size_t rows, std::size_t columns, bool flip) {
    ColorImage part = ColorImage::from_shape({rows, columns, 3});
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t c = 0; c < 3; ++c)
                part(i, flip ? columns - 1 - j : j, c) = image(top + i, left + j, c);
    return part;
}

ColorImage spare::resize_rows(const ColorImage& image, std::size_t rows) {
    const auto size = static_cast<double>(image.shape(0));
    const double scale = size / static_cast<double>(rows);
    const double reach = std::max(scale, 1.0);
    ColorImage result = ColorImage::from_shape({rows, image.shape(1), 3});
    for (std::size_t i = 0; i < rows; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * scale - 0.5;
        const double last = std::min(size - 1, std::floor(centre + reach));
        auto sum = xt::eval(0.0 * xt::view(image, 0));
        double all = 0;
        for (double k = std::max(0.0, std::ceil(centre - reach)); k <= last; ++k) {
            const double weight = reach - std::abs(k - centre);
            sum += weight * xt::view(image, static_cast<std::size_t>(k));
            all += weight;
        }
        xt::view(result, i) = xt::cast<unsigned char>(xt::round(sum / all));
    }
    return result;
}

Tensor3 spare::normalise(const ColorImage& image, const std::array<float, 3>& mean,
                         const std::array<float, 3>& deviation) {
    Tensor3 x = Tensor3::from_shape({3, image.shape(0), image.shape(1)});
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < image.shape(0); ++i)
            for (std::size_t j = 0; j < image.shape(1); ++j)
                x(c, i, j) = (static_cast<float>(image(i, j, c)) / 255 - mean[c]) / deviation[c];
    return x;
}

DataLoader<2> spare::make_loader(const ImageFolder& pictures, bool training) {
    return DataLoader<2>(pictures,
                         DataLoaderOptions().batch_size(8).num_workers(2).shuffle(training));
}

void spare::adam_step(plates::AdamState& state, const std::vector<double>& gradient,
                      double learning_rate) {
    const int t = ++state.steps;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        state.m[i] = 0.9 * state.m[i] + 0.1 * gradient[i];
        state.v[i] = 0.999 * state.v[i] + 0.001 * gradient[i] * gradient[i];
        const double m = state.m[i] / (1 - std::pow(0.9, t));
        const double v = state.v[i] / (1 - std::pow(0.999, t));
        state.w[i] -= learning_rate * m / (std::sqrt(v) + 1e-8);
    }
}

double spare::step_lr(double initial, int epoch, int step_size, double gamma) {
    const int steps = epoch / step_size;
    return initial * std::pow(gamma, steps);
}

PhaseResult spare::run_phase(Module& model, DataLoader<2>& batches, Optimizer* optimizer) {
    const Device device = model.parameters().front().device();
    model.train(optimizer != nullptr);
    PhaseResult phase;
    double examples = 0;
    for (auto& [x, y] : batches) {
        std::unique_ptr<NoGrad> no_grad;
        if (optimizer == nullptr) no_grad = std::make_unique<NoGrad>();
        const Tensor logits = model(x.to(device));
        const Tensor labels = y.to(device);
        Tensor loss = cross_entropy(logits, labels);
        if (optimizer != nullptr) {
            optimizer->zero_grad();
            loss.backward();
            optimizer->step();
        }
        const auto count = static_cast<double>(y.size());
        phase.loss += count * static_cast<double>(loss.item());
        phase.accuracy += count * static_cast<double>(accuracy(logits.detach(), labels));
        examples += count;
    }
    phase.loss /= examples;
    phase.accuracy /= examples;
    return phase;
}

std::vector<TrainedEpoch> spare::train_model(Module& model, DataLoader<2>& train,
                                             DataLoader<2>& val, Optimizer& optimizer,
                                             const std::function<double(int)>& rate,
                                             int num_epochs) {
    std::vector<TrainedEpoch> history;
    for (int epoch = 0; epoch < num_epochs; ++epoch) {
        TrainedEpoch now;
        now.learning_rate = rate(epoch);
        optimizer.set_learning_rate(now.learning_rate);
        now.train = run_phase(model, train, &optimizer);
        now.val = run_phase(model, val, nullptr);
        history.push_back(now);
    }
    return history;
}

void spare::freeze_and_replace(ResNet& net, std::size_t classes) {
    net.requires_grad_(false);
    net.fc = Linear(512, classes);
}

plates::Predicted spare::predict(Module& model, DataLoader<2>& pictures) {
    const NoGrad no_grad;
    const Timer timer;
    const Device device = model.parameters().front().device();
    model.eval();
    std::vector<Tensor> parts;
    for (auto& [x, y] : pictures) parts.push_back(softmax(model(x.to(device))).cpu());
    return {cat(parts).to_xtensor<2>(), timer.seconds()};
}

double spare::cross_validate(
    int pictures, int parts,
    const std::function<double(const std::vector<int>& train, const std::vector<int>& val)>&
        accuracy_of) {
    double right = 0;
    for (int part = 0; part < parts; ++part) {
        std::vector<int> train;
        std::vector<int> val;
        for (int i = 0; i < pictures; ++i) (i % parts == part ? val : train).push_back(i);
        right += accuracy_of(train, val) * static_cast<double>(val.size());
    }
    return right / pictures;
}

Matrix spare::im2col(const Tensor3& x, int size, int stride, int padding) {
    const auto channels = static_cast<int>(x.shape(0));
    const auto rows = static_cast<int>(x.shape(1));
    const auto columns = static_cast<int>(x.shape(2));
    const int high = (rows + 2 * padding - size) / stride + 1;
    const int wide = (columns + 2 * padding - size) / stride + 1;
    const auto extent = [](int value) { return static_cast<std::size_t>(value); };
    Matrix patches = xt::zeros<float>({extent(channels * size * size), extent(high * wide)});
    for (int number = 0; number < channels * size * size; ++number)
        for (int place = 0; place < high * wide; ++place) {
            const int i = place / wide * stride + number / size % size - padding;
            const int j = place % wide * stride + number % size - padding;
            if (i >= 0 && i < rows && j >= 0 && j < columns)
                patches(number, place) = x(number / (size * size), i, j);
        }
    return patches;
}

Tensor3 spare::convolution(const Tensor3& x, const Tensor4& filters, int stride, int padding) {
    const std::size_t outputs = filters.shape(0);
    const auto size = static_cast<int>(filters.shape(2));
    const auto extent = [&](std::size_t length) {
        return (length + 2 * static_cast<std::size_t>(padding) - filters.shape(2)) /
                   static_cast<std::size_t>(stride) +
               1;
    };
    const Matrix weights = xt::reshape_view(filters, {outputs, filters.size() / outputs});
    const Matrix product = matmul(weights, im2col(x, size, stride, padding));
    return xt::reshape_view(product, {outputs, extent(x.shape(1)), extent(x.shape(2))});
}

Tensor4 spare::batch_norm(const Tensor4& x, resnet::BatchNormState& state, bool training) {
    Tensor4 y = Tensor4::from_shape(x.shape());
    for (std::size_t c = 0; c < x.shape(1); ++c) {
        const auto channel = xt::view(x, xt::all(), c);
        double mean = static_cast<double>(state.running_mean[c]);
        double variance = static_cast<double>(state.running_var[c]);
        if (training) {
            const auto n = static_cast<double>(channel.size());
            mean = xt::sum<double>(channel)() / n;
            variance = xt::sum<double>(xt::square(channel - mean))() / n;
            state.running_mean[c] += 0.1f * (static_cast<float>(mean) - state.running_mean[c]);
            const double unbiased = variance * n / (n - 1);
            state.running_var[c] += 0.1f * (static_cast<float>(unbiased) - state.running_var[c]);
        }
        const double scale = static_cast<double>(state.gamma[c]) / std::sqrt(variance + 1e-5);
        xt::view(y, xt::all(), c) =
            xt::cast<float>((channel - mean) * scale + static_cast<double>(state.beta[c]));
    }
    return y;
}

Tensor spare::residual_block(resnet::ResidualParts& parts, const Tensor& x) {
    const Tensor y = parts.bn2(parts.conv2(relu(parts.bn1(parts.conv1(x)))));
    return relu(y + (parts.downsample.size() > 0 ? parts.downsample(x) : x));
}

double spare::amdahl_share(double before, double after, double k) {
    return (1 - after / before) / (1 - 1 / k);
}

}  // namespace lanes
