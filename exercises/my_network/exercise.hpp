// Lesson 04b: a network whose batches are made by worker processes, which fit starts and ends.
#pragma once

#include "lanes/mlp/network.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes::exercises {

class MyNetworkClass : public Exercise {
public:
    MyNetworkClass();

    // N is made as N(sizes, options) and has fit(training, epochs, workers) and
    // create_batches(training).
    template <class N>
    void check() const {
        static_assert(std::is_base_of_v<NeuralNetwork, N>,
                      "MyNetwork: it derives from lanes::NeuralNetwork.");
        static_assert(std::is_constructible_v<N, Sizes, TrainingOptions>,
                      "MyNetwork: it is made as MyNetwork(sizes, options). Leave the line `using "
                      "NeuralNetwork::NeuralNetwork;` in the class.");
        check_made([](const Sizes& sizes, const TrainingOptions& options, const Seen& seen) {
            auto network = std::make_shared<Watched<N>>(sizes, options);
            network->seen = seen;
            Made made;
            made.network = network;
            made.fit = [network](const Dataset& training, std::size_t epochs, int workers) {
                static_cast<N&>(*network).fit(training, epochs, workers);
            };
            return made;
        });
    }

    using Seen = std::function<void(const std::vector<Batch>&)>;
    struct Made {
        std::shared_ptr<NeuralNetwork> network;
        std::function<void(const Dataset& training, std::size_t epochs, int workers)> fit;
    };
    using Make = std::function<Made(const Sizes&, const TrainingOptions&, const Seen&)>;

private:
    // Shows the check each epoch's batches.
    template <class N>
    struct Watched : N {
        using N::N;
        std::vector<Batch> create_batches(const Dataset& training) override {
            std::vector<Batch> batches = N::create_batches(training);
            if (seen) seen(batches);
            return batches;
        }
        Seen seen;
    };

    void check_made(const Make& make) const;
};
inline MyNetworkClass my_network() { return {}; }

}  // namespace lanes::exercises
