#include "lanes/lesson/plates_training.hpp"

#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numeric>
#include <utility>

namespace lanes::plates {

OwnOptimizer::OwnOptimizer(std::vector<Tensor> parameters, double learning_rate, Step step)
    : Optimizer("OwnOptimizer", std::move(parameters), learning_rate, "", ""),
      step_(std::move(step)) {}

void OwnOptimizer::step_impl(const std::vector<tensor::Update>& updates, Tensor& /*settings*/) {
    const NoGrad no_grad;
    for (const tensor::Update& update : updates) {
        const std::vector<float> weights = update.parameter.cpu().to_vector();
        const std::vector<float> gradient = update.gradient.cpu().to_vector();
        AdamState& state = states_[update.parameter.impl().get()];
        state.w.assign(weights.begin(), weights.end());
        state.m.resize(weights.size());
        state.v.resize(weights.size());
        step_(state, {gradient.begin(), gradient.end()}, learning_rate());
        const std::vector<float> changed(state.w.begin(), state.w.end());
        Tensor(update.parameter)
            .copy_(
                Tensor::from(changed, update.parameter.device()).reshape(update.parameter.shape()));
    }
}

namespace {

constexpr std::size_t size = 224;  // of a side

ColorImage turned(const ColorImage& image) {
    ColorImage result = ColorImage::from_shape({image.shape(1), image.shape(0), image.shape(2)});
    for (std::size_t i = 0; i < image.shape(0); ++i)
        for (std::size_t j = 0; j < image.shape(1); ++j)
            for (std::size_t c = 0; c < image.shape(2); ++c) result(j, i, c) = image(i, j, c);
    return result;
}

}  // namespace

transforms::Transform resized(const ResizeRows& resize_rows) {
    return [resize_rows](Picture picture, Rng&) {
        const ColorImage high = resize_rows(picture.pixels(), size);
        return Picture(turned(resize_rows(turned(high), size)));
    };
}

transforms::Transform random_part(const CropAndFlip& crop_and_flip, std::array<double, 2> scale) {
    const transforms::RandomResizedCrop boxes(size, scale);
    return [crop_and_flip, boxes](Picture picture, Rng& rng) {
        const CropBox box = boxes.draw(picture.rows(), picture.columns(), rng);
        const bool flip = rng.uniform() < 0.5;
        return Picture(
            crop_and_flip(picture.pixels(), box.top, box.left, box.rows, box.columns, flip));
    };
}

transforms::Transform to_input(const Normalise& normalise) {
    return [normalise](Picture picture, Rng&) {
        return Picture(Tensor::from(normalise(picture.pixels(), transforms::imagenet_mean,
                                              transforms::imagenet_deviation)));
    };
}

ResNet pretrained() {
    const std::string file = "resnet18-f37072fd.pth";
    const bool is_there = std::filesystem::exists(file);
    std::cout << (is_there ? "The weights are those of torchvision, " + file + ".\n"
                           : "The weights are those of the course, trained on Tiny ImageNet.\n");
    manual_seed(9);
    return pretrained_resnet18(is_there ? file : "");
}

namespace {

// The bar of a training; full when the function that shows it is gone after the last epoch.
class EpochBar {
public:
    explicit EpochBar(int epochs)
        : epochs_(epochs), bar_("training, epoch", static_cast<std::size_t>(epochs)) {}
    EpochBar(const EpochBar&) = delete;
    EpochBar& operator=(const EpochBar&) = delete;
    ~EpochBar() {
        if (last_ + 1 < epochs_ || std::uncaught_exceptions() > 0) return;
        try {
            bar_.advance();
        } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the interrupt button, after the
                                  // last epoch
        }
    }

    void begin(int epoch) {
        bar_.at(static_cast<std::size_t>(epoch));
        last_ = epoch;
    }

private:
    int epochs_;
    int last_ = -1;
    Progress bar_;
};

}  // namespace

Rate with_bar(const Rate& rate, int num_epochs) {
    const auto bar = std::make_shared<EpochBar>(num_epochs);
    return [rate, bar](int epoch) {
        bar->begin(epoch);
        return rate(epoch);
    };
}

namespace {

TensorDataset<2> in_memory(const ImageFolder& folder) {  // 64 x 64 pixels
    const ImageFolder small = folder.with(transforms::evaluation(64));
    DataLoader loader(small, DataLoaderOptions().batch_size(small.size()));
    for (auto& [x, y] : loader) return TensorDataset<2>(x, y);
    throw Error("from_scratch: the folder is empty.");
}

}  // namespace

std::vector<TrainedEpoch> from_scratch(const ImageFolder& train, const ImageFolder& val,
                                       const TrainModel& train_model,
                                       const OwnOptimizer::Step& step) {
    manual_seed(9);
    const auto halving = Conv2dOptions().stride(2).padding(1);
    Sequential network{Conv2d(3, 16, 3, halving),
                       ReLU(),
                       Conv2d(16, 32, 3, halving),
                       ReLU(),
                       MaxPool2d(2),
                       Flatten(),
                       Linear(std::size_t{32} * 8 * 8, 2)};
    DataLoader<2> train_batches(in_memory(train), DataLoaderOptions().batch_size(8).shuffle(true));
    DataLoader<2> val_batches(in_memory(val), DataLoaderOptions().batch_size(8));
    OwnOptimizer optimizer(network.parameters(), 1e-3, step);
    constexpr int epochs = 40;
    return train_model(network, train_batches, val_batches, optimizer,
                       with_bar([](int) { return 1e-3; }, epochs), epochs);
}

