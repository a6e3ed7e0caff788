// Compiles and runs a whole CUDA program: tools/run-cu.
#include "lanes/gpu/whole_program.hpp"

#include <cstdio>
#include <cstring>
#include <exception>
#include <regex>
#include <string>
#include <vector>

namespace {

const char* const usage =
    "usage: run-cu [--fast] [-Ifolder] [-DNAME=value] [-std=c++17] FILE.cu [MORE.cu|.cpp ...] "
    "[--] [arguments]\n"
    "Compiles and runs a CUDA program, on a GPU or on the simulator.\n"
    "--fast: on the simulator without checks.\n";

bool is_source(const std::string& word) {
    const std::size_t dot = word.rfind('.');
    const std::string end = dot == std::string::npos ? "" : word.substr(dot);
    return end == ".cu" || end == ".cpp" || end == ".cc" || end == ".cxx" || end == ".c";
}

// A word after the files that was perhaps meant for the compiler: nvcc takes flags there.
bool is_compiler_flag(const std::string& word) {
    static const std::regex flag(
        "--fast|-fopenmp|-lineinfo|-D[A-Za-z_].*|-I.+|-std=.+|-O[0-3]|-arch=.+|-gencode.*");
    return std::regex_match(word, flag);
}

}  // namespace

int main(int count, char** words) try {
    lanes::CudaProgramOptions options;
    std::vector<std::string> files, arguments;
    int at = 1;
    for (; at < count; ++at) {
        const std::string word = words[at];
        if (word == "--") {
            ++at;
            break;
        }
        const bool is_flag = word[0] == '-' && word != "--help" && word != "-h";
        if (word == "--fast")
            options.fast = true;
        else if (is_source(word))
            files.push_back(word);
        else if (!files.empty() || !is_flag)
            break;  // an argument of the program
        else if ((word == "-I" || word == "-D") && at + 1 < count)
            options.flags.push_back(word + words[++at]);
        else
            options.flags.push_back(word);
    }
    if (files.empty()) {
        std::fputs(usage, stderr);
        return 2;
    }
    arguments.assign(words + at, words + count);
    const bool separated = std::strcmp(words[at - 1], "--") == 0;
    for (const std::string& argument : arguments)
        if (!separated && is_compiler_flag(argument))
            std::fprintf(stderr,
                         "run-cu: '%s' comes after the file, so it is an argument of the program. "
                         "Flags of the compiler come before the file; write -- before the "
                         "program's arguments if it is one.\n",
                         argument.c_str());
    return lanes::run_cuda_files(files, arguments, options);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
