// Measures the training of lesson 09, a frozen ResNet-18 with a new last layer, for
// bench/resnet.py.
//
//   resnet plates FOLDER             writes 32 pictures to FOLDER/split/train and 8 to split/val
//   resnet workers FOLDER DEVICE N   an epoch whose pictures N worker processes read and crop
//   resnet resident FOLDER DEVICE    an epoch whose batches are in the memory of the device
//   resnet forward BATCH DEVICE      forward pass, evaluation mode
//   resnet decode FOLDER             one picture: read, decode, crop at random, normalize
//
// Prints seconds, the median of several turns. An epoch is training and validation in batches of 8.
#include "lanes/base.hpp"
#include "lanes/data.hpp"
#include "lanes/nn.hpp"
#include "lanes/tensor.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

using lanes::DataLoader, lanes::Device, lanes::ImageFolder, lanes::Tensor;

int print_median(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    std::printf("%.9f\n", seconds[seconds.size() / 2]);
    return 0;
}

int plates(const std::string& folder) {
    lanes::PlatesOptions options;
    options.test(2);
    lanes::write_plates(folder + "/plates", options);
    lanes::split_every(6, folder + "/plates/train", folder + "/split");
    return 0;
}

int epochs(const lanes::nn::Batches& train, const lanes::nn::Batches& val, const Device& device) {
    lanes::ResNet net = lanes::pretrained_resnet18();
    net.requires_grad_(false);
    net.fc = lanes::Linear(512, 2);
    net.to(device);
    lanes::Adam adam(net.fc.parameters(), 1e-3);
    lanes::StepLR schedule(adam, 7);
    lanes::TrainModelOptions options;
    options.num_epochs(device.is_cpu() ? 4 : 20);
    options.print(false);
    const auto result = lanes::nn::train(net, train, val, adam, &schedule, options);
    std::vector<double> seconds;
    for (const auto& epoch : result.epochs)
        seconds.push_back(epoch.train.seconds + epoch.val.seconds);
    seconds.erase(seconds.begin());  // compiles CUDA kernels and starts the workers
    return print_median(seconds);
}

int workers(const std::string& folder, const Device& device, int count) {
    DataLoader train(ImageFolder(folder + "/split/train", lanes::transforms::training()),
                     lanes::DataLoaderOptions().batch_size(8).shuffle(true).num_workers(count));
    DataLoader val(ImageFolder(folder + "/split/val", lanes::transforms::evaluation()),
                   lanes::DataLoaderOptions().batch_size(8).num_workers(count));
    return epochs(lanes::nn::batches_of(train), lanes::nn::batches_of(val), device);
}

int resident(const std::string& folder, const Device& device) {
    const auto load = [&](const std::string& phase) {
        std::vector<std::pair<Tensor, Tensor>> batches;
        const ImageFolder pictures(folder + "/split/" + phase, lanes::transforms::evaluation());
        for (auto& [x, y] : DataLoader(pictures, lanes::DataLoaderOptions().batch_size(8)))
            batches.emplace_back(x.to(device), y.to(device));
        return batches;
    };
    const auto train = load("train"), val = load("val");
    const auto visitor = [](const std::vector<std::pair<Tensor, Tensor>>& batches) {
        return [&batches](const lanes::nn::Visit& visit) {
            for (const auto& [x, y] : batches)
                if (!visit(x, y)) break;
        };
    };
    return epochs(visitor(train), visitor(val), device);
}

int forward(int batch, const Device& device) {
    const lanes::NoGrad no_grad;
    lanes::ResNet net = lanes::pretrained_resnet18();
    net.to(device);
    net.eval();
    const Tensor x = Tensor::randn({batch, 3, 224, 224}, device);
    const int calls = device.is_cpu() ? 1 : 20;
    std::vector<double> seconds;
    for (int turn = 0; turn < 9; ++turn) {
        const lanes::Timer timer;
        for (int i = 0; i < calls; ++i) net(x);
        device.synchronize();
        seconds.push_back(timer.seconds() / calls);
    }
    seconds.erase(seconds.begin());
    return print_median(seconds);
}

int decode(const std::string& folder) {
    const ImageFolder pictures(folder + "/split/train", lanes::transforms::training());
    lanes::Rng rng(1);
    std::vector<double> seconds;
    for (int turn = 0; turn < 9; ++turn) {
        const lanes::Timer timer;
        for (int round = 0; round < 5; ++round)
            for (std::size_t i = 0; i < pictures.size(); ++i) pictures.get(i, rng);
        seconds.push_back(timer.seconds() / 5 / static_cast<double>(pictures.size()));
    }
    return print_median(seconds);
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    const std::string what = words.empty() ? "" : words[0];
    if (what == "plates" && count == 3) return plates(words[1]);
    if (what == "workers" && count == 5) return workers(words[1], words[2], std::stoi(words[3]));
    if (what == "resident" && count == 4) return resident(words[1], words[2]);
    if (what == "forward" && count == 4) return forward(std::stoi(words[1]), words[2]);
    if (what == "decode" && count == 3) return decode(words[1]);
    return std::fprintf(stderr, "resnet plates|workers|resident|forward|decode …\n"), 2;
}
