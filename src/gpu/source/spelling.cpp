#include "spelling.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace lanes::gpu {

namespace {

constexpr const char* words[] = {"threadIdx",
                                 "blockIdx",
                                 "blockDim",
                                 "gridDim",
                                 "warpSize",
                                 "__global__",
                                 "__device__",
                                 "__shared__",
                                 "__constant__",
                                 "__restrict__",
                                 "__forceinline__",
                                 "__noinline__",
                                 "__launch_bounds__",
                                 "__syncthreads",
                                 "__syncthreads_count",
                                 "__syncthreads_and",
                                 "__syncthreads_or",
                                 "__syncwarp",
                                 "__threadfence",
                                 "__threadfence_block",
                                 "__shfl_sync",
                                 "__shfl_up_sync",
                                 "__shfl_down_sync",
                                 "__shfl_xor_sync",
                                 "__ballot_sync",
                                 "__any_sync",
                                 "__all_sync",
                                 "__activemask",
                                 "__ldg",
                                 "__trap",
                                 "atomicAdd",
                                 "atomicSub",
                                 "atomicMax",
                                 "atomicMin",
                                 "atomicCAS",
                                 "atomicExch",
                                 "atomicInc",
                                 "atomicDec",
                                 "atomicAnd",
                                 "atomicOr",
                                 "atomicXor",
                                 "printf"};

// Wrong capitals and missing underscores are the most common mistakes.
std::string bare(const std::string& word) {
    std::string result;
    for (const char c : word)
        if (c != '_') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

// Edit distance: how many letters must be inserted, deleted, replaced or swapped with their
// neighbour.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> steps(a.size() + 1,
                                                std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                steps[i][j] = i + j;
                continue;
            }
            steps[i][j] = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1,
                                    steps[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
        }
    }
    return steps[a.size()][b.size()];
}

const char* meant(const std::string& name) {
    const std::string written = bare(name);
    const char* best = nullptr;
    // Beyond this it is another word.
    std::size_t least = written.size() < 6 ? 1 : written.size() < 11 ? 2 : 3;
    for (const char* word : words) {
        if (name == word) return nullptr;
        if (const std::size_t steps = distance(written, bare(word)); steps < least)
            best = word, least = steps;
    }
    return best;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// threadIdx, blockIdx, blockDim or gridDim without a dot after it.
std::string without_its_part(const std::string& line) {
    for (const char* word : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
        const std::string name = word;
        for (std::size_t at = line.find(name); at != std::string::npos;
             at = line.find(name, at + 1)) {
            const std::size_t end = at + name.size(), next = line.find_first_not_of(' ', end);
            if ((at == 0 || !is_word(line[at - 1])) &&
                (end == line.size() || !is_word(line[end])) &&
                (next == std::string::npos || line[next] != '.'))
                return name;
        }
    }
    return "";
}

}  // namespace

std::string spelling_hint(const std::string& message, const std::string& line, int column) {
    const auto says = [&](const char* part) { return message.find(part) != std::string::npos; };
    for (const char* part : {"x", "y", "z"}) {
        const std::string capital(1, static_cast<char>(std::toupper(*part)));
        if (says("no member") &&
            (says(("'" + capital + "'").c_str()) || says(("\"" + capital + "\"").c_str())))
            return capital + ": did you mean " + part + "?";
    }
    // About operators, indices and conversions, in the words of clang, g++ and NVRTC.
    if (says("invalid operands") || says("no viable") || says("no match for") ||
        says("cannot convert") || says("matches these operands") || says("no suitable conversion"))
        if (const std::string name = without_its_part(line); !name.empty())
            return name + " has three parts: " + name + ".x counts along x, " + name + ".y and " +
                   name + ".z along the others.";
    // g++, clang; NVRTC.
    if (line.find('^') != std::string::npos && (says("invalid operands") || says("integral")))
        return "^ is the exclusive or of whole numbers, not a power: the square of x is x * x.";
    const bool is_atomic = says("atomic") || line.find("atomic") != std::string::npos;
    if (is_atomic && (says("no matching function") || says("no instance of overloaded function") ||
                      says("invalid conversion from")))
        return line.find("atomicMax") != std::string::npos ||
                       line.find("atomicMin") != std::string::npos
                   ? "atomicMax and atomicMin take the address of a whole number, &y[i], and a "
                     "whole number. For float: a loop around atomicCAS, or one result "
                     "a block."
                   : "the first argument of an atomic operation is an address: atomicAdd(&y[i], "
                     "1). For long long and size_t it is that of an unsigned long long: "
                     "atomicAdd((unsigned long long*)&y[i], 1ULL).";
    const auto hint = [&](const std::string& name) {
        const char* const word = meant(name);
        return !word || says((std::string("did you mean '") + word + "'").c_str())
                   ? std::string()
                   : name + ": did you mean " + word + "?";
    };
    // NVRTC's message for `__global void f()`: it takes the first word for a variable.
    if (says("no storage class or type specifier") && column > 0 &&
        static_cast<std::size_t>(column) <= line.size()) {
        const auto first = line.begin() + column - 1;
        return hint(std::string(first, std::find_if_not(first, line.end(), is_word)));
    }
    // The words of clang, g++ and NVRTC, in this order.
    if (!says("undeclared") && !says("unknown type name") && !says("was not declared") &&
        !says("does not name a type") && !says("is undefined"))
        return {};
    const std::size_t begin = message.find_first_of("'\"");
    if (begin == std::string::npos) return {};
    const std::string name =
        message.substr(begin + 1, message.find(message[begin], begin + 1) - begin - 1);
    return hint(name);
}

}  // namespace lanes::gpu
