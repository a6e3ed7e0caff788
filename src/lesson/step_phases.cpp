#include "lanes/lesson/step_times.hpp"

#include "layered_model.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/gpu/trace.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/tensor/captured_step.hpp"

#include <iostream>

namespace lanes {

using lesson::labels_of, lesson::layered_model, lesson::name_of, lesson::Sizes;

namespace {

bool is_gpu(const Device& device) { return !device.is_cpu() && !device.is_simulator(); }

const Sizes small_network{784, 128, 10};

std::size_t bytes_of(const std::vector<TracedCopy>& copies) {
    std::size_t bytes = 0;
    for (const TracedCopy& copy : copies) bytes += copy.bytes;
    return bytes;
}

}  // namespace

StepPhases::StepPhases(const Device& device)
    : device_(device),
      phases_{{"copy images"},   {"copy labels"},           {"forward pass and loss"},
              {"backward pass"}, {"update of the weights"}, {"loss.item()"}} {
    Sequential model = layered_model(small_network);
    model.to(device);
    SGD optimizer(model.parameters(), 0.05);
    const Tensor images = Tensor::rand({64, 784}), labels = labels_of(64);
    const auto count = [](Phase& phase, const std::function<void()>& run) {
        const LaunchTrace trace;
        run();
        phase.launches = trace.launches().size();
        phase.bytes = bytes_of(trace.copies());
    };
    const auto measure = [&](Phase& phase, const std::function<void()>& run) {
        const Timer timer;
        run();
        device.synchronize();
        phase.seconds = timer.seconds();
    };
    // A trace waits for each launch, so times are measured in other steps; the last ones are kept.
    // Those of the simulator mean nothing.
    std::vector<std::function<void(Phase&, const std::function<void()>&)>> looks{count};
    if (is_gpu(device)) looks.insert(looks.end(), 2, measure);
    for (const auto& look : looks) {
        Tensor x, y, loss;
        look(phases_[0], [&] { x = images.to(device); });
        look(phases_[1], [&] { y = labels.to(device); });
        look(phases_[2], [&] { loss = cross_entropy(model(x), y); });
        optimizer.zero_grad();
        look(phases_[3], [&] { loss.backward(); });
        look(phases_[4], [&] { optimizer.step(); });
        look(phases_[5], [&] { loss.item(); });
    }
}

std::size_t StepPhases::launches() const {
    std::size_t sum = 0;
    for (const Phase& phase : phases_) sum += phase.launches;
    return sum;
}

std::size_t StepPhases::bytes() const {
    std::size_t sum = 0;
    for (const Phase& phase : phases_) sum += phase.bytes;
    return sum;
}

Table StepPhases::table() const {
    Table table({"phase", "launches", "bytes copied", "time"});
    for (const Phase& p : phases_)
        table.row(p.name, p.launches, p.bytes,
                  is_gpu(device_) ? with_unit(1e6 * p.seconds, "us") : "no GPU here");
    return table.note("counted on the device " + device_.id());
}

void StepPhases::show(const std::string& recorded) const { table().recorded(recorded).show(); }

void StepPhases::show_timeline() const {
    const Table timed = is_gpu(device_) ? table() : recorded_table("08b_training_step/step");
    Plot plot(std::string("One training step, 784-128-10, batch 64, ") +
              (is_gpu(device_) ? "measured here" : "recorded"));
    plot.x("time in microseconds").size(760, 240);
    double now = 0;
    for (std::size_t i = 0; i < timed.rows(); ++i) {
        const double us = timed.number(i, 3);
        plot.span(timed.number(i, 1) > 0 ? "CUDA kernels" : "copies", timed.cell(i, 0), now,
                  now + us);
        now += us;
    }
    plot.show();
}

void StepPhases::show_launches_by_layers() const {
    const Device& device = device_;
    Table table({"network", "layers", "launches", "copies"});
    for (const Sizes& sizes : {Sizes{6, 4}, {6, 5, 4}, {6, 5, 5, 4}, {6, 5, 5, 5, 4}}) {
        Sequential model = layered_model(sizes);
        model.to(device);
        SGD optimizer(model.parameters(), 0.05);
        const Tensor images = Tensor::rand({8, 6}), labels = labels_of(8);
        const auto step = [&] {
            Tensor loss = cross_entropy(model(images.to(device)), labels.to(device));
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
        };
        step();  // the first one also copies the optimizer's settings
        const LaunchTrace trace;
        step();
        table.row(name_of(sizes), sizes.size() - 1, trace.launches().size(), trace.copies().size());
    }
    table.note("counted on the device " + device.id()).show();
}

void StepPhases::show_traffic(const std::vector<NamedStep>& steps) const {
    Table table({"loop", "launches", "copies", "bytes to the GPU", "bytes back"});
    for (const auto& [name, step] : steps) {
        const LaunchTrace trace;
        step();
        std::size_t there = 0, back = 0;
        for (const TracedCopy& copy : trace.copies()) (copy.to_device ? there : back) += copy.bytes;
        table.row(name, trace.launches().size(), trace.copies().size(), there, back);
    }
    table.show();
}

TracedStep::TracedStep(const Device& device)
    : device_(device),
      model_(std::make_shared<Sequential>(layered_model(small_network))),
      x_(Tensor::rand({8, 784})),
      y_(labels_of(8)) {
    model_->to(device);
    optimizer_ = std::make_shared<SGD>(model_->parameters(), 0.05);
    (*this)();  // the first step also copies the optimizer's settings
}

void TracedStep::operator()() {
    Tensor loss = cross_entropy((*model_)(x_.to(device_)), y_.to(device_));
    optimizer_->zero_grad();
    loss.backward();
    optimizer_->step();
}

void StepPhases::show_captured_step(const std::string& recorded) const {
    const Device device = is_gpu(device_) ? device_ : Device::cpu();
    Sequential net = layered_model(small_network);
    net.to(device);
    SGD sgd(net.parameters(), 0.05);
    const auto step = [&](const Tensor& x, const Tensor& y) {
        Tensor loss = cross_entropy(net(x), y);
        sgd.zero_grad();
        loss.backward();
        sgd.step();
        return loss;
    };
    CapturedStep captured(step);
    const Tensor x = Tensor::rand({16, 784}).to(device), y = labels_of(16).to(device);
    const float first = captured(x, y).item();
    for (int i = 0; i < 20; ++i) captured(x, y);
    LANES_REQUIRE(captured(x, y).item() < first, "show_captured_step: the loss does not fall");
    std::cout << "captured: " << (captured.is_captured() ? "yes" : "no") << ", the loss falls.\n";
    Table table({"a step of 784-128-10, batch 16", "time"});
    const auto add = [&](const char* name, const std::function<void()>& run) {
        const double s = best_of(3, Calls{20}, [&] { run(), device.synchronize(); });
        table.row(name, with_unit(1e6 * s, "us"));
    };
    add("launch by launch", [&] { step(x, y); });
    add("by CapturedStep", [&] { captured(x, y); });
    table.note(machine_line()).recorded(recorded).show();
}

}  // namespace lanes
