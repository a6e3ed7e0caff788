#include "lanes/lesson/device_training.hpp"

#include "gpu_times.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/gpu/buffer.hpp"
#include "lanes/gpu/pinned_buffer.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/notebook/display.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <iostream>

namespace lanes {

std::vector<FreeMemory> FreeMemory::of_gpus() {
    std::vector<FreeMemory> gpus;
    for (const Device& device : Device::all())
        if (!device.is_cpu() && !device.is_simulator())
            gpus.push_back({device.id(), static_cast<double>(device.free_bytes())});
    return gpus;
}

Device FreeMemory::device_by(const Choice& choose, double needed) {
    return answer_or(choose, spare::choose_device)(of_gpus(), needed);
}

namespace {

std::vector<std::string> times_of_copies(std::size_t kilobytes) {
    std::vector<std::string> cells{std::to_string(kilobytes) + " kB"};
    if (!lesson::has_gpu()) {
        cells.resize(5, lesson::no_gpu);
        return cells;
    }
    const Device device = Device::best();
    const std::size_t count = kilobytes * 256;  // a float has 4 bytes
    const std::vector<float> pageable(count, 1.0f);
    const PinnedBuffer<float> pinned(device, count);
    Buffer<float> there(device, count);
    const auto add = [&](const auto& from) {
        const double seconds = seconds_per_call(10, [&] {
            there.upload(from);
            device.synchronize();  // until it has arrived
        });
        cells.push_back(with_unit(1e6 * seconds, "us"));
        cells.push_back(with_unit(4e-9 * static_cast<double>(count) / seconds, "GB/s"));
    };
    add(pageable);
    add(pinned);
    return cells;
}

double kilobytes_for_half_of_the_bandwidth(const Table& table) {
    constexpr std::size_t size = 0, bandwidth = 4;
    double largest = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
        largest = std::max(largest, table.number(row, bandwidth));
    std::size_t row = 0;
    while (table.number(row, bandwidth) < largest / 2) ++row;
    return table.number(row, size);
}

}  // namespace

double show_copies(const std::string& recorded) {
    Table table(
        {"size", "from pageable memory", "bandwidth", "from pinned memory", "pinned bandwidth"});
    for (const std::size_t kilobytes : {4, 64, 1024, 16384, 65536})
        table.row(times_of_copies(kilobytes));
    lesson::show_recorded(table, recorded);
    Table buffer({"size"});
    const Table* measured = lesson::measured_or(table, recorded, buffer);
    LANES_REQUIRE(measured, "show_copies: there is neither a GPU nor a recorded run");
    return kilobytes_for_half_of_the_bandwidth(*measured);
}

namespace {

const std::vector<std::string> classes{"T-shirt", "trouser", "pullover", "dress", "coat",
                                       "sandal",  "shirt",   "sneaker",  "bag",   "boot"};
constexpr double rate = 0.05, momentum = 0.9;

Sequential first_model() {
    manual_seed(8);
    return Sequential{Linear(784, 128), ReLU(), Linear(128, 10)};
}

DataLoaderOptions batches() { return DataLoaderOptions().batch_size(64); }

}  // namespace

FashionTask::FashionTask()
    : model(first_model()),
      train(load_fashion_mnist().train, batches().shuffle(true)),
      validation(load_fashion_mnist().validation, batches()),
      test(load_fashion_mnist().test, batches()) {}

void FashionTask::show() const {
    const Dataset images = load_fashion_mnist().train;
    std::vector<Matrix> pictures;
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < 10; ++i) {
        pictures.push_back(images.image(i));
        titles.push_back(classes[xt::argmax(xt::view(images.y, i))()]);
    }
    show_images(pictures, titles);
}

std::vector<double> FashionTask::show_training(const TrainOn& train_on, int epochs,
                                               const Device& device) {
    const Timer timer;
    const std::vector<double> accuracies =
        answer_or(train_on, spare::train_on)(model, train, validation, epochs, device);
    const double seconds = timer.seconds();
    LANES_REQUIRE(accuracies.size() == static_cast<std::size_t>(epochs), "train_on returned ",
                  accuracies.size(), " accuracies for ", epochs, " epochs");
    Plot plot("Fashion-MNIST, 784-128-10");
    plot.x("epoch").y("validation accuracy");
    plot.line("validation", accuracies);
    plot.show();
    std::cout << "trained on " << device << " in " << with_unit(seconds, "s") << '\n';
    return accuracies;
}

double FashionTask::show_test(const AccuracyOn& accuracy_on, const Device& device) {
    const double accuracy = answer_or(accuracy_on, spare::accuracy_on)(model, test, device);
    std::cout << "test accuracy: " << with_unit(100 * accuracy, "%") << '\n';
    return accuracy;
}

std::string spare::choose_device(const std::vector<FreeMemory>& gpus, double needed) {
    const auto most = std::max_element(
        gpus.begin(), gpus.end(),
        [](const FreeMemory& a, const FreeMemory& b) { return a.bytes < b.bytes; });
    return most != gpus.end() && most->bytes >= needed ? most->device : "cpu";
}

double spare::accuracy_on(Module& model, DataLoader<2>& batches, const Device& device) {
    const NoGrad no_grad;
    model.eval();
    double right = 0, images = 0;
    for (auto& [x, y] : batches) {
        const auto here = static_cast<double>(y.size());
        right += here * static_cast<double>(accuracy(model(x.to(device)), y.to(device)));
        images += here;
    }
    model.train();
    return right / images;
}

std::vector<double> spare::train_on(Module& model, DataLoader<2>& training,
                                    DataLoader<2>& validation, int epochs, const Device& device) {
    model.to(device);
    SGD optimizer(model.parameters(), rate, SGDOptions().momentum(momentum));
    std::vector<double> accuracies;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        for (auto& [x, y] : training) {
            Tensor loss = cross_entropy(model(x.to(device)), y.to(device));
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
        }
        accuracies.push_back(accuracy_on(model, validation, device));
    }
    return accuracies;
}

}  // namespace lanes
