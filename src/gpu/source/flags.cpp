#include "flags.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace lanes::gpu {

namespace {

bool starts_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

// Every spelling that nvcc and NVRTC accept, and the one that is used here.
const std::map<std::string, std::string>& words() {
    static const std::map<std::string, std::string> table{
        {"-use_fast_math", "--use_fast_math"},
        {"--use_fast_math", "--use_fast_math"},
        {"-lineinfo", "--generate-line-info"},
        {"--generate-line-info", "--generate-line-info"},
        {"-G", "--device-debug"},
        {"--device-debug", "--device-debug"},
        {"-restrict", "--restrict"},
        {"--restrict", "--restrict"},
        {"-w", "--disable-warnings"},
        {"--disable-warnings", "--disable-warnings"}};
    return table;
}

const std::map<std::string, std::string>& words_with_values() {
    static const std::map<std::string, std::string> table{{"-D", "-D"},
                                                          {"--define-macro", "-D"},
                                                          {"-U", "-U"},
                                                          {"--undefine-macro", "-U"},
                                                          {"-I", "-I"},
                                                          {"--include-path", "-I"},
                                                          {"-std", "--std="},
                                                          {"--std", "--std="},
                                                          {"-maxrregcount", "--maxrregcount="},
                                                          {"--maxrregcount", "--maxrregcount="},
                                                          {"-fmad", "--fmad="},
                                                          {"--fmad", "--fmad="},
                                                          {"-ftz", "--ftz="},
                                                          {"--ftz", "--ftz="},
                                                          {"-prec-div", "--prec-div="},
                                                          {"--prec-div", "--prec-div="},
                                                          {"-prec-sqrt", "--prec-sqrt="},
                                                          {"--prec-sqrt", "--prec-sqrt="}};
    return table;
}

void check_value(const std::string& flag, const std::string& kept, const std::string& value) {
    const auto one_of = [&](std::initializer_list<const char*> values) {
        return std::find(values.begin(), values.end(), value) != values.end();
    };
    bool good = !value.empty();
    if (kept == "--std=")
        good = one_of({"c++11", "c++14", "c++17", "c++20"});
    else if (kept == "--maxrregcount=")
        good = good && value.size() < 4 &&
               std::all_of(
                   value.begin(), value.end(),
                   [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    else if (starts_with(kept, "--"))
        good = one_of({"true", "false"});
    if (!good)
        throw Error("Program: the flag '" + flag + "' has no value that it could have" +
                    (value.empty() ? "" : " ('" + value + "')") +
                    ". Write it as nvcc takes it, such as -DNAME=3 or -std=c++17.");
}

}  // namespace

std::vector<std::string> normal_flags(const std::vector<std::string>& flags) {
    std::vector<std::string> normal;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const std::string& flag = flags[i];
        if (const auto word = words().find(flag); word != words().end()) {
            normal.push_back(word->second);
            continue;
        }
        std::string name = flag, value;
        const std::size_t equals = flag.find('=');
        if (!starts_with(flag, "--") && flag.size() > 2 &&
            (starts_with(flag, "-D") || starts_with(flag, "-U") || starts_with(flag, "-I"))) {
            name = flag.substr(0, 2), value = flag.substr(2);
        } else if (equals != std::string::npos) {
            name = flag.substr(0, equals), value = flag.substr(equals + 1);
        } else if (words_with_values().count(flag) && i + 1 < flags.size()) {
            value = flags[++i];
        }
        const auto word = words_with_values().find(name);
        if (word == words_with_values().end())
            throw Error("Program: the flag '" + flag +
                        "' is not known. These are: -DNAME=value, -UNAME, -Ifolder, -std=c++17, "
                        "-use_fast_math, -lineinfo, -G, -restrict, -w, -maxrregcount=N, "
                        "-fmad=false, -ftz=true, "
                        "-prec-div=false, -prec-sqrt=false. The architecture is the device's own.");
        check_value(flag, word->second, value);
        normal.push_back(word->second + value);
    }
    return normal;
}

}  // namespace lanes::gpu
