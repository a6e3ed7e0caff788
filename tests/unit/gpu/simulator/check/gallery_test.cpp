// The gallery of wrong CUDA kernels: every gallery/NAME.cu must be diagnosed with the right kind,
// element, lines and threads, and with -DREPAIRED it must be silent. A new one is a new file:
//
//   // Why it is wrong, in a sentence.
//   // launch: grid 2x1 block 16x16 shared 256 float[100] float[100]=empty 100
//   // repaired launch: ...               if the launch is what is wrong
//   // entry: tile<16>                     if the CUDA kernel is a template
//   // constant: coefficients float[9]     a __constant__ array that gets values
//   // stop after: 0.3                     seconds without progress
//   // compiler: clang                     if g++ does not report enough
//   // expect: race tile[31] block (0,0,0) thread (32,0,0) against thread (31,0,0)
//   // says: atomicMax                     a part of the message, if it matters
//
// then the CUDA kernel, with #ifdef REPAIRED around the correction. The line of the finding ends in
// "// first", the line of the other side in "// second". Arguments: T[n] is a buffer of values 0,
// 1, 2, ...; T[n]=zero; T[n]=empty is uninitialised; a number is an int; host_struct is a struct
// with a host pointer; cooperative is a property of the launch.
#include "gpu/simulator/compile/compiler.hpp"

#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>

namespace lanes {
namespace {

struct HostStruct {
    const float* first;
    int count;
};

Dim3 read_dimensions(const std::string& text) {
    unsigned size[3] = {1, 1, 1};
    std::istringstream in(text);
    std::string part;
    for (int i = 0; i < 3 && std::getline(in, part, 'x'); ++i)
        size[i] = static_cast<unsigned>(std::stoul(part));
    return {size[0], size[1], size[2]};
}

Coordinates read_coordinates(const std::string& text) {
    Coordinates at{};
    if (!text.empty()) std::sscanf(text.c_str(), "(%u,%u,%u)", &at[0], &at[1], &at[2]);
    return at;
}

template <class T>
std::vector<T> values_of(std::size_t count) {
    std::vector<T> values(count);
    std::iota(values.begin(), values.end(), T(0));
    return values;
}

template <class T>
gpu::Argument buffer_of(const Device& device, std::size_t count, const std::string& how) {
    if (how == "empty") return gpu::argument(Buffer<T>(device, count));
    if (how == "zero") return gpu::argument(Buffer<T>::zeros(device, count));
    return gpu::argument(Buffer<T>(device, values_of<T>(count)));
}

class Picture {
public:
    explicit Picture(const std::filesystem::path& path) : name(path.filename()) {
        std::ifstream in(path);
        int number = 0;
        for (std::string line; std::getline(in, line);) {
            text += line + "\n";
            ++number;
            std::smatch found;
            if (std::regex_match(line, found,
                                 std::regex("// (launch|repaired launch|entry|constant|stop "
                                            "after|compiler|expect|says): (.*)")))
                directives[found[1]] = found[2];
            const std::size_t comment = line.rfind("//");
            if (comment == std::string::npos || comment == 0) continue;
            if (line.find("first", comment) != std::string::npos) first_line = number;
            if (line.find("second", comment) != std::string::npos) second_line = number;
        }
    }

    LaunchReport launch_on(const Device& device, bool repaired) const {
        ProgramOptions options;
        options.name = name;
        if (repaired) options.flags = {"-DREPAIRED"};
        const Program program(device, text, options);
        if (const auto constant = directives.find("constant"); constant != directives.end()) {
            std::smatch found;
            EXPECT_TRUE(
                std::regex_match(constant->second, found, std::regex("(\\w+) float\\[(\\d+)\\]")));
            program.variable(found[1]).upload(values_of<float>(std::stoul(found[2])));
        }
        const auto other = directives.find("repaired launch");
        std::istringstream words(repaired && other != directives.end() ? other->second
                                                                       : directives.at("launch"));
        LaunchConfig config;
        std::vector<gpu::Argument> arguments;
        for (std::string word; words >> word;) {
            std::smatch found;
            std::string value;
            if (word == "grid" && words >> value) {
                config.grid = read_dimensions(value);
            } else if (word == "block" && words >> value) {
                config.block = read_dimensions(value);
            } else if (word == "shared" && words >> value) {
                config.shared_bytes = std::stoul(value);
            } else if (word == "cooperative") {
                config.cooperative = true;
            } else if (word == "host_struct") {
                static const std::vector<float> numbers = values_of<float>(32);
                arguments.push_back(gpu::argument(HostStruct{numbers.data(), 32}));
            } else if (std::regex_match(word, found,
                                        std::regex("(\\w+)\\[(\\d+)\\](?:=(\\w+))?"))) {
                const std::size_t count = std::stoul(found[2]);
                arguments.push_back(found[1] == "float" ? buffer_of<float>(device, count, found[3])
                                    : found[1] == "int"
                                        ? buffer_of<int>(device, count, found[3])
                                        : buffer_of<unsigned>(device, count, found[3]));
            } else {
                arguments.push_back(gpu::argument(std::stoi(word)));
            }
        }
        const auto entry = directives.find("entry");
        return gpu::launch_arguments(
            program.kernel(entry == directives.end() ? program.kernel_names().at(0)
                                                     : entry->second),
            config, arguments);
    }

