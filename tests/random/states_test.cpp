// Random state dicts in files of PyTorch, NumPy and safetensors. states.py makes them; it also
// reads what this test has written to the folder LANES_RANDOM_FILES.
#include "programs.hpp"

#include "lanes/nn/tensor_files.hpp"

#include <unistd.h>

#include <cstring>
#include <filesystem>

namespace lanes_random {
namespace {

namespace fs = std::filesystem;

std::string from_base64(const std::string& text) {
    static const std::string digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char one : text) {
        if (one == '=') break;
        bits = bits << 6 | static_cast<std::uint32_t>(digits.find(one));
        if ((count += 6) < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<char>(bits >> count & 0xff));
    }
    return bytes;
}

// What differs from one of the program's tensors; "" if nothing.
std::string different_bits(const Tensor& x, const Json& spec) {
    if (x.shape() != shape_of(spec[2])) return "shape " + x.shape().text();
    const bool floating = spec[1].get<std::string>().find("float") != std::string::npos;
    if ((x.dtype() == lanes::DType::float32) != floating) return "another type";
    std::vector<int> words(x.size());
    if (x.size() > 0) {
        const void* const from = floating ? static_cast<const void*>(x.data()) : x.data<int>();
        std::memcpy(words.data(), from, words.size() * sizeof(int));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Json& wanted = spec[4][i];
        const bool same = wanted == "nan" ? std::isnan(x.data()[i]) : wanted == words[i];
        if (!same)
            return "element " + std::to_string(i) + " has the bits " + std::to_string(words[i]) +
                   " instead of " + wanted.dump();
    }
    return "";
}

void expect_tensors(const std::string& path, const Json& specs) {
    const lanes::NamedTensors read = lanes::load_tensors(path);
    EXPECT_EQ(read.size(), specs.size()) << path;
    const std::map<std::string, Tensor> by_name(read.begin(), read.end());
    for (const Json& spec : specs) {
        const auto found = by_name.find(spec[0].get<std::string>());
        ASSERT_NE(found, by_name.end()) << path << " has no " << spec[0];
        EXPECT_EQ(different_bits(found->second, spec), "") << path << ", " << spec;
    }
}

TEST(RandomStates, HaveTheSameBitsInAllFiles) {
    const char* const kept = std::getenv("LANES_RANDOM_FILES");
    const fs::path folder =
        kept ? fs::path(kept)
             : fs::temp_directory_path() / ("lanes-random-states-" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::size_t number = 0;
    for (const Json& program : programs_of("states")) {
        const Json& specs = program.at("tensors");
        const std::string stem = folder / std::to_string(number++);
        lanes::NamedTensors tensors;
        for (const auto& [ending, text] : program.at("files").items()) {
            const std::string path = stem + "-python" + ending;
            std::ofstream(path, std::ios::binary) << from_base64(text.get<std::string>());
            expect_tensors(path, specs);
            tensors = lanes::load_tensors(path);
        }
        for (const char* const ending : {".npz", ".safetensors"}) {
            lanes::save_tensors(stem + ending, tensors);
            expect_tensors(stem + ending, specs);
        }
    }
    if (!kept) fs::remove_all(folder);
}

}  // namespace
}  // namespace lanes_random
