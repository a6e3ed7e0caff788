// What the notebook 08b_training_step measures, tabulates and draws of training steps: launches,
// copies, times, and how well a formula predicts them.
//
//   const lanes::StepPhases phases(lanes::Device::best());
//   phases.show("08b_training_step/step");
//   lanes::TracedStep step(lanes::Device::best());
//   phases.show_traffic({{"a step", [&] { step(); }}});
#pragma once

#include "lanes/data/dataset.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/notebook/table.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

// One training step of 784-128-10 with 64 images, part by part.
class StepPhases {
public:
    explicit StepPhases(const Device& device);
    // Launches and bytes copied; times if the device is a GPU.
    void show(const std::string& recorded) const;
    // The times as a timeline: of this machine, or the recorded ones.
    void show_timeline() const;
    std::size_t launches() const;  // of all parts
    std::size_t bytes() const;     // copied

    // Launches, copies and bytes in both directions of each function.
    using NamedStep = std::pair<std::string, std::function<void()>>;
    void show_traffic(const std::vector<NamedStep>& steps) const;
    // Launches and copies of a step of networks with one to four layers.
    void show_launches_by_layers() const;
    // A step with 16 images, launch by launch and as a CUDA graph; without a GPU on the CPU.
    void show_captured_step(const std::string& recorded) const;

private:
    struct Phase {
        std::string name;
        double seconds = 0;
        std::size_t launches = 0, bytes = 0;
    };
    Table table() const;
    Device device_;
    std::vector<Phase> phases_;
};

// A training step of 784-128-10 with 8 images, which come from the CPU's memory each time.
class TracedStep {
public:
    explicit TracedStep(const Device& device);
    void operator()();
    std::vector<Tensor> parameters() const { return model_->parameters(); }

private:
    Device device_;
    std::shared_ptr<Sequential> model_;  // a copy of this object trains the same model
    std::shared_ptr<Optimizer> optimizer_;
    Tensor x_, y_;
};

// The constants by which a machine is described.
struct StepMachine {
    double latency;         // s, of a launch or a copy
    double copies;          // bytes/s, between the memories of CPU and GPU; infinite for a CPU
    double memory;          // bytes/s, of the device's own memory
    double flops;           // operations/s, of all cores together
    double cores = 1;       // of a CPU; a GPU counts as one
    double per_core = 4e6;  // operations of a product that are worth a core
};

StepMachine h200_data_sheet();  // the latency is assumed

// The machine at hand: its CPU measured, and its GPU, or that of a data sheet if there is none.
// latency: of a step of the network 4-4-2, divided by its launches and copies; the others: of large
// arrays.
struct StepMachines {
    StepMachines();
    StepMachine cpu, gpu;
    // Latency, copies, operations and cores.
    void show_constants(const std::string& recorded) const;
    // The bandwidths of both memories.
    void show_memories(const std::string& recorded) const;
};

// Nine training steps, three networks with batches of 1, 32 and 1024: predicted by a formula and
// measured, on the CPU and, if there is one, on the GPU.
class StepTimes {
public:
    using Seconds = std::function<double(const StepMachine& machine,
                                         const std::vector<std::size_t>& sizes, std::size_t batch)>;
    using Flop = std::function<double(const std::vector<std::size_t>& sizes, std::size_t batch)>;
    StepTimes(const StepMachines& machines, Seconds seconds, Flop flop);

    void show(const std::string& recorded) const;
    // Measured / predicted, of this machine and of the recorded one, and how many rows are within a
    // factor of 3.
    void show_factors() const;
    // Time by operations, of both devices of one machine.
    void show_crossing() const;
    // One epoch of training with batches of 64, of a tiny, a small and a large network, on the CPU
    // and, if there is one, on the GPU, beside the prediction of a step times their number.
    void show_epochs(const Dataset& images, const std::string& recorded) const;

private:
    StepMachine cpu_, gpu_;
    Seconds seconds_;
    Flop flop_;
    bool real_;
    std::vector<double> on_cpu_, on_gpu_;  // measured seconds; 0: not measured
};

namespace spare {
// The library's versions of what students write in 08b_training_step.
double step_flop(const std::vector<std::size_t>& sizes, std::size_t batch);
double step_bytes(const std::vector<std::size_t>& sizes, std::size_t batch);
double step_seconds(const StepMachine& machine, const std::vector<std::size_t>& sizes,
                    std::size_t batch);
}  // namespace spare

}  // namespace lanes
