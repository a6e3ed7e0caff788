// What the notebook 08_gpu_training measures and shows: the free memory of GPUs, the times of
// copies, and a training on Fashion-MNIST whose loop students write.
//
//   const lanes::Device device =
//       lanes::FreeMemory::device_by(lanes::spare::choose_device, 1e9);
//   lanes::FashionTask fashion;
//   fashion.show();
//   const auto accuracies = fashion.show_training(lanes::spare::train_on, 1, device);
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/nn/layers.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

struct FreeMemory {
    std::string device;  // "cuda:0"
    double bytes = 0;    // free at the moment

    static std::vector<FreeMemory> of_gpus();  // none if there is no GPU
    // The device that an answer chooses for this machine; the library's choice if the answer is not
    // filled in.
    using Choice = std::function<std::string(const std::vector<FreeMemory>& gpus, double needed)>;
    static Device device_by(const Choice& choose, double needed);
};

// The times of copies to the GPU, from pageable and from pinned memory, beside the recorded ones.
// Returns the smallest size in kB, of those in the table, at which a copy from pinned memory has at
// least half of the largest bandwidth.
double show_copies(const std::string& recorded);

// A network 784-128-10, and Fashion-MNIST in batches of 64. The images of `train` come in a new
// random order in each epoch.
class FashionTask {
public:
    FashionTask();
    Sequential model;
    DataLoader<2> train, validation, test;

    void show() const;  // ten images of `train` with the names of their classes

    using AccuracyOn = std::function<double(Module&, DataLoader<2>&, const Device&)>;
    using TrainOn = std::function<std::vector<double>(Module&, DataLoader<2>&, DataLoader<2>&, int,
                                                      const Device&)>;
    // Trains `model` by an answer, or by the library if it is not filled in. Draws the accuracies
    // that it returns, and names device and time.
    std::vector<double> show_training(const TrainOn& train_on, int epochs, const Device& device);
    // The accuracy with the test set, 0 to 1.
    double show_test(const AccuracyOn& accuracy_on, const Device& device);
};

// The library's versions of what students write in this notebook.
namespace spare {
std::string choose_device(const std::vector<FreeMemory>& gpus, double needed);
double accuracy_on(Module& model, DataLoader<2>& batches, const Device& device);
std::vector<double> train_on(Module& model, DataLoader<2>& training, DataLoader<2>& validation,
                             int epochs, const Device& device);
}  // namespace spare

}  // namespace lanes
