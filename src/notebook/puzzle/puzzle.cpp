// The check of a CUDA puzzle: every launch on the simulator, with a picture of what the threads
// did.
#include "spec.hpp"

#include "notebook/exercise/judge.hpp"

#include "lanes/base/error.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/notebook/launch_picture.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace lanes {

namespace notebook {

namespace {

constexpr std::size_t most_threads = 64, most_accesses = 2048, most_numbers = 12;

ArrayShapes shapes_of(const PuzzleSpec& spec, const PuzzleLaunch& launch) {
    ArrayShapes shapes;
    for (std::size_t i = 0; i < launch.arguments().size(); ++i) {
        const PuzzleArgument& argument = launch.arguments()[i];
        if (argument.columns > 1)
            shapes[spec.parameters()[i]] = {numbers_of(argument).size() / argument.columns,
                                            argument.columns};
    }
    return shapes;
}

// Nothing if the launch is too large to be read.
void show_run(const PuzzleSpec& spec, const PuzzleLaunch& launch, const LaunchReport& report) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> threads;
    const auto accesses = report.accesses();
    for (const MemoryAccess& access : accesses) threads.insert({access.block, access.thread});
    if (threads.empty() || threads.size() > most_threads || accesses.size() > most_accesses) return;
    ArrayShapes shapes = shapes_of(spec, launch);
    for (auto shape = shapes.begin(); shape != shapes.end();) {  // an array that nobody accessed
        const auto is_it = [&](const AccessedArray& array) { return array.name == shape->first; };
        const auto arrays = report.arrays();
        shape = std::any_of(arrays.begin(), arrays.end(), is_it) ? std::next(shape)
                                                                 : shapes.erase(shape);
    }
    show_accesses(report, shapes);
}

Values values_of(const PuzzleArgument& argument) {
    Values values{{}, numbers_of(argument)};
    const std::size_t columns = argument.columns;
    if (columns > 1)
        values.shape = {values.numbers.size() / columns, columns};
    else
        values.shape = {values.numbers.size()};
    return values;
}

// The elements of an array that no thread wrote; empty if that is unknown.
std::set<std::size_t> unwritten(const std::string& name, std::size_t count,
                                const LaunchReport& report) {
    std::set<std::size_t> left;
    const auto arrays = report.arrays();
    if (!report.simulated || !report.has_all_accesses() || arrays.empty()) return left;
    for (std::size_t i = 0; i < count; ++i) left.insert(i);
    for (const MemoryAccess& access : report.accesses())
        if (access.kind != AccessKind::read && arrays.at(access.array).name == name)
            for (std::size_t i = 0; i < access.count; ++i)
                left.erase(static_cast<std::size_t>(access.first) + i);
    return left;
}

std::string numbers_text(const std::vector<double>& numbers, const std::set<std::size_t>& left) {
    std::string text;
    for (std::size_t i = 0; i < std::min(numbers.size(), most_numbers); ++i)
        text += " " + (left.count(i) ? "-" : to_text(static_cast<float>(numbers[i])));
    return text + (numbers.size() > most_numbers ? " ..." : "");
}

// Fails if a result differs.
void compare(Judge& judge, const PuzzleSpec& spec, const PuzzleLaunch& launch,
             const PuzzleRun& run) {
    const std::vector<PuzzleArgument> expected = spec.expected(launch);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!expected[i].is_result) continue;
        const std::string& name = spec.parameters().at(i);
        const Values got = values_of(run.after[i]), right = values_of(expected[i]);
        std::set<std::size_t> left;
        if (!launch.arguments()[i].given) left = unwritten(name, got.numbers.size(), run.report);
        About about;
        about.what = name;
        about.tolerance = {1e-5, 1e-4};
        for (const PuzzleMistake& mistake : spec.mistakes()) {
            const Values gives = values_of(PuzzleSpec::applied(mistake.gives, launch)[i]);
            if (!are_close(gives, right)) about.known.push_back({gives, mistake.words});
        }
        if (!left.empty())
            about.words = left.size() == got.numbers.size()
                              ? "No thread wrote an element of " + name + "."
                              : "No thread wrote " + name + "[" + std::to_string(*left.begin()) +
                                    "]" + (left.size() > 1 ? ", ...: " : ": ") +
                                    std::to_string(left.size()) + " of " +
                                    std::to_string(got.numbers.size()) + " elements are missing.";
        for (std::size_t k = 0; k < expected.size(); ++k)
            if (is_array(launch.arguments()[k]) && launch.arguments()[k].given)
                about.detail += "\n" + spec.parameters()[k] + ":" +
                                numbers_text(numbers_of(launch.arguments()[k]), {});
        about.detail += "\nyour " + name + ":" + numbers_text(got.numbers, left) +
                        "\nexpected:" + numbers_text(right.numbers, {});
        judge.same(got, right, about);
    }
}

