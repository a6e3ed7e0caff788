#include "lanes/notebook/puzzle_launches.hpp"

#include "lanes/base/error.hpp"

#include <cctype>
#include <string>
#include <type_traits>

namespace lanes {

namespace {

template <class T>
constexpr bool is_array = !std::is_arithmetic_v<T>;

// The buffer of an array; for a number, nothing.
struct OnDevice {
    gpu::Argument argument;
    std::shared_ptr<gpu::Storage> storage;
};

OnDevice copied(const PuzzleArgument& argument, const Device& device) {
    return std::visit(
        [&](const auto& value) -> OnDevice {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (is_array<Value>) {
                Buffer<typename Value::value_type> buffer(device, value.size());
                if (argument.given) buffer.upload(value);
                return {gpu::argument(buffer), buffer.storage()};
            } else {
                return {gpu::argument(value), nullptr};
            }
        },
        argument.value);
}

}  // namespace

int PuzzleLaunches::integer(int low, int high) {  // splitmix64, as in exercises/probe.hpp
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return low + static_cast<int>(z % static_cast<std::uint64_t>(high - low + 1));
}

template <class T>
PuzzleLaunch& PuzzleLaunch::in(std::size_t count, int low, int high) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(of_->integer(low, high));
    arguments_.push_back({std::move(values), true, false, 0});
    return *this;
}

template <class T>
PuzzleLaunch& PuzzleLaunch::in_out(std::size_t count, int low, int high) {
    in<T>(count, low, high);
    arguments_.back().is_result = true;
    return *this;
}

template <class T>
PuzzleLaunch& PuzzleLaunch::out(std::size_t count) {
    arguments_.push_back({std::vector<T>(count), false, true, 0});
    return *this;
}

template <class T>
PuzzleLaunch& PuzzleLaunch::filled(std::size_t count, T value) {
    arguments_.push_back({std::vector<T>(count, value), true, true, 0});
    return *this;
}

PuzzleLaunch& PuzzleLaunch::columns(std::size_t count) {
    LANES_REQUIRE(!arguments_.empty(), "PuzzleLaunch::columns: there is no argument yet.");
    arguments_.back().columns = count;
    return *this;
}

template PuzzleLaunch& PuzzleLaunch::in<float>(std::size_t, int, int);
template PuzzleLaunch& PuzzleLaunch::in<int>(std::size_t, int, int);
template PuzzleLaunch& PuzzleLaunch::in<unsigned char>(std::size_t, int, int);
template PuzzleLaunch& PuzzleLaunch::in_out<float>(std::size_t, int, int);
template PuzzleLaunch& PuzzleLaunch::in_out<int>(std::size_t, int, int);
template PuzzleLaunch& PuzzleLaunch::out<float>(std::size_t);
template PuzzleLaunch& PuzzleLaunch::out<int>(std::size_t);
template PuzzleLaunch& PuzzleLaunch::filled<float>(std::size_t, float);
template PuzzleLaunch& PuzzleLaunch::filled<int>(std::size_t, int);

std::string named_fault(const std::string& text) {
    const std::string begin = "// fault:";
    const std::size_t found = text.find(begin);
    if (found == std::string::npos) return "";
    const std::size_t first = found + begin.size();
    std::string words;  // in small letters, one space between them
    for (const char c : text.substr(first, text.find('\n', first) - first)) {
        const auto letter = static_cast<unsigned char>(c);
        if (!std::isspace(letter))
            words += static_cast<char>(std::tolower(letter));
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
    }
    while (!words.empty() && (words.back() == ' ' || words.back() == '.')) words.pop_back();
    return words;
}

PuzzleRun run_puzzle(const CudaKernel& kernel, const PuzzleLaunch& launch) {
    std::vector<gpu::Argument> arguments;
    std::vector<OnDevice> on_device;
    for (const PuzzleArgument& argument : launch.arguments()) {
        on_device.push_back(copied(argument, kernel.device()));
        arguments.push_back(on_device.back().argument);
    }
    PuzzleRun run{gpu::launch_arguments(kernel, launch.config(), arguments), launch.arguments()};
    for (std::size_t i = 0; i < on_device.size(); ++i)
        if (run.after[i].is_result)
            std::visit(
                [&](auto& value) {
                    if constexpr (is_array<std::decay_t<decltype(value)>>)
                        on_device[i].storage->download(value.data(), 0, value.size());
                },
                run.after[i].value);
    return run;
}

}  // namespace lanes
