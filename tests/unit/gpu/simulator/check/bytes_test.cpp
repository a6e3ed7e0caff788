// Elements smaller than the four bytes of a cell of shadow memory, and names that a program may
// freely use.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanes {
namespace {

template <class T>
std::vector<Finding> findings_of(const std::string& type, const std::string& statement) {
    const Device device = Device::simulator();
    const Program program(
        device,
        "__global__ void f(" + type +
            "* a, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) " +
            statement + "\n}\n");
    Buffer<T> a = Buffer<T>::zeros(device, 200);
    try {
        launch(program.kernel("f"), {4, 64}, a, 199);
    } catch (const CudaKernelFault& fault) {
        return fault.findings();
    }
    return {};
}

TEST(SimulatorBytes, EachThreadItsOwnElementIsNoRace) {
    for (const char* statement :
         {"a[i] = 255 - a[i];", "a[i] += 1;", "{ int v = a[i]; v += a[i]; a[i] = v; }"}) {
        EXPECT_TRUE(findings_of<unsigned char>("unsigned char", statement).empty()) << statement;
        EXPECT_TRUE(findings_of<short>("short", statement).empty()) << statement;
    }
    EXPECT_TRUE(findings_of<bool>("bool", "a[i] = !a[i];").empty());
}

TEST(SimulatorBytes, ANeighboursElementIsARace) {
    for (const auto& findings : {findings_of<unsigned char>("unsigned char", "a[i] = a[i + 1];"),
                                 findings_of<short>("short", "a[i] = a[i + 1];")}) {
        ASSERT_FALSE(findings.empty());
        EXPECT_EQ(findings[0].kind, FindingKind::race);
        EXPECT_EQ(findings[0].first.line, 3);
    }
}

TEST(SimulatorNames, MacrosOfOneLetterDisturbNothing) {
    for (const Device& device : {Device::simulator(), Device::simulator().fast()}) {
        const Program program(device,
                              "#define T int\n#define I 3\n#define P 4\n#define n 5\n#define first "
                              "6\n#define type 7\n__global__ void f(T* y) { y[threadIdx.x] "
                              "= I + P + n + first + type; }\n");
        Buffer<int> y(device, 32);
        launch(program.kernel("f"), {1, 32}, y);
        EXPECT_EQ(y.download()[31], 25);
    }
}

TEST(SimulatorNames, ACudaKernelMayHaveTheNameOfAFunctionOfCuda) {
    for (const Device& device : {Device::simulator(), Device::simulator().fast()}) {
        const Program program(device,
                              "__global__ void max(const int* a, const int* b, int* c) { "
                              "c[threadIdx.x] = max(a[threadIdx.x], b[threadIdx.x]); }\n");
        Buffer<int> a(device, std::vector<int>(32, 3)), b(device, std::vector<int>(32, 4)),
            c(device, 32);
        launch(program.kernel("max"), {1, 32}, a, b, c);
        EXPECT_EQ(c.download()[31], 4);
    }
}

}  // namespace
}  // namespace lanes
