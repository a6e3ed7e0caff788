// Accuracy on the 744 test plates of lesson 09 after training on 32 of the 40 labelled ones
// (without every sixth), with the weights of the last epoch. Called by plates.py.
//
//   plates frozen SEEDS    a linear layer on the features of the pretrained ResNet-18, which stays
//                          in evaluation mode: they are computed once. Adam 1e-3, 100 epochs
//   plates scratch SEEDS   a small network on 64 x 64 pixels, as in the lesson. 40 epochs
//   plates project SEEDS   the protocol of the project: random crops, training mode, StepLR(7)
//
// Prints one accuracy in percent per seed. The seeds are those of the weights and of the order of
// the batches; the plates are always the same. Files are written to the current folder.
#include "lanes/data.hpp"
#include "lanes/nn.hpp"
#include "lanes/tensor.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using lanes::DataLoader;
using lanes::ImageFolder;
using lanes::Tensor;
using lanes::TensorDataset;

struct Plates {
    ImageFolder train{"split/train", lanes::transforms::training()};
    ImageFolder val{"split/val", lanes::transforms::evaluation()};
    ImageFolder test{"plates/test", lanes::transforms::evaluation()};
    Tensor labels = Tensor::from(lanes::read_test_labels("plates"));
};

// What `of_batch` makes of all pictures, whole and always in the same order.
template <class OfBatch>
TensorDataset<2> computed_once(const ImageFolder& folder, std::size_t size, OfBatch&& of_batch) {
    DataLoader loader(folder.with(lanes::transforms::evaluation(size)),
                      lanes::DataLoaderOptions().batch_size(8).num_workers(2));
    std::vector<float> numbers;
    std::vector<int> labels;
    lanes::Shape shape;
    for (auto& [x, y] : loader) {
        const Tensor made = of_batch(x);
        shape = made.shape();
        const std::vector<float> more = made.to_vector();
        numbers.insert(numbers.end(), more.begin(), more.end());
        for (const int label : y.to_vector<int>()) labels.push_back(label);
    }
    shape[0] = labels.size();
    return TensorDataset<2>(Tensor::from(numbers).reshape(shape), Tensor::from(labels));
}

// The accuracy after the last epoch, in percent.
template <std::size_t N>
double trained(lanes::Module& module, DataLoader<N>& train, DataLoader<N>& val, DataLoader<N>& test,
               lanes::Optimizer& optimizer, lanes::Scheduler& scheduler, std::size_t epochs,
               const Tensor& labels) {
    double accuracy = 0;
    lanes::TrainModelOptions options;
    options.num_epochs(epochs);
    options.print(false);
    options.on_epoch([&](std::size_t epoch, const lanes::TrainedEpoch&) {
        if (epoch + 1 == epochs)
            accuracy = 100 * lanes::accuracy(lanes::predict(module, test), labels);
    });
    lanes::train_model(module, train, val, optimizer, scheduler, options);
    return accuracy;
}

void print(double accuracy) {
    std::printf("%.3f\n", accuracy);
    std::fflush(stdout);
}

void frozen(const Plates& plates, std::uint64_t seeds) {
    lanes::ResNet net = lanes::pretrained_resnet18();
    net.eval();
    const auto features = [&](const Tensor& x) {
        const lanes::NoGrad no_grad;
        return net.features(x);
    };
    const auto of_train = computed_once(plates.train, 224, features);
    const auto of_val = computed_once(plates.val, 224, features);
    DataLoader test(computed_once(plates.test, 224, features),
                    lanes::DataLoaderOptions().batch_size(8));
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        lanes::manual_seed(seed);
        lanes::Linear head(512, 2);
        lanes::Adam adam(head.parameters(), 1e-3);
        lanes::StepLR constant(adam, 1000);
        DataLoader train(of_train,
                         lanes::DataLoaderOptions().batch_size(8).shuffle(true).seed(seed));
        DataLoader val(of_val, lanes::DataLoaderOptions().batch_size(8));
        print(trained(head, train, val, test, adam, constant, 100, plates.labels));
    }
}

void scratch(const Plates& plates, std::uint64_t seeds) {
    const auto same = [](const Tensor& x) { return x; };
    const auto of_train = computed_once(plates.train, 64, same);
    const auto of_val = computed_once(plates.val, 64, same);
    DataLoader test(computed_once(plates.test, 64, same), lanes::DataLoaderOptions().batch_size(8));
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        lanes::manual_seed(seed);
        const auto halving = lanes::Conv2dOptions().stride(2).padding(1);
        lanes::Sequential net{lanes::Conv2d(3, 16, 3, halving),
                              lanes::ReLU(),
                              lanes::Conv2d(16, 32, 3, halving),
                              lanes::ReLU(),
                              lanes::MaxPool2d(2),
                              lanes::Flatten(),
                              lanes::Linear(32 * 8 * 8, 2)};
        lanes::Adam adam(net.parameters(), 1e-3);
        lanes::StepLR constant(adam, 1000);
        DataLoader train(of_train,
                         lanes::DataLoaderOptions().batch_size(8).shuffle(true).seed(seed));
        DataLoader val(of_val, lanes::DataLoaderOptions().batch_size(8));
        print(trained(net, train, val, test, adam, constant, 40, plates.labels));
    }
}

void project(const Plates& plates, std::uint64_t seeds) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        lanes::manual_seed(seed);
        lanes::ResNet net = lanes::pretrained_resnet18();
        net.requires_grad_(false);
        net.fc = lanes::Linear(512, 2);
        lanes::Adam adam(net.fc.parameters(), 1e-3);
        lanes::StepLR schedule(adam, 7);
        DataLoader train(
            plates.train,
            lanes::DataLoaderOptions().batch_size(8).shuffle(true).num_workers(2).seed(seed));
        DataLoader val(plates.val, lanes::DataLoaderOptions().batch_size(8).num_workers(1));
        DataLoader test(plates.test, lanes::DataLoaderOptions().batch_size(8).num_workers(2));
        // After 28 epochs the learning rate is 1e-7: nothing changes any more.
        print(trained(net, train, val, test, adam, schedule, 28, plates.labels));
    }
}

}  // namespace

int main(int count, char** arguments) {
    const std::string what = count == 3 ? arguments[1] : "";
    if (what != "frozen" && what != "scratch" && what != "project")
        return std::fprintf(stderr, "plates frozen|scratch|project SEEDS\n"), 2;
    lanes::write_plates("plates");
    lanes::split_every(6, "plates/train", "split");
    const Plates plates;
    const std::uint64_t seeds = std::strtoull(arguments[2], nullptr, 10);
    if (what == "frozen") frozen(plates, seeds);
    if (what == "scratch") scratch(plates, seeds);
    if (what == "project") project(plates, seeds);
    return 0;
}
