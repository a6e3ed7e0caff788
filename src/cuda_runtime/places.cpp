#include "gpu/simulator/object/elf.hpp"
#include "gpu/simulator/object/process.hpp"
#include "runtime.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

namespace lanes::cuda_runtime {

namespace {

// Address at which the program was loaded.
std::uintptr_t base() {
    static const std::uintptr_t address = [] {
        std::uintptr_t found = 0;
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* to) {
                *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
                return 1;  // the first one is the program
            },
            &found);
        return found;
    }();
    return address;
}

bool is_own(const std::string& file) {
    const std::string& headers = Runtime::get().manifest().runtime_folder;
    return file.compare(0, headers.size(), headers) != 0 && file.compare(0, 5, "/usr/") != 0 &&
           file.compare(0, 2, "??") != 0;
}

// The first line of the program's own files of each address.
std::vector<Place> read_places(const std::string& printed, std::size_t count) {
    std::vector<Place> places(count);
    std::istringstream in(printed);
    std::ptrdiff_t at = -1;
    for (std::string text; std::getline(in, text);) {
        if (text.compare(0, 2, "0x") == 0 && text.find(':') == std::string::npos) {
            ++at;
            continue;
        }
        if (at < 0 || at >= static_cast<std::ptrdiff_t>(count)) continue;
        Place& place = places[static_cast<std::size_t>(at)];
        if (place.line > 0) continue;
        // "file:17:5" of llvm-symbolizer; "file:17 (discriminator 2)" of addr2line
        std::size_t colon = text.rfind(':');
        if (colon == std::string::npos) continue;
        std::string file = text.substr(0, colon);
        int line = std::atoi(text.c_str() + colon + 1);
        if (const std::size_t before = file.rfind(':'); before != std::string::npos) {
            line = std::atoi(file.c_str() + before + 1);
            file.resize(before);
        }
        while (file.compare(0, 2, "./") == 0) file.erase(0, 2);  // as it was given
        if (line > 0 && is_own(file)) place = {file, line};
    }
    return places;
}

}  // namespace

std::vector<Place> places_of(const std::vector<const void*>& codes) {
    std::vector<std::string> addresses;
    for (const void* code : codes) {
        char text[32];
        std::snprintf(
            text, sizeof text, "0x%llx",
            static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(code) - base() - 1));
        addresses.emplace_back(text);
    }
    for (const char* tool : {"llvm-symbolizer-19", "llvm-symbolizer", "addr2line"}) try {
            std::vector<std::string> words{tool, "-a", "-i", "-e",
                                           "/proc/" + std::to_string(getpid()) + "/exe"};
            if (tool[0] == 'l') words.emplace_back("--functions=none");
            words.insert(words.end(), addresses.begin(), addresses.end());
            const auto outcome = gpu::simulator::run_process(words);
            if (outcome.status != 0) continue;
            return read_places(outcome.output, codes.size());
        } catch (const Error&) {
            continue;  // not installed
        }
    return std::vector<Place>(codes.size());
}

Place place_of(const void* code) { return places_of({code}).front(); }

std::string place_text(const void* code) {
    const Place place = place_of(code);
    return place.line > 0 ? place.text() : "the program";
}

std::string shown_line(const Place& place) {
    std::string content;
    for (const auto& source : Runtime::get().manifest().texts)
        if (source.name == place.file) content = source.text;
    if (content.empty()) {
        std::ifstream file(place.file, std::ios::binary);
        content.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::istringstream lines(content);
    std::string text;
    for (int i = 0; i < place.line; ++i)
        if (!std::getline(lines, text)) return "";
    return place.line > 0 ? "\n    " + std::to_string(place.line) + " | " + text : "";
}

Symbol symbol_at(const void* address) {
    static const std::map<std::uintptr_t, Symbol> symbols = [] {
        std::map<std::uintptr_t, Symbol> all;
        std::ifstream file("/proc/self/exe", std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const gpu::simulator::Elf program(bytes);
        for (const auto& symbol : program.symbols())
            if (symbol.section && !symbol.name.empty() &&
                (symbol.is_variable || symbol.name.find("__device_stub__") != std::string::npos))
                all[static_cast<std::uintptr_t>(symbol.address)] = {symbol.name, symbol.file};
        return all;
    }();
    const auto found = symbols.find(reinterpret_cast<std::uintptr_t>(address) - base());
    return found == symbols.end() ? Symbol() : found->second;
}

}  // namespace lanes::cuda_runtime
