// Messages of the simulator in CUDA's words: the author of a whole program has no Buffer and no
// LaunchConfig.
#include "gpu/whole_program/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using lanes::gpu::whole_program::in_cuda_words;

// The texts in a C++ file, adjacent ones as one.
std::vector<std::string> texts_of(const std::string& code) {
    static const std::regex part(R"re(//[^\n]*|#include[^\n]*|R"\w*\([\s\S]*?\)\w*"|)re"
                                 R"re('(?:\\.|[^'\\\n])'|"((?:\\.|[^"\\\n])*)"|(\S))re");
    std::vector<std::string> texts;
    bool adjacent = false;
    for (std::sregex_iterator at(code.begin(), code.end(), part), end; at != end; ++at) {
        const std::string whole = (*at)[0];
        if (whole.front() != '"') {
            adjacent = adjacent && whole.compare(0, 2, "//") == 0;
            continue;
        }
        std::string text = (*at)[1];
        for (std::size_t i = 0; (i = text.find('\\', i)) != std::string::npos; ++i)
            text.erase(i, 1);
        if (adjacent)
            texts.back() += text;
        else
            texts.push_back(text);
        adjacent = true;
    }
    return texts;
}

TEST(CudaWords, TextsOfACppFileAreFound) {
    EXPECT_EQ(
        texts_of("f(\"a \"  // x \"no\"\n  \"b\" + s + \"\\\"c\\\"\"); // \"no\"\nchar d = '\"';"),
        (std::vector<std::string>{"a b", "\"c\""}));
}

TEST(CudaWords, NoAdviceOfTheSimulatorNamesTheLibrary) {
    const std::regex of_the_library(
        "Buffer|Checks::|Device::|LaunchConfig|Program::|program\\.kernel|program\\.variable|"
        "device\\.\\w|launch\\(\\)|C\\+\\+ cell|of a Program ");
    std::size_t texts = 0, said_otherwise = 0;
    for (const auto& entry : fs::recursive_directory_iterator(LANES_SIMULATOR_SOURCES)) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream file(entry.path());
        for (const std::string& text : texts_of({std::istreambuf_iterator<char>(file), {}})) {
            ++texts;
            if (!std::regex_search(text, of_the_library)) continue;
            ++said_otherwise;
            EXPECT_FALSE(std::regex_search(in_cuda_words(text), of_the_library))
                << entry.path().filename() << ": " << in_cuda_words(text);
        }
    }
    EXPECT_GT(texts, 500U);
    EXPECT_GT(said_otherwise, 25U);
}

}  // namespace
