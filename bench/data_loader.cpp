// Goes through Fashion-MNIST in batches of 64, alone or to train 784-128-10. Called by
// data_loader.py.
//
//   data_loader load WORKERS EPOCHS     microseconds per batch, best epoch
//   data_loader train EPOCHS SEED       seconds for all epochs, test accuracy in percent
#include "lanes/data.hpp"
#include "lanes/nn.hpp"
#include "lanes/tensor.hpp"

#include "lanes/base/timer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

int load(int workers, int epochs) {
    const auto data = lanes::load_fashion_mnist();
    lanes::DataLoader loader(
        data.train, lanes::DataLoaderOptions().batch_size(64).shuffle(true).num_workers(workers));
    double best = 1e9;
    std::size_t images = 0;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        const lanes::Timer timer;
        for (auto& [x, y] : loader) images += y.size();
        best = std::min(best, timer.seconds());
    }
    if (images != data.train.size() * static_cast<std::size_t>(epochs))
        return std::fprintf(stderr, "%zu images were loaded\n", images), 1;
    std::printf("%.3f\n", 1e6 * best / static_cast<double>(loader.size()));
    return 0;
}

int train(int epochs, std::uint64_t seed) {
    const auto data = lanes::load_fashion_mnist();
    lanes::manual_seed(seed);
    lanes::Sequential model{lanes::Linear(784, 128), lanes::ReLU(), lanes::Linear(128, 10)};
    lanes::SGD optimizer(model.parameters(), 0.1);
    lanes::DataLoader loader(data.train,
                             lanes::DataLoaderOptions().batch_size(64).shuffle(true).seed(seed));
    const lanes::Timer timer;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        for (auto& [x, y] : loader) {
            optimizer.zero_grad();
            lanes::Tensor loss = lanes::cross_entropy(model(x), y);
            loss.backward();
            optimizer.step();
        }
    }
    const double seconds = timer.seconds();
    const lanes::NoGrad no_grad;
    const auto [x, y] = lanes::to_tensors(data.test);
    std::printf("%.5f %.2f\n", seconds, 100 * lanes::accuracy(model(x), y));
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string what = count == 4 ? arguments[1] : "";
    if (what == "load") return load(std::atoi(arguments[2]), std::atoi(arguments[3]));
    if (what == "train")
        return train(std::atoi(arguments[2]), std::strtoull(arguments[3], nullptr, 10));
    std::fprintf(stderr, "data_loader load WORKERS EPOCHS | train EPOCHS SEED\n");
    return 2;
}