Features features_of(ResNet& net, DataLoader<2>& pictures) {
    const NoGrad no_grad;
    const Device device = net.parameters().front().device();
    net.eval();
    Progress bar("features, batch", pictures.size());
    std::vector<Tensor> parts;
    Features features;
    for (auto& [x, y] : pictures) {
        parts.push_back(net.features(x.to(device)).cpu());
        for (const int label : y.to_vector<int>()) features.labels.push_back(label);
        bar.advance();
    }
    features.x = cat(parts);
    return features;
}

namespace {

TensorDataset<2> rows_of(const Features& features, const std::vector<int>& rows) {
    std::vector<int> labels;
    labels.reserve(rows.size());
    for (const int row : rows) labels.push_back(features.labels[static_cast<std::size_t>(row)]);
    return TensorDataset<2>(index_select(features.x, Tensor::from(rows)), Tensor::from(labels));
}

}  // namespace

Linear train_head(const Features& features, const std::vector<int>& pictures, const Rate& rate) {
    manual_seed(9);
    Linear head(512, 2);
    Adam optimizer(head.parameters(), 1e-3);
    DataLoader<2> batches(rows_of(features, pictures),
                          DataLoaderOptions().batch_size(8).shuffle(true));
    for (int epoch = 0; epoch < 100; ++epoch) {
        optimizer.set_learning_rate(rate(epoch));
        spare::run_phase(head, batches, &optimizer);
    }
    return head;
}

Linear train_head(const Features& features, const Rate& rate) {
    std::vector<int> all(features.labels.size());
    std::iota(all.begin(), all.end(), 0);
    return train_head(features, all, rate);
}

AccuracyOf head_trainer(const Features& features, const Rate& rate) {
    return [features, rate](const std::vector<int>& train, const std::vector<int>& val) {
        Linear head = train_head(features, train, rate);
        DataLoader<2> batches(rows_of(features, val), DataLoaderOptions().batch_size(8));
        return spare::run_phase(head, batches, nullptr).accuracy;
    };
}

void show_validation(const Features& features, const CrossValidate& cross_validate,
                     const std::vector<std::pair<std::string, Rate>>& rates) {
    Table table({"learning rate", "first part alone", "all six parts"});
    const auto pictures = static_cast<int>(features.labels.size());
    for (const auto& [name, rate] : rates) {
        const AccuracyOf accuracy_of = head_trainer(features, rate);
        double first = -1;
        const double all = cross_validate(
            pictures, 6, [&](const std::vector<int>& train, const std::vector<int>& val) {
                const double accuracy = accuracy_of(train, val);
                if (first < 0) first = accuracy;
                return accuracy;
            });
        table.row(name, with_unit(100 * first, "%"), with_unit(100 * all, "%"));
    }
    table.note("accuracy in validation, of " + std::to_string(pictures) + " pictures").show();
}

DeviceTimes times_on_cpu(ResNet& net, const ImageFolder& train, const ImageFolder& val,
                         const ImageFolder& test, int epochs) {
    const Device before = net.parameters().front().device();
    net.to(Device::cpu());
    DataLoader<2> train_batches = spare::make_loader(train, true);
    DataLoader<2> val_batches = spare::make_loader(val, false);
    DataLoader<2> test_batches = spare::make_loader(test, false);
    DeviceTimes times{Device::cpu().id(), epochs, 0, test.size(), 0};
    Adam optimizer(net.fc.parameters(), 0);  // a rate of 0: the weights stay as they are
    const Timer timer;
    spare::train_model(net, train_batches, val_batches, optimizer, [](int) { return 0.0; }, epochs);
    times.training = timer.seconds();
    times.test = spare::predict(net, test_batches).seconds;
    net.to(before);
    return times;
}

void show_times(const std::vector<DeviceTimes>& times, const std::string& recorded) {
    Table table({"time", "CPU", "GPU"});
    const auto row = [&](const char* name, const auto& cell_of) {
        std::vector<std::string> cells{name, "not measured", "no GPU here"};
        for (const DeviceTimes& one : times)
            cells[one.device == Device::cpu().id() ? 1 : 2] = cell_of(one);
        table.row(cells);
    };
    row("training", [](const DeviceTimes& one) {
        return with_unit(one.training, "s") + " for " + std::to_string(one.epochs) + " epochs";
    });
    row("per epoch",
        [](const DeviceTimes& one) { return with_unit(one.training / one.epochs, "s"); });
    row("test set", [](const DeviceTimes& one) {
        return with_unit(one.test, "s") + " for " + std::to_string(one.pictures) + " pictures";
    });
    row("per picture", [](const DeviceTimes& one) {
        return with_unit(1e3 * one.test / static_cast<double>(one.pictures), "ms");
    });
    table.note(machine_line()).recorded(recorded).show();
}

}  // namespace lanes::plates