    Checks checks() const {
        Checks checks;
        if (const auto seconds = directives.find("stop after"); seconds != directives.end())
            checks.stop_after_seconds = std::stod(seconds->second);
        return checks;
    }

    std::string name, text;
    std::map<std::string, std::string> directives;
    int first_line = 0, second_line = 0;
};

std::string enumerator(FindingKind kind) {
    std::string name = name_of(kind);
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

std::vector<std::filesystem::path> pictures() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(LANES_GALLERY))
        if (entry.path().extension() == ".cu") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

class Gallery : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Gallery, IsDiagnosed) {
    const Picture picture(GetParam());
    if (const auto needed = picture.directives.find("compiler");
        needed != picture.directives.end() &&
        gpu::simulator::compiler_version().find(needed->second) == std::string::npos)
        GTEST_SKIP() << "only with " << needed->second;
    std::vector<Finding> findings;
    try {
        picture.launch_on(Device::simulator().with(picture.checks()), false);
    } catch (const CudaKernelFault& fault) {
        findings = fault.findings();
        EXPECT_EQ(std::string(fault.what()).rfind(findings.at(0).message, 0), 0u) << fault.what();
    }
    ASSERT_FALSE(findings.empty()) << "nothing was found";
    std::string all;
    for (const Finding& finding : findings) all += finding.message + "\n\n";
    RecordProperty("findings", all);
    SCOPED_TRACE(all);

    const std::string coordinates = "(\\(\\d+,\\d+,\\d+\\))";
    const std::regex form("(\\w+)(?: (\\w+)\\[(-?\\d+)\\])?(?: block " + coordinates +
                          ")?(?: thread " + coordinates + ")?(?: against(?: block " + coordinates +
                          ")?(?: thread " + coordinates + ")?)?");
    std::smatch expected;
    const std::string& text = picture.directives.at("expect");
    ASSERT_TRUE(std::regex_match(text, expected, form)) << text;
    const Finding& finding = findings[0];
    EXPECT_EQ(enumerator(finding.kind), expected[1]);
    EXPECT_EQ(finding.first.line, picture.first_line);
    EXPECT_EQ(finding.first.block, read_coordinates(expected[4]));
    if (expected[1] != "no_progress" || expected[5].matched)
        EXPECT_EQ(finding.first.thread,
                  read_coordinates(expected[5]));  // any of many threads may be in the loop
    if (expected[2].matched) {
        EXPECT_EQ(finding.object, expected[2]);
        EXPECT_EQ(finding.index, std::stoll(expected[3]));
    }
    EXPECT_EQ(finding.has_second, text.find("against") != std::string::npos);
    EXPECT_EQ(finding.second.line, picture.second_line);
    EXPECT_EQ(finding.second.block, read_coordinates(expected[6]));
    EXPECT_EQ(finding.second.thread, read_coordinates(expected[7]));
    EXPECT_EQ(finding.message.find("0x7"), std::string::npos) << "no address in a text";
    if (const auto words = picture.directives.find("says"); words != picture.directives.end())
        EXPECT_NE(finding.message.find(words->second), std::string::npos) << words->second;
}

TEST_P(Gallery, IsSilentWhenRepaired) {
    const Picture picture(GetParam());
    try {
        const LaunchReport report =
            picture.launch_on(Device::simulator().with(picture.checks()), true);
        EXPECT_TRUE(report.counted);
    } catch (const CudaKernelFault& fault) {
        std::string all;
        for (const Finding& finding : fault.findings()) all += finding.message + "\n\n";
        FAIL() << all;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Gallery, testing::ValuesIn(pictures()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(GalleryFolder, HoldsEnough) { EXPECT_GE(pictures().size(), 140u); }

// compute_sanitizer.md has each of them, and what the simulator says of it.
TEST(GalleryFolder, IsTheOneThatComputeSanitizerWasRunOn) {
    std::map<std::string, std::string> expected, listed;
    for (const auto& path : pictures()) {
        std::string kind = Picture(path).directives.at("expect");
        kind.resize(std::min(kind.find(' '), kind.size()));
        std::replace(kind.begin(), kind.end(), '_', ' ');
        expected[path.stem()] = kind;
    }
    std::ifstream table(LANES_GALLERY "/../compute_sanitizer.md");
    const std::regex row("\\| (\\w+) \\| ([a-z ]+?) \\|.*");
    for (std::string line; std::getline(table, line);)
        if (std::smatch found; std::regex_match(line, found, row)) listed[found[1]] = found[2];
    EXPECT_EQ(listed, expected);
}

}  // namespace
}  // namespace lanes
