// What a CUDA puzzle says of itself. The frame does the rest: puzzle.cpp checks an answer,
// task_picture.cpp draws the task, goal_bars.cpp the counters.
//
//   const PuzzleSpec spec = PuzzleSpec("add_ten", "const float* a, float* out", launches)
//       .reference([](const LaunchConfig& shape, const float* a, float* out) {
//           for (unsigned i = 0; i < shape.block.x; ++i) out[i] = a[i] + 10;
//       });
#pragma once

#include "notebook/exercise/text.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/notebook/puzzle.hpp"
#include "lanes/notebook/puzzle_launches.hpp"

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes::notebook {

// Computes on the arguments of a launch what the CUDA kernel must compute.
using Reference = std::function<void(const LaunchConfig&, std::vector<PuzzleArgument>&)>;

struct PuzzleMistake {
    std::string words;
    Reference gives;
};

// A counter of the last launch that should be at most `goal`. No points depend on it.
struct PuzzleGoal {
    std::string what;  // "global loads per element"
    double goal;
    std::string otherwise;  // "each thread reads all three": how one gets
    double without;         // so many
    std::function<double(const PuzzleRun&)> of;
};

class PuzzleSpec {
public:
    using Launches = void (*)(PuzzleLaunches&);

    // parameters: of the CUDA kernel, as they stand between its parentheses
    PuzzleSpec(const std::string& name, const std::string& parameters, Launches launches);

    // A plain function with the shape of the launch and the CUDA kernel's parameters.
    template <class F>
    PuzzleSpec&& reference(F f) && {
        reference_ = wrapped(f, &F::operator());
        return std::move(*this);
    }
    // The same with a common mistake in it, and a sentence for an answer that gives the same.
    template <class F>
    PuzzleSpec&& mistake(std::string words, F f) && {
        mistakes_.push_back({std::move(words), wrapped(f, &F::operator())});
        return std::move(*this);
    }
    PuzzleSpec&& goal(PuzzleGoal goal) && {
        goals_.push_back(std::move(goal));
        return std::move(*this);
    }
    PuzzleSpec&& hint(std::string hint) && {
        text_.hint = std::move(hint);
        return std::move(*this);
    }
    // Which element of the result has arrows in the picture of the task.
    PuzzleSpec&& arrows_to(std::size_t element) && {
        arrows_to_ = element;
        return std::move(*this);
    }

    // The given CUDA kernel has a fault: a right answer names its line and kind, then repairs it.
    PuzzleSpec&& fault(int line, const std::string& kind) && {
        fault_ = "line " + std::to_string(line) + ", " + kind;
        return std::move(*this);
    }

    const ExerciseText& text() const { return text_; }
    const std::vector<std::string>& parameters() const { return parameters_; }  // their names
    Launches launches() const { return launches_; }
    const std::vector<PuzzleMistake>& mistakes() const { return mistakes_; }
    const std::vector<PuzzleGoal>& goals() const { return goals_; }
    std::size_t arrows_to() const { return arrows_to_; }
    const std::string& fault() const { return fault_; }  // as named_fault gives it, or empty

    // The arguments after the launch, as they must be.
    std::vector<PuzzleArgument> expected(const PuzzleLaunch& launch) const {
        return applied(reference_, launch);
    }
    static std::vector<PuzzleArgument> applied(const Reference& f, const PuzzleLaunch& launch) {
        std::vector<PuzzleArgument> arguments = launch.arguments();
        f(launch.config(), arguments);
        return arguments;
    }
    void apply(const LaunchConfig& config, std::vector<PuzzleArgument>& arguments) const {
        reference_(config, arguments);
    }

private:
    template <class P>
    static P get(PuzzleArgument& argument) {
        if constexpr (std::is_pointer_v<P>)
            return std::get<std::vector<std::remove_const_t<std::remove_pointer_t<P>>>>(
                       argument.value)
                .data();
        else
            return std::get<P>(argument.value);
    }
    template <class F, class... P>
    static Reference wrapped(F f, void (F::*)(const LaunchConfig&, P...) const) {
        return wrapped<F, P...>(f, std::index_sequence_for<P...>());
    }
    template <class F, class... P, std::size_t... I>
    static Reference wrapped(F f, std::index_sequence<I...>) {
        return [f](const LaunchConfig& config, std::vector<PuzzleArgument>& arguments) {
            f(config, get<P>(arguments.at(I))...);
        };
    }

    ExerciseText text_;
    std::vector<std::string> parameters_;
    Launches launches_;
    Reference reference_;
    std::vector<PuzzleMistake> mistakes_;
    std::vector<PuzzleGoal> goals_;
    std::string fault_;
    std::size_t arrows_to_ = static_cast<std::size_t>(-1);
};

// "n = 10, <<<3, 4>>>"
std::string launch_words(const PuzzleSpec& spec, const PuzzleLaunch& launch);

// The numbers of an array as doubles; those of a number are one.
std::vector<double> numbers_of(const PuzzleArgument& argument);
bool is_array(const PuzzleArgument& argument);

// Atomic operations on global memory in a small launch, divided by its blocks: for goals.
double global_atomics_per_block(const PuzzleRun& run);

void show_task(const PuzzleSpec& spec);
void show_goals(const PuzzleSpec& spec, const PuzzleRun& run);

}  // namespace lanes::notebook
