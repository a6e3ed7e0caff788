#include "lanes/lesson/step_times.hpp"

#include "layered_model.hpp"

#include "array/gemm.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/data/tensor_dataset.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/tensor/ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>

namespace lanes {

using lesson::labels_of, lesson::layered_model, lesson::name_of, lesson::Sizes;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double per_core = 2 * gemm_worth_a_thread;  // a multiplication and an addition

struct NamedNetwork {
    std::string name;
    Sizes sizes;
};

const std::vector<NamedNetwork>& networks() {
    static const std::vector<NamedNetwork> all{{"small", {784, 128, 10}},
                                               {"medium", {784, 1024, 1024, 10}},
                                               {"large", {784, 4096, 4096, 4096, 10}}};
    return all;
}

struct Step {
    std::string name;  // "small, 32"
    Sizes sizes;
    std::size_t batch;
};

const std::vector<Step>& nine_steps() {
    static const std::vector<Step> all = [] {
        std::vector<Step> steps;
        for (const auto& [name, sizes] : networks())
            for (const std::size_t batch : {1, 32, 1024})
                steps.push_back({name + ", " + std::to_string(batch), sizes, batch});
        return steps;
    }();
    return all;
}

std::string ms(double seconds) { return with_unit(1e3 * seconds, "ms"); }

// Seconds of a step that waits for its end, in the best of some rounds.
double measured_step(const Device& device, const Sizes& sizes, std::size_t batch, int rounds,
                     int calls) {
    Sequential model = layered_model(sizes);
    model.to(device);
    SGD optimizer(model.parameters(), 0.01);
    const Tensor x = Tensor::rand({batch, sizes.front()}), y = labels_of(batch);
    const auto step = [&] {
        Tensor loss = cross_entropy(model(x.to(device)), y.to(device));
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        device.synchronize();
    };
    step();
    return best_of(rounds, Calls{calls}, step);
}

}  // namespace

// --- machines

namespace {

double bytes_of(const Tensor& x) { return 4.0 * static_cast<double>(x.size()); }

StepMachine measured_machine(const Device& device) {
    StepMachine machine{};
    constexpr int layers = 2;
    machine.latency = measured_step(device, {4, 4, 2}, 1, 5, 200) / (4 * layers + 6);
    const auto seconds = [&](int calls, const std::function<void()>& f) {
        f();
        return best_of(3,
                       [&] {
                           for (int i = 0; i < calls; ++i) f();
                           device.synchronize();
                       }) /
               calls;
    };
    const std::size_t n = device.is_cpu() ? 1024 : 4096;  // large enough for all cores
    const Tensor square = Tensor::ones({n, n}, device);
    machine.flops = 2.0 * std::pow(n, 3) / seconds(3, [&] { matmul(square, square); });
    if (device.is_cpu()) machine.cores = num_cores();
    machine.per_core = per_core;
    const Tensor large = Tensor::ones({std::size_t{1} << 24}, device);  // 64 MiB
    Tensor sum = Tensor::zeros({std::size_t{1} << 24}, device);
    // add_ reads two numbers and writes one
    machine.memory = 3 * bytes_of(large) / seconds(4, [&] { sum.add_(large); });
    const Tensor here = Tensor::ones({std::size_t{1} << 22});
    machine.copies =
        device.is_cpu() ? infinite : bytes_of(here) / seconds(1, [&] { here.to(device); });
    return machine;
}

std::string note_of_machines() {
    return machine_line() + (Device::has_gpu() ? "" : "; GPU: an NVIDIA H200 by its data sheet");
}

}  // namespace

StepMachine h200_data_sheet() { return {5e-6, 64e9, 4.8e12, 67e12}; }

StepMachines::StepMachines()
    : cpu(measured_machine(Device::cpu())),
      gpu(Device::has_gpu() ? measured_machine(Device::best()) : h200_data_sheet()) {}

void StepMachines::show_constants(const std::string& recorded) const {
    Table table({"constant", "CPU", "GPU"});
    table.row("L, latency of an operation", with_unit(1e6 * cpu.latency, "us"),
              with_unit(1e6 * gpu.latency, "us"));
    table.row("B, bandwidth of copies", "no copies", with_unit(1e-9 * gpu.copies, "GB/s"));
    table.row("F, operations", with_unit(1e-9 * cpu.flops, "GFLOP/s"),
              with_unit(1e-9 * gpu.flops, "GFLOP/s"));
    table.row("C, cores", with_unit(cpu.cores, cpu.cores == 1 ? "core" : "cores"), "counts as 1");
    table.note(note_of_machines()).recorded(recorded).show();
}

void StepMachines::show_memories(const std::string& recorded) const {
    Table table({"constant", "CPU", "GPU"});
    table.row("M, bandwidth of its own memory", with_unit(1e-9 * cpu.memory, "GB/s"),
              with_unit(1e-9 * gpu.memory, "GB/s"));
    table.note(note_of_machines()).recorded(recorded).show();
}

// --- nine steps

