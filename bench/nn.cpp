// Trains the network of assignment 1 and prints one line a run: what, seconds an epoch (median,
// training alone), test accuracy. Called by nn.py.
//
//   nn fused|matmul EPOCHS SEED
#include "lanes/nn.hpp"
#include "lanes/array.hpp"
#include "lanes/data.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int count, char** arguments) {
    if (count != 4) return std::fprintf(stderr, "nn fused|matmul EPOCHS SEED\n"), 2;
    const std::string how = arguments[1];
    const auto data = lanes::load_mnist();
    lanes::Matmul matmul;
    if (how == "matmul")
        matmul = [](const lanes::Matrix& a, const lanes::Matrix& b) { return lanes::matmul(a, b); };
    lanes::NeuralNetwork network({784, 128, 64, 10}, 0.1, 16, lanes::all_batches,
                                 std::strtoul(arguments[2], nullptr, 10), matmul,
                                 std::strtoull(arguments[3], nullptr, 10));
    network.print_epochs(false);
    network.fit(data.train);
    std::vector<double> seconds;
    for (const lanes::EpochReport& epoch : network.history()) seconds.push_back(epoch.seconds);
    if (seconds.empty()) return std::fprintf(stderr, "nn: at least one epoch\n"), 2;
    std::sort(seconds.begin(), seconds.end());
    std::printf("%s %.5f %.5f %.2f\n", how.c_str(), seconds[seconds.size() / 2], seconds.front(),
                network.validate(data.test));
}
