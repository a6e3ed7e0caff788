// Trains the network of assignment 1 and prints one line: the step, seconds per epoch (median and
// best, training only), test accuracy in percent. Called by mlp.py.
//
//   mlp own|matmul EPOCHS SEED
#include "lanes/mlp.hpp"
#include "lanes/array.hpp"
#include "lanes/data.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int count, char** arguments) {
    if (count != 4) return std::fprintf(stderr, "mlp own|matmul EPOCHS SEED\n"), 2;
    const std::string how = arguments[1];
    const auto data = lanes::load_mnist();
    lanes::TrainingOptions options;
    options.seed(std::strtoull(arguments[3], nullptr, 10));
    lanes::NetworkParts parts;
    if (how == "matmul")
        parts.matmul = [](const lanes::Matrix& a, const lanes::Matrix& b) {
            return lanes::matmul(a, b);
        };
    lanes::NeuralNetwork network({784, 128, 64, 10}, options, parts);
    network.fit(data.train, std::strtoul(arguments[2], nullptr, 10));
    std::vector<double> seconds;
    for (const lanes::EpochReport& epoch : network.history()) seconds.push_back(epoch.seconds);
    if (seconds.empty()) return std::fprintf(stderr, "mlp: at least one epoch\n"), 2;
    std::sort(seconds.begin(), seconds.end());
    std::printf("%s %.5f %.5f %.2f\n", how.c_str(), seconds[seconds.size() / 2], seconds.front(),
                100 * network.accuracy(data.test));
}
