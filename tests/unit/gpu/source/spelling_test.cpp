#include "gpu/source/spelling.hpp"

#include "gpu/cuda/compiler.hpp"
#include "gpu/devices.hpp"

#include <string>
#include <vector>

namespace lanes {
namespace {

struct Mistake {
    const char *written, *meant, *text;
};

const std::vector<Mistake> mistakes{
    {"threadidx", "threadIdx", "__global__ void k(int* y) { y[threadidx.x] = 1; }"},
    {"blockidx", "blockIdx", "__global__ void k(int* y) { y[blockidx.x] = 1; }"},
    {"BlockDim", "blockDim", "__global__ void k(int* y) { y[threadIdx.x] = BlockDim.x; }"},
    {"grid_dim", "gridDim", "__global__ void k(int* y) { y[threadIdx.x] = grid_dim.x; }"},
    {"threadId", "threadIdx", "__global__ void k(int* y) { y[threadId.x] = 1; }"},
    {"syncthreads", "__syncthreads", "__global__ void k(int* y) { y[0] = 1; syncthreads(); }"},
    {"__syncthread", "__syncthreads", "__global__ void k(int* y) { y[0] = 1; __syncthread(); }"},
    {"__synchthreads", "__syncthreads",
     "__global__ void k(int* y) { y[0] = 1; __synchthreads(); }"},
    {"atomicadd", "atomicAdd", "__global__ void k(int* y) { atomicadd(y, 1); }"},
    {"__global", "__global__",
     "__global void k(int* y) { y[0] = 1; }\n__global__ void l(int* y) { y[0] = 1; }"},
    {"_shared_", "__shared__",
     "__global__ void k(int* y) { _shared_ int tile[4]; tile[0] = 1; y[0] = tile[0]; }"},
};

std::string hint_of(const std::string& message) { return gpu::spelling_hint(message, "", 0); }

// With either compiler; NVRTC needs no GPU.
class Spelling : public testing::TestWithParam<std::string> {
protected:
    static std::string error(const std::string& text) {
        return error_of([&] {
            if (GetParam() == "simulator")
                Program(Device::simulator(), text, {"cell.cu", {}});
            else
                gpu::cuda::compile_cubin({{text, "cell.cu", {}}, "sm_90", {}});
        });
    }
};
INSTANTIATE_TEST_SUITE_P(Compilers, Spelling, testing::Values("simulator", "NVRTC"),
                         [](const auto& info) { return info.param; });

TEST_P(Spelling, OfCudasWordsIsCorrected) {
    for (const Mistake& mistake : mistakes) {
        const std::string error = Spelling::error(mistake.text);
        const std::string hint =
            std::string(mistake.written) + ": did you mean " + mistake.meant + "?";
        const std::string compilers = std::string("did you mean '") + mistake.meant + "'?";
        EXPECT_TRUE(error.find(hint) != std::string::npos ||
                    error.find(compilers) != std::string::npos)
            << error;
        EXPECT_TRUE(error.find(hint) == std::string::npos ||
                    error.find(compilers) == std::string::npos)
            << "said twice: " << error;
        EXPECT_NE(error.find("cell.cu:1: error"), std::string::npos) << error;
    }
}

TEST_P(Spelling, PartsAndAddressesAreAskedFor) {
    const auto in_body = [](const std::string& line) {
        return error("__global__ void k(int* y) {\n    " + line + "\n}\n");
    };
    for (const char* line :
         {"int i = blockIdx * blockDim + threadIdx;", "int i = threadIdx;", "y[threadIdx] = 1;"})
        EXPECT_NE(in_body(line).find("has three parts"), std::string::npos) << in_body(line);
    EXPECT_NE(in_body("y[threadIdx] = 1;").find("hint: threadIdx has three parts: threadIdx.x"),
              std::string::npos);
    EXPECT_NE(in_body("y[threadIdx.X] = 1;").find("hint: X: did you mean x?"), std::string::npos)
        << in_body("y[threadIdx.X] = 1;");
    EXPECT_NE(in_body("atomicAdd(y[0], 1);").find("address: atomicAdd(&y[i], 1)"),
              std::string::npos)
        << in_body("atomicAdd(y[0], 1);");
    EXPECT_EQ(in_body("int i = threadIdx.x; float* p = i;").find("hint"), std::string::npos)
        << in_body("int i = threadIdx.x; float* p = i;");
}

TEST_P(Spelling, APowerIsNoExclusiveOr) {
    const std::string said = error("__global__ void k(float* y) {\n    y[0] = sqrtf(y[0]^2);\n}\n");
    EXPECT_NE(said.find("hint: ^ is the exclusive or of whole numbers"), std::string::npos) << said;
}

TEST_P(Spelling, ABraceThatIsMissingIsToldWithItsLine) {
    const std::string said = error(
        "__device__ int f() { return 1; }\n__global__ void k(int* y) {\n    if (y[0] > 1) {\n      "
        "  y[0] = f();\n}\n");
    EXPECT_NE(said.find("1 error.\ncell.cu:2: error: this { is never closed"), std::string::npos)
        << said;
    EXPECT_NE(said.find("    2 | __global__ void k(int* y) {"), std::string::npos) << said;
}

TEST_P(Spelling, ASharedVariableHasNoFirstValue) {
    for (const char* line : {"__shared__ int n = 5;", "__shared__ int a[2][2], n[4] = {0};",
                             "__shared__ int n{5};", "static __shared__ int n = 0;"}) {
        const std::string said =
            error(std::string("__global__ void k(int* y) {\n    ") + line + "\n    y[0] = 1;\n}\n");
        EXPECT_NE(said.find("cell.cu:2: error: "), std::string::npos) << said;
        EXPECT_NE(said.find("__shared__"), std::string::npos) << said;
    }
    EXPECT_EQ(error("struct P { int a = 1; };\n__global__ void k(int* y) {\n    __shared__ struct "
                    "{ int a; } s;\n    __shared__ int t[sizeof(P)], u[2];\n    "
                    "for (int i = 0; i < 2; ++i) t[i] = u[i] = s.a = i;\n    y[0] = t[0];\n}\n"),
              "");
}

TEST_P(Spelling, TemplatesWantAllTheirArguments) {
    const std::string text = "template <int n, class T> __global__ void k(T* y) { y[0] = n; }\n";
    for (const char* name : {"k<3>", "k<float, int>", "k<3, int, 4>"}) {
        const std::string said = error_of([&] {
            if (GetParam() == "simulator")
                Program(Device::simulator(), text, {"cell.cu", {}}).kernel(name);
            else
                gpu::cuda::compile_cubin({{text, "cell.cu", {}}, "sm_90", {name}});
        });
        EXPECT_NE(said.find("1 error.\ncell.cu"), std::string::npos) << said;
        EXPECT_NE(said.find("Name all of them"), std::string::npos) << said;
    }
}

TEST(SpellingHint, ReadsWhatAnyOfTheCompilersSays) {
    const std::string hint = "threadidx: did you mean threadIdx?";
    EXPECT_EQ(hint_of("use of undeclared identifier 'threadidx'"), hint);
    EXPECT_EQ(hint_of("'threadidx' was not declared in this scope"), hint);
    EXPECT_EQ(hint_of("identifier \"threadidx\" is undefined"), hint);
    EXPECT_EQ(hint_of("use of undeclared identifier 'threadidx'; did you mean 'threadIdx'?"), "");
    EXPECT_EQ(hint_of("identifier \"_global_\" is undefined"),
              "_global_: did you mean __global__?");
    EXPECT_EQ(hint_of("identifier \"bloxkIdx\" is undefined"), "bloxkIdx: did you mean blockIdx?");
    EXPECT_EQ(hint_of("identifier \"bolckIdx\" is undefined"), "bolckIdx: did you mean blockIdx?");
}

TEST(SpellingHint, LeavesOtherWordsAlone) {
    for (const char* name : {"i", "tid", "block", "grid", "threads", "index", "atomicMul", "print",
                             "threadIdx", "tile", "shared_sum", "sync"})
        EXPECT_EQ(hint_of(std::string("use of undeclared identifier '") + name + "'"), "") << name;
    EXPECT_EQ(hint_of("no member named 'threadidx' in 'Point'"), "");
}

}  // namespace
}  // namespace lanes
