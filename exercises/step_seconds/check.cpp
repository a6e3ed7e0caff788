#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct MachineCase {
    std::string name;
    StepMachine machine;
    std::vector<std::size_t> sizes;
    std::size_t batch;
};

std::string words(const MachineCase& one) {
    std::string sizes;
    for (const std::size_t size : one.sizes)
        sizes += (sizes.empty() ? "" : "-") + std::to_string(size);
    return "a network " + sizes + ", batch " + std::to_string(one.batch) + ", " + one.name;
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

StepSeconds::StepSeconds()
    : Exercise(text_of<StepSeconds>(
          "step_seconds",
          "Predicts the seconds of a training step: launches and copies, the bytes of the batch "
          "between the memories, the bytes in the device's memory, and the operations, which only "
          "some cores share if they are few.",
          "eight lines",
          "n machine.latency + bytes of the batch / machine.copies + step_bytes / machine.memory + "
          "step_flop / (machine.flops * busy / machine.cores), with n = 4 layers + 6 and busy = "
          "step_flop / (3 layers - 1) / machine.per_core, at least 1 and at most machine.cores.")) {
}

void StepSeconds::check(Answer answer) const {
    const double infinite = std::numeric_limits<double>::infinity();
    const std::vector<MachineCase> cases{
        {"latency dominates", {1.0, 1e13, 1e15, 1e16}, {784, 128, 10}, 1},
        {"latency dominates", {1.0, 1e13, 1e15, 1e16}, {20, 10, 10, 10, 5}, 4},
        {"copies dominate", {1e-9, 1e6, 1e14, 1e15}, {784, 128, 10}, 64},
        {"memory dominates", {1e-9, 1e14, 1e8, 1e15}, {784, 1024, 10}, 2},
        {"operations dominate", {1e-9, 1e14, 1e14, 1e8}, {784, 1024, 1024, 10}, 256},
        {"a CPU: nothing is copied", {1e-6, infinite, 2e10, 1e11}, {784, 128, 10}, 32},
        {"a CPU with work for some of 100 cores",
         {1e-6, infinite, 1e12, 1e12, 100, 4e6},
         {784, 1024, 1024, 10},
         32},
        {"a CPU with work for 1 of 16 cores",
         {1e-6, infinite, 1e12, 1e12, 16, 4e6},
         {784, 128, 10},
         32},
        {"a CPU with work for 16 cores",
         {1e-6, infinite, 1e12, 1e12, 16, 4e6},
         {784, 1024, 1024, 10},
         256}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const MachineCase& one) {
        const StepMachine& m = one.machine;
        const auto& sizes = one.sizes;
        const std::size_t batch = one.batch;
        const double layers = static_cast<double>(sizes.size()) - 1;
        const double images = 4.0 * static_cast<double>(batch * sizes.front());
        const double labels = 4.0 * static_cast<double>(batch);
        const double flop = spare::step_flop(sizes, batch);
        const double bytes = spare::step_bytes(sizes, batch) / m.memory;
        const double products = 3 * layers - 1;
        const auto seconds = [&](double busy) { return flop / (m.flops * busy / m.cores); };
        const double busy = flop / products / m.per_core;
        const double work = seconds(std::clamp(busy, 1.0, m.cores));
        const double rest = bytes + work;
        const double copies = (images + labels) / m.copies;
        const double right = (4 * layers + 6) * m.latency + copies + rest;
        const double got = judge.call([&] { return answer(m, sizes, batch); });
        About about;
        about.tolerance = {1e-12, 1e-6};
        // Judge takes times that differ by less than 0.00001 s for equal: too coarse here.
        const auto add = [&](double gives, const char* words) {
            if (std::abs(got - gives) <= 1e-6 * gives) about.known.push_back({number(got), words});
        };
        add(right - 6 * m.latency, "n is 4 per layer, and 6 more.");
        add(right + 4 * m.latency, "sizes has one number more than the network has layers.");
        add(copies + rest, "The launches and copies are missing: n times the latency.");
        add(right - copies, "The copies of the batch are missing.");
        add(right - 3 * (images + labels) / 4 / m.copies, "A float and a label have 4 bytes each.");
        add(right - labels / m.copies, "The labels are copied, too: one number per image.");
        add(right - bytes,
            "The device's own memory is missing: step_bytes divided by machine.memory.");
        add(right - work, "The operations are missing: step_flop divided by machine.flops.");
        const auto add_busy = [&](double cores, const char* words) {
            add(right - work + seconds(cores), words);
        };
        add_busy(
            m.cores,
            "Here all cores work on each product. Only c of them have work: divide by F c / C.");
        add_busy(std::min(busy, m.cores), "At least one core works: c is 1 or more.");
        add_busy(std::max(busy, 1.0), "At most all cores work: c is machine.cores or less.");
        add_busy(
            std::clamp(flop / m.per_core, 1.0, m.cores),
            "c is counted for the whole step. Each product is shared out by itself: divide the "
            "operations by the 3 layers - 1 products.");
        add_busy(std::clamp(flop / layers / m.per_core, 1.0, m.cores),
                 "A step has 3 layers - 1 products: forward, and two backward but in the first "
                 "layer.");
        add_busy(std::clamp(flop / (3 * layers) / m.per_core, 1.0, m.cores),
                 "A step has 3 layers - 1 products: the first layer has no gradient of its input.");
        add(right - work + work / m.cores,
            "C cores together reach F. Each has F / C: divide by machine.cores.");
        add(right - work + flop / m.flops * std::clamp(busy, 1.0, m.cores) / m.cores,
            "a / b * c is (a / b) * c: machine.flops * c / machine.cores is the divisor, so put it "
            "in parentheses.");
        judge.same(number(got), number(right), about);
    });
}

}  // namespace lanes::exercises
