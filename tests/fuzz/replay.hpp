// The files of a folder of the corpus, for the unit tests that replay them.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace fuzz {

inline std::map<std::string, std::string> inputs(const std::string& folder) {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(LANES_FUZZ_CORPUS "/" + folder)) {
        std::ifstream file(entry.path(), std::ios::binary);
        found[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return found;
}

}  // namespace fuzz
