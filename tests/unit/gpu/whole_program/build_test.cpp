// Programs for a GPU, compiled by clang and NVRTC. These tests need no GPU.
#include "gpu/whole_program/build.hpp"
#include "gpu/whole_program/compiler_flags.hpp"

#include "error_of.hpp"
#include "gpu/folder.hpp"

#include "lanes/gpu/program.hpp"

#include <gtest/gtest.h>

namespace {

using namespace lanes::gpu::whole_program;  // NOLINT: a test of this namespace alone

BuiltProgram built(const std::string& text) {
    const lanes::TestFolder folder;
    BuildRequest request;
    request.files.push_back({"program.cu", text, false});
    request.architecture = "sm_90";
    return build(request, folder.path());
}

// Needs clang, and the library of CUDA's functions: tests that are compiled without CMake have
// none.
class BuildForAGpu : public testing::Test {
protected:
    void SetUp() override {
        try {
            built("int main() {}\n");
        } catch (const lanes::Error& error) {
            const std::string text = error.what();
            if (text.find("no clang") == std::string::npos &&
                text.find("-llanes_cuda_runtime") == std::string::npos)
                throw;
            GTEST_SKIP() << text;
        }
    }
};

TEST_F(BuildForAGpu, HeadersOfTheHostLeaveNothingThatNvrtcRefuses) {
    const BuiltProgram program = built(R"(#include <cassert>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <vector>
namespace { __constant__ float factor[2]; }
template <class T, int n>
__global__ void least(const T* x, T* y) {
    static_assert(std::is_floating_point<T>::value, "");
    assert(n > 0);
    T value = std::numeric_limits<T>::max();
    for (int i = 0; i < n; ++i) value = min(value, x[i] * factor[0]);
    if (y != NULL) *y = value;
}
int main() { std::vector<float> x(8); least<float, 8><<<1, 1>>>(x.data(), x.data()); }
)");
    EXPECT_EQ(program.executable.substr(1, 3), "ELF");
    ASSERT_EQ(program.manifest.units.size(), 1U);
    EXPECT_EQ(program.manifest.units[0].launchables.at(0).expression, "least<float, 8>");
}

TEST_F(BuildForAGpu, ErrorsAreFoundBeforeTheProgramRuns) {
    const std::string error = lanes_test::error_of<lanes::CudaCompileError>([] {
        built(
            "#include <cstdio>\n__global__ void k(int* x) {\n    x[0] = __shfl_up(1, 1);\n}\n"
            "int main() { k<<<1, 1>>>(nullptr); }\n");
    });
    EXPECT_NE(error.find("program.cu:3: error: "), std::string::npos) << error;
    EXPECT_NE(error.find("__shfl_up"), std::string::npos) << error;
}

// One string, to compare.
std::string flags_for_nvcc(const std::vector<std::string>& given) {
    BuildRequest request;
    request.flags = given;
    request.architecture = "sm_90";
    std::string text;
    for (const std::string& word : nvcc_flags(request, "program")) text += word + " ";
    return text;
}

TEST(FlagsForNvcc, AreThoseOfTheUserInPlaceOfTheUsualOnes) {
    EXPECT_EQ(flags_for_nvcc({}), "-std=c++17 -O2 -lineinfo -arch=sm_90 -o program ");
    EXPECT_EQ(flags_for_nvcc({"-O3", "-std=c++20", "-DN=3"}),
              "-lineinfo -arch=sm_90 -o program -O3 -std=c++20 -DN=3 ");
    EXPECT_EQ(flags_for_nvcc({"-gencode=arch=compute_80,code=sm_80", "-G"}),
              "-std=c++17 -O2 -o program -gencode=arch=compute_80,code=sm_80 -G ");
    EXPECT_EQ(flags_for_nvcc({"-arch=sm_80", "-lineinfo", "-fopenmp", "-Wall"}),
              "-std=c++17 -O2 -o program -arch=sm_80 -lineinfo -Xcompiler -fopenmp -Xcompiler "
              "-Wall ");
}

}  // namespace
