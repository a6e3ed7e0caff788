// The launches of a CUDA puzzle: shapes and arguments, by which an answer is checked and graded.
//
//   lanes::PuzzleLaunches puzzle(1);  // the seed of the random values
//   for (const int n : {10, 1})
//       puzzle.launch({(n + 3) / 4, 4}).in<float>(n).out<float>(n).number(n);
//   const std::string text = "__global__ void same(const float* a, float* out, int n) {"
//       "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a[i]; }";
//   const auto device = lanes::Device::simulator();
//   const auto kernel = lanes::Program(device, text).kernel("same");
//   const lanes::PuzzleRun run = lanes::run_puzzle(kernel, puzzle.launches()[0]);
//   const auto& out = std::get<std::vector<float>>(run.after[1].value);
#pragma once

#include "lanes/gpu/launch.hpp"
#include "lanes/gpu/program.hpp"
#include "lanes/gpu/report.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <variant>
#include <vector>

namespace lanes {

struct PuzzleArgument {
    std::variant<std::vector<float>, std::vector<int>, std::vector<unsigned char>, float, int>
        value;
    bool given = true;        // false: an array whose elements nothing has written yet
    bool is_result = false;   // an array that is compared after the launch
    std::size_t columns = 0;  // of a matrix; 0: one row
};

class PuzzleLaunches;

// One launch; each call adds the next argument of the CUDA kernel.
class PuzzleLaunch {
public:
    PuzzleLaunch(PuzzleLaunches& of, const LaunchConfig& config) : config_(config), of_(&of) {}

    // An array of random whole numbers. They are whole so that sums in another order are equal.
    template <class T>
    PuzzleLaunch& in(std::size_t count, int low = -9, int high = 9);
    // The same, which the CUDA kernel changes.
    template <class T>
    PuzzleLaunch& in_out(std::size_t count, int low = -9, int high = 9);
    // An array that the CUDA kernel fills.
    template <class T>
    PuzzleLaunch& out(std::size_t count);
    // An array of equal values that the CUDA kernel changes: a counter, a sum.
    template <class T>
    PuzzleLaunch& filled(std::size_t count, T value);
    // The last array is a matrix.
    PuzzleLaunch& columns(std::size_t count);
    template <class T>
    PuzzleLaunch& number(T value) {
        arguments_.push_back({value, true, false, 0});
        return *this;
    }

    const LaunchConfig& config() const { return config_; }
    const std::vector<PuzzleArgument>& arguments() const { return arguments_; }

private:
    LaunchConfig config_;
    std::vector<PuzzleArgument> arguments_;
    PuzzleLaunches* of_;
};

class PuzzleLaunches {
public:
    explicit PuzzleLaunches(std::uint64_t seed) : state_(seed) {}
    PuzzleLaunches(const PuzzleLaunches&) = delete;
    PuzzleLaunches& operator=(const PuzzleLaunches&) = delete;

    PuzzleLaunch& launch(const LaunchConfig& config) {
        return launches_.emplace_back(*this, config);
    }
    int integer(int low, int high);  // random, both included
    const std::deque<PuzzleLaunch>& launches() const { return launches_; }

private:
    std::uint64_t state_;
    std::deque<PuzzleLaunch> launches_;  // launch() returns references, which stay valid
};

struct PuzzleRun {
    LaunchReport report;
    std::vector<PuzzleArgument> after;  // the arguments, with what the CUDA kernel has written
};

// Throws what lanes::launch throws.
PuzzleRun run_puzzle(const CudaKernel& kernel, const PuzzleLaunch& launch);

// "line 3, lost update", if the text has a line `// fault: line 3, lost update`; otherwise empty.
std::string named_fault(const std::string& text);

}  // namespace lanes