StepTimes::StepTimes(const StepMachines& machines, Seconds seconds, Flop flop)
    : cpu_(machines.cpu),
      gpu_(machines.gpu),
      seconds_(std::move(seconds)),
      flop_(std::move(flop)),
      real_(Device::has_gpu()) {
    Progress progress("measuring, step", nine_steps().size());
    std::size_t done = 0;
    for (const Step& step : nine_steps()) {
        // A step that takes seconds is not measured on the CPU.
        const bool short_on_cpu = spare::step_flop(step.sizes, step.batch) < 8e9;
        on_cpu_.push_back(short_on_cpu ? measured_step(Device::cpu(), step.sizes, step.batch, 2, 1)
                                       : 0);
        on_gpu_.push_back(real_ ? measured_step("cuda:0", step.sizes, step.batch, 3, 2) : 0);
        progress.at(++done);
    }
    progress.done();
}

void StepTimes::show(const std::string& recorded) const {
    Table table({"network, batch", "operations", "CPU", "CPU predicted", "GPU", "GPU predicted"});
    for (std::size_t i = 0; i < nine_steps().size(); ++i) {
        const auto& [name, sizes, batch] = nine_steps()[i];
        table.row(name, with_unit(1e-9 * flop_(sizes, batch), "GFLOP"),
                  on_cpu_[i] > 0 ? ms(on_cpu_[i]) : "-", ms(seconds_(cpu_, sizes, batch)),
                  on_gpu_[i] > 0 ? ms(on_gpu_[i]) : "-", ms(seconds_(gpu_, sizes, batch)));
    }
    table.note(machine_line()).recorded(recorded).show();
}

namespace {

// What measurement / prediction is, in words that are ignored when outputs are compared.
struct Factors {
    std::size_t rows = 0, near = 0;
    std::string of(double measured, double predicted) {
        if (measured <= 0) return "-";
        const double factor = measured / predicted;
        ++rows;
        if (factor <= 3 && factor >= 1.0 / 3) ++near;
        return with_unit(factor, "x");
    }
};

constexpr const char* recorded_sizes = "08b_training_step/sizes";
constexpr const char* recorded_constants = "08b_training_step/machine";
constexpr const char* recorded_memories = "08b_training_step/memory";

// The recorded machine. If the bandwidths of its memories were not recorded, that of the GPU is the
// one of the data sheet, and `has_cpu` is false.
struct RecordedMachine {
    StepMachine cpu, gpu;
    bool has_cpu;
};

RecordedMachine recorded_machine() {
    const Table table = recorded_table(recorded_constants);
    const auto constant = [&](std::size_t row, std::size_t column, double unit) {
        return unit * table.number(row, column);
    };
    RecordedMachine there{
        {constant(0, 1, 1e-6), infinite, 0, constant(2, 1, 1e9), constant(3, 1, 1), per_core},
        {constant(0, 2, 1e-6), constant(1, 2, 1e9), h200_data_sheet().memory, constant(2, 2, 1e9)},
        has_recording(recorded_memories)};
    if (there.has_cpu) {
        const Table memories = recorded_table(recorded_memories);
        there.cpu.memory = 1e9 * memories.number(0, 1);
        there.gpu.memory = 1e9 * memories.number(0, 2);
    }
    return there;
}

double recorded_ms(const Table& table, std::size_t row, std::size_t column) {
    return table.cell(row, column) == "-" ? 0 : 1e-3 * table.number(row, column);
}

}  // namespace

void StepTimes::show_factors() const {
    const Table measured = recorded_table(recorded_sizes);
    const RecordedMachine there = recorded_machine();
    Table table({"network, batch", "CPU here", "GPU here", "recorded CPU", "recorded GPU"},
                "Measured time / predicted time");
    Factors cpu, gpu, recorded_cpu, recorded_gpu;
    for (std::size_t i = 0; i < nine_steps().size(); ++i) {
        const auto& [name, sizes, batch] = nine_steps()[i];
        const double on_cpu = there.has_cpu ? recorded_ms(measured, i, 2) : 0;
        table.row(name, cpu.of(on_cpu_[i], seconds_(cpu_, sizes, batch)),
                  gpu.of(on_gpu_[i], seconds_(gpu_, sizes, batch)),
                  recorded_cpu.of(on_cpu, seconds_(there.cpu, sizes, batch)),
                  recorded_gpu.of(recorded_ms(measured, i, 4), seconds_(there.gpu, sizes, batch)));
    }
    if (!there.has_cpu)
        table.note(
            "The memory bandwidths of the recorded machine were not measured: that of the "
            "GPU is by data sheet, its CPU is left out.");
    table.show();
    // "On this machine" begins what differs from machine to machine.
    std::cout << "Rows within a factor of 3\nOn this machine: ";
    std::cout << "CPU " << cpu.near << " of " << cpu.rows;
    if (real_) std::cout << ", GPU " << gpu.near << " of " << gpu.rows;
    std::cout << "\nRecorded: GPU " << recorded_gpu.near << " of " << recorded_gpu.rows;
    if (there.has_cpu) std::cout << ", CPU " << recorded_cpu.near << " of " << recorded_cpu.rows;
    std::cout << '\n';
}