// Fails if the answer does not name the fault of the given CUDA kernel.
void judge_fault(Judge& judge, const PuzzleSpec& spec, const std::string& text) {
    if (spec.fault().empty()) return;
    judge.begin("the line `// fault: ...`");
    const std::string kinds =
        "The kinds are: missing barrier, barrier in a branch, lost update, out of bounds, "
        "uninitialised memory.";
    const std::string named = named_fault(text);
    const std::string& right = spec.fault();
    const std::size_t comma = named.find(", ");
    if (named.compare(0, 5, "line ") != 0 || comma == std::string::npos)
        judge.fail("it is missing. Begin your answer with a line such as",
                   "  // fault: line 2, uninitialised memory\n" + kinds);
    const std::string line = right.substr(0, right.find(", "));
    if (named.substr(0, comma) != line)
        judge.fail("the fault is not in " + named.substr(0, comma) + ".",
                   "The line with __global__ is line 1. Go through the lines as thread 0 and as "
                   "the last thread.");
    if (named != right)
        judge.fail(
            line + " is right, '" + named.substr(comma + 2) + "' is not what is wrong there.",
            kinds);
}

// The launch is given, so the CUDA kernel must be written for it.
std::string advice_for_untouched(const PuzzleSpec& spec, const PuzzleLaunch& launch,
                                 const std::string& name) {
    std::size_t elements = 0, columns = 0;
    for (std::size_t i = 0; i < launch.arguments().size(); ++i)
        if (spec.parameters()[i] == name) {
            elements = numbers_of(launch.arguments()[i]).size();
            columns = launch.arguments()[i].columns;
        }
    if (launch.config().grid.count() * launch.config().block.count() < elements)
        return "The launch is given, and there are fewer threads than elements: let each thread "
               "take several, in a loop.";
    return "The launch is given, and there are enough threads: some of them have no element, or "
           "one that is not theirs." +
           std::string(columns > 0 ? " x counts columns, y counts rows: are they swapped?" : "");
}

// Runs a launch and compares; a wrong run is drawn before the check fails.
PuzzleRun judged_run(Judge& judge, const PuzzleSpec& spec, const CudaKernel& kernel,
                     const PuzzleLaunch& launch) {
    try {
        const PuzzleRun run = run_puzzle(kernel, launch);
        try {
            compare(judge, spec, launch, run);
        } catch (const CheckFailed&) {
            show_run(spec, launch, run.report);
            throw;
        }
        return run;
    } catch (const CudaKernelFault& fault) {
        show_run(spec, launch, fault.report());
        const Finding& finding = fault.findings().front();
        if (finding.kind == FindingKind::untouched_elements)  // its advice is for the host's code
            judge.fail(finding.message.substr(0, finding.message.find('\n')),
                       advice_for_untouched(spec, launch, finding.object));
        throw;
    }
}

}  // namespace

}  // namespace notebook

CudaPuzzle::CudaPuzzle(const notebook::PuzzleSpec& spec) : Exercise(spec.text()), spec_(&spec) {}

void CudaPuzzle::show() const { notebook::show_task(*spec_); }

void CudaPuzzle::check(const std::string& text, std::uint64_t seed) const {
    notebook::Judge judge(spec_->text());
    PuzzleLaunches puzzle(seed);
    spec_->launches()(puzzle);
    const auto kernel_on = [&](const Device& device) {
        return judge.call([&] { return Program(device, text).kernel(name()); });
    };
    const CudaKernel simulated = kernel_on(Device::simulator());
    notebook::judge_fault(judge, *spec_, text);
    std::optional<PuzzleRun> first, last;
    for (const PuzzleLaunch& launch : puzzle.launches()) {
        judge.begin(notebook::launch_words(*spec_, launch));
        last = judge.call([&] { return notebook::judged_run(judge, *spec_, simulated, launch); });
        if (!first) first = last;
    }
    if (first) notebook::show_run(*spec_, puzzle.launches().front(), first->report);
    if (Device::has_gpu()) {
        const CudaKernel real = kernel_on(Device::gpu());
        for (const PuzzleLaunch& launch : puzzle.launches())
            judge.call([&] { return notebook::judged_run(judge, *spec_, real, launch); });
    }
    judge.pass();
    if (last && !spec_->goals().empty()) notebook::show_goals(*spec_, *last);
}

}  // namespace lanes
