#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;
using Gpus = std::vector<FreeMemory>;

struct Case {
    std::string name;
    Gpus gpus;
    double needed;
};

std::string words(const Case& one) { return one.name; }

// What is wrong with a device, in words.
std::string why_not(const std::string& got, const std::string& right, const Case& one) {
    const auto named = [&](const std::string& name) {
        return std::find_if(one.gpus.begin(), one.gpus.end(),
                            [&](const FreeMemory& gpu) { return gpu.device == name; });
    };
    if (right == "cpu")
        return one.gpus.empty() ? "There is no GPU: then it is \"cpu\"."
                                : "No GPU has so much memory free: then it is the CPU.";
    const double most = named(right)->bytes;
    if (got == "cpu")
        return most == one.needed ? "Exactly `needed` bytes are enough."
                                  : "A GPU with enough memory comes before the CPU.";
    const auto chosen = named(got);
    if (chosen == one.gpus.end()) return "This is none of the devices.";
    return chosen->bytes == most
               ? "Both have the same memory free: the first of equal ones wins."
               : "Another GPU has more memory free. Look at all of them: one with more than "
                 "the best so far takes its place; keep its free memory, too.";
}

}  // namespace

ChooseDevice::ChooseDevice()
    : Exercise(text_of<ChooseDevice>(
          "choose_device",
          "Gives the device of the GPU with the most free memory, if at least `needed` bytes are "
          "free there, otherwise \"cpu\". Of equal ones it is the first.",
          "seven lines",
          "Begin with \"cpu\" and 0 bytes. Go over all GPUs: one that has at least `needed` bytes "
          "free, and more than the best one so far, takes its place.")) {}

void ChooseDevice::check(Answer answer) const {
    const std::vector<Case> cases{
        {"no GPU", {}, 1e9},
        {"one GPU, enough memory", {{"cuda:0", 8e9}}, 1e9},
        {"one GPU, too little memory", {{"cuda:0", 5e8}}, 1e9},
        {"three GPUs, the second with the most",
         {{"cuda:0", 4e9}, {"cuda:1", 7e9}, {"cuda:2", 5e9}},
         1e9},
        {"three GPUs, the last with enough",
         {{"cuda:0", 1e9}, {"cuda:1", 2e9}, {"cuda:3", 6e10}},
         4e9},
        {"two GPUs with the same memory", {{"cuda:4", 3e9}, {"cuda:7", 3e9}}, 1e9},
        {"exactly the memory that is needed", {{"cuda:0", 1e9}, {"cuda:1", 2e9}}, 2e9},
        {"three GPUs, all with too little",
         {{"cuda:0", 1e9}, {"cuda:1", 3e9}, {"cuda:2", 2e9}},
         4e9}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        const std::string right = spare::choose_device(one.gpus, one.needed);
        const std::string got = judge.call([&] { return answer(one.gpus, one.needed); });
        if (got == right) return;
        judge.fail("expected \"" + right + "\", got \"" + got + "\".", why_not(got, right, one));
    });
}

}  // namespace lanes::exercises