void StepTimes::show_crossing() const {
    const Table table = recorded_table(recorded_sizes);
    std::vector<double> flop, cpu_flop, cpu, gpu;
    std::size_t faster = 0;
    for (std::size_t i = 0; i < nine_steps().size(); ++i) {
        const double gflop = 1e-9 * spare::step_flop(nine_steps()[i].sizes, nine_steps()[i].batch);
        const double on_cpu = 1e3 * (real_ ? on_cpu_[i] : recorded_ms(table, i, 2));
        const double on_gpu = 1e3 * (real_ ? on_gpu_[i] : recorded_ms(table, i, 4));
        flop.push_back(gflop);
        gpu.push_back(on_gpu);
        if (on_cpu <= 0) continue;
        cpu_flop.push_back(gflop);
        cpu.push_back(on_cpu);
        faster += on_cpu < on_gpu;
    }
    Plot plot(std::string("One training step, ") +
              (real_ ? "this machine" : "the recorded machine"));
    plot.x("operations per step in GFLOP").y("time per step in ms").log_x().log_y();
    plot.points("CPU", cpu_flop, cpu).points("GPU", flop, gpu).show();
    std::cout << (real_ ? "On this machine: " : "") << "the CPU is faster than the GPU in "
              << faster << " of " << cpu.size() << " steps.\n";
}

void StepTimes::show_epochs(const Dataset& images, const std::string& recorded) const {
    constexpr std::size_t batch = 64;
    const std::size_t steps = images.x.shape(0) / batch;
    const std::vector<NamedNetwork> three{
        {"tiny", {784, 8, 10}}, {"small", {784, 128, 10}}, {"large", {784, 1024, 1024, 10}}};
    const auto epoch = [&](const Device& device, const Sizes& sizes) {
        Sequential model = layered_model(sizes);
        model.to(device);
        SGD optimizer(model.parameters(), 0.05);
        DataLoader<2> batches(images,
                              DataLoaderOptions().batch_size(batch).shuffle(true).drop_last(true));
        const auto run = [&] {
            for (auto& [x, y] : batches) {
                Tensor loss = cross_entropy(model(x.to(device)), y.to(device));
                optimizer.zero_grad();
                loss.backward();
                optimizer.step();
            }
            device.synchronize();
        };
        return best_of(1, run);
    };
    if (Device::has_gpu()) epoch("cuda:0", three[0].sizes);  // compiles the CUDA kernels
    Table table({"network", "CPU", "CPU predicted", "GPU", "GPU predicted"},
                "One epoch, " + std::to_string(images.x.shape(0)) + " images of Fashion-MNIST");
    Progress progress("training, network", three.size());
    std::size_t done = 0;
    const auto s = [](double value) { return with_unit(value, "s"); };
    for (const auto& [name, sizes] : three) {
        table.row(name + ", " + name_of(sizes), s(epoch(Device::cpu(), sizes)),
                  s(static_cast<double>(steps) * seconds_(cpu_, sizes, batch)),
                  Device::has_gpu() ? s(epoch("cuda:0", sizes)) : "-",
                  s(static_cast<double>(steps) * seconds_(gpu_, sizes, batch)));
        progress.at(++done);
    }
    progress.done();
    table.note(machine_line()).recorded(recorded).show();
}

// --- the library's versions of answers

namespace {

std::vector<double> to_doubles(const Sizes& sizes) { return {sizes.begin(), sizes.end()}; }

}  // namespace

double spare::step_flop(const std::vector<std::size_t>& sizes, std::size_t batch) {
    const std::vector<double> units = to_doubles(sizes);
    double products = 0;
    for (std::size_t l = 0; l + 1 < units.size(); ++l)
        products += (l == 0 ? 2.0 : 3.0) * units[l] * units[l + 1];
    return 2 * static_cast<double>(batch) * products;
}

double spare::step_bytes(const std::vector<std::size_t>& sizes, std::size_t batch) {
    const std::vector<double> units = to_doubles(sizes);
    double numbers = 0;
    for (std::size_t l = 0; l + 1 < units.size(); ++l) {
        const double weights = units[l] * units[l + 1];
        const double ends = static_cast<double>(batch) * (units[l] + units[l + 1]);
        numbers += l == 0 ? 5 * weights + 2 * ends : 6 * weights + 3 * ends;
    }
    return 4 * numbers;
}

double spare::step_seconds(const StepMachine& machine, const std::vector<std::size_t>& sizes,
                           std::size_t batch) {
    const double layers = static_cast<double>(sizes.size()) - 1;
    const double n = 4 * layers + 6;
    const double products = 3 * layers - 1;
    const double flop = step_flop(sizes, batch);
    const double busy = std::clamp(flop / products / machine.per_core, 1.0, machine.cores);
    const auto numbers = static_cast<double>(batch * (sizes[0] + 1));  // images and labels
    return n * machine.latency + 4 * numbers / machine.copies +
           step_bytes(sizes, batch) / machine.memory +
           flop / (machine.flops * busy / machine.cores);
}

}  // namespace lanes
