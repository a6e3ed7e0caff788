#include "lines.hpp"

#include "memory_file.hpp"
#include "process.hpp"

#include "base/text.hpp"
#include "lanes/base/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace lanes::gpu::simulator {
namespace {

// An access that the compiler has moved may have no line. Its neighbours have one, and usually
// belong to the same statement.
constexpr std::uintptr_t farthest = 40;

std::string as_hex(std::uintptr_t number) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

}  // namespace

std::map<std::uintptr_t, SourceLine> read_frames(const std::string& printed,
                                                 const std::string& program) {
    std::map<std::uintptr_t, SourceLine> lines;
    std::uintptr_t address = 0;
    std::istringstream in(printed);
    for (std::string text; std::getline(in, text);) {
        const std::size_t colon = text.rfind(':');
        if (text.compare(0, 2, "0x") == 0 && colon == std::string::npos) {
            address = std::strtoull(text.c_str(), nullptr, 16);
            continue;
        }
        if (colon == std::string::npos || lines.count(address)) continue;
        // "file:17:5" of llvm-symbolizer; "file:17 (discriminator 2)" or "file:?" of addr2line
        std::string file = text.substr(0, colon);
        SourceLine at{std::atoi(text.c_str() + colon + 1), 0};
        const std::size_t before = file.rfind(':');
        if (before != std::string::npos) {
            at = {std::atoi(file.c_str() + before + 1), at.line};
            file.resize(before);
        }
        if (at.line > 0 && (file == program || ends_with(file, "/" + program))) lines[address] = at;
    }
    return lines;
}

void LineTable::prepare(const std::vector<const void*>& codes) {
    std::vector<std::string> addresses;
    for (const void* code : codes) {
        if (!known_.emplace(code, SourceLine{}).second) continue;
        const std::uintptr_t call = reinterpret_cast<std::uintptr_t>(code) - base_ - 1;
        for (std::uintptr_t away = 0; away <= farthest; ++away) {
            addresses.push_back(as_hex(call + away));
            if (away) addresses.push_back(as_hex(call - away));
        }
    }
    if (addresses.empty()) return;
    const MemoryFile file(object_);
    for (const char* tool : {"llvm-symbolizer-19", "llvm-symbolizer", "addr2line"}) {
        std::vector<std::string> arguments = {tool, "-a", "-i", "-e", file.path_for_children()};
        if (tool[0] == 'l') arguments.emplace_back("--functions=none");
        arguments.insert(arguments.end(), addresses.begin(), addresses.end());
        ProcessOutcome outcome;
        try {
            outcome = run_process(arguments);
        } catch (const Error&) {
            continue;  // not installed
        }
        if (outcome.status != 0) continue;
        const auto lines = read_frames(outcome.output, program_);
        for (const void* code : codes) {
            const std::uintptr_t call = reinterpret_cast<std::uintptr_t>(code) - base_ - 1;
            for (std::uintptr_t away = 0; away <= farthest && known_[code].line == 0; ++away)
                for (const std::uintptr_t address : {call - away, call + away}) {
                    const auto found = lines.find(address);
                    if (found != lines.end() && known_[code].line == 0)
                        known_[code] = found->second;
                }
        }
        break;
    }
}

SourceLine LineTable::operator()(const void* code) {
    if (!code) return {};
    prepare({code});
    return known_[code];
}

}  // namespace lanes::gpu::simulator
