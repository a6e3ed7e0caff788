#include "spec.hpp"

#include "lanes/base/error.hpp"

#include <cctype>

namespace lanes::notebook {

namespace {

// "const float* a, int n" -> {"a", "n"}
std::vector<std::string> names_in(const std::string& parameters) {
    std::vector<std::string> names(1);
    for (const char c : parameters) {
        if (c == ',')
            names.emplace_back();
        else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
            names.back() += c;
        else
            names.back().clear();  // the name is the last word
    }
    return names;
}

std::string side(const Dim3& n) {
    if (n.y == 1 && n.z == 1) return std::to_string(n.x);
    return "(" + std::to_string(n.x) + ", " + std::to_string(n.y) + ")";
}

}  // namespace

PuzzleSpec::PuzzleSpec(const std::string& name, const std::string& parameters, Launches launches)
    : parameters_(names_in(parameters)), launches_(launches) {
    text_.name = name;
    text_.signature = "__global__ void " + name + "(" + parameters + ")";
}

bool is_array(const PuzzleArgument& argument) {
    return !std::holds_alternative<float>(argument.value) &&
           !std::holds_alternative<int>(argument.value);
}

std::vector<double> numbers_of(const PuzzleArgument& argument) {
    return std::visit(
        [](const auto& value) -> std::vector<double> {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
                return {static_cast<double>(value)};
            else
                return {value.begin(), value.end()};
        },
        argument.value);
}

double global_atomics_per_block(const PuzzleRun& run) {
    const auto arrays = run.report.arrays();
    double count = 0;
    for (const MemoryAccess& access : run.report.accesses())
        if (access.kind == AccessKind::atomic && !arrays.at(access.array).shared) count += 1;
    return count / static_cast<double>(run.report.config.grid.count());
}

std::string launch_words(const PuzzleSpec& spec, const PuzzleLaunch& launch) {
    std::string words;
    for (std::size_t i = 0; i < launch.arguments().size(); ++i)
        if (!is_array(launch.arguments()[i]))
            words += spec.parameters().at(i) + " = " +
                     to_text(static_cast<float>(numbers_of(launch.arguments()[i])[0])) + ", ";
    return words + "<<<" + side(launch.config().grid) + ", " + side(launch.config().block) + ">>>";
}

}  // namespace lanes::notebook
