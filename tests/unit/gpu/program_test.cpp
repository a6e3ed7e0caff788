#include "lanes/gpu/program.hpp"

#include "devices.hpp"
#include "folder.hpp"
#include "lanes/array/types.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <xtensor/xview.hpp>

#include <vector>

namespace lanes {
namespace {

const char* const text = R"(
__constant__ float weights[4];
__device__ int calls = 0;
namespace space { template <class T, int N> __global__ void add(T* x) { x[threadIdx.x] += N; if (threadIdx.x == 0) atomicAdd(&calls, 1); } }
extern "C" __global__ void weighted(float* y) { y[threadIdx.x] = weights[threadIdx.x]; }
__global__ void count(int* out) { if (threadIdx.x == 0) *out = calls; }
)";

class ProgramOn : public OnDevice {};
INSTANTIATE_ON_DEVICES(ProgramOn);

TEST_P(ProgramOn, NamesOfCudaKernels) {
    const Program program(device(), text);
    EXPECT_EQ(program.kernel_names(), (std::vector<std::string>{"weighted", "count"}));
    EXPECT_EQ(program.kernel("weighted").name(), "weighted");
    EXPECT_EQ(error_of([&] { program.kernel("weight"); }),
              "Program::kernel: 'weight' is no __global__ function of program.cu, which has "
              "space::add<…>, weighted, count. Look at the spelling; a function "
              "without __global__ cannot be launched.");
    EXPECT_EQ(
        error_of([&] { program.kernel("space::add"); }),
        "Program::kernel: 'space::add' is a template. Name its arguments: \"space::add<…>\".");
}

TEST(Program, ANewTextOfACellTakesThePlaceOfTheOld) {
    const std::string &first = keep_cuda_text("a", "one"), &other = keep_cuda_text("b", "two");
    EXPECT_EQ(&keep_cuda_text("a", "three"), &first);
    EXPECT_EQ(first + other, "threetwo");
}

// As a cell of a notebook with %%cuda has it.
TEST_P(ProgramOn, ATextMayTellItsNameAndLine) {
    const std::string body = "__global__ void f(int* x) { x[0] = 1; }\n";
    EXPECT_NE(error_of([&] {
                  Program(device(), "#line 5 \"In[7]\"\n" + body + "int y = missing;\n");
              }).find("In[7]:6: error: "),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  Program(device(), "#line 2 \"In[7]\"\n" + body).kernel("g");
              }).find("no __global__ function of In[7], which has f"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  Program(device(), "#line 2 \"In[7]\"\n#error \"stop\"", {"own.cu", {}});
              }).find("own.cu:2: error: "),
              std::string::npos);
}

TEST(Program, AFindingHasTheNameAndTheLineThatTheTextTells) {
    const Program program(Device::simulator(),
                          "#line 5 \"In[7]\"\n\n__global__ void f(int* x) { x[threadIdx.x] = 1; }");
    const Buffer<int> x(Device::simulator(), 2);
    const std::string error = error_of([&] { launch(program.kernel("f"), {1, 3}, x); });
    EXPECT_EQ(error.find("In[7]:6: out of bounds: x[2]"), 0u) << error;
}

// The cache finds it when the cell was run again and has another number.
TEST_P(ProgramOn, TheCompilerDoesNotSeeTheNameThatTheTextTells) {
    const Program program(device(),
                          "#line 2 \"In[7]\"\n"
                          "__global__ void f(char* x) { x[threadIdx.x] = __FILE__[threadIdx.x]; }");
    const Buffer<char> x(device(), 7);
    launch(program.kernel("f"), {1, 7}, x);
    const std::vector<char> name = x.download();
    EXPECT_EQ(std::string(name.begin(), name.end()), "cell.cu");
}

TEST_P(ProgramOn, ACudaKernelInsideAConditionOnTheArchitectureIsFound) {
    const Program program(device(),
                          "#if __CUDA_ARCH__ >= 500\n"
                          "extern \"C\" __global__ void set(int* y) { *y = __CUDA_ARCH__; }\n"
                          "#endif\n");
    Buffer<int> y(device(), 1);
    launch(program.kernel("set"), {1, 1}, y);
    EXPECT_EQ("sm_" + std::to_string(y.download().at(0) / 10), device().architecture());
}

TEST_P(ProgramOn, ConstantsAreUploaded) {
    const Program program(device(), text);
    const Buffer<float> y(device(), 4);
    const Matrix matrix{{0, 1}, {0, 2}, {0, 3}, {0, 4}};
    program.variable("weights").upload(xt::view(matrix, xt::all(), 1));
    launch(program.kernel("weighted"), {1, 4}, y);
    EXPECT_EQ(y.download(), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_NE(error_of([&] {
                  program.variable("weights").upload(std::vector<float>(5));
              }).find("20 bytes for weights, which has 16"),
              std::string::npos);
    for (const std::string& error :
         {error_of([&] { program.variable("weights").upload(std::vector<double>{1, 2}); }),
          error_of([&] { program.variable("weights").upload(std::vector<int>{1, 2}); })})
        EXPECT_NE(
            error.find(
                "for weights, whose elements are float. Convert them first: std::vector<float>"),
            std::string::npos)
            << error;
    EXPECT_NE(error_of([&] { program.variable("weight"); }).find("which has weights, calls"),
              std::string::npos);
}

TEST_P(ProgramOn, VariablesOfTheDeviceAreReadBack) {
    const Program program(device(),
                          "__device__ int hits[4] = {10, 20, 30, 40};\n"
                          "__device__ float2 total;\n"
                          "__global__ void k() {\n"
                          "    atomicAdd(&hits[threadIdx.x], 1);\n"
                          "    if (threadIdx.x == 0) total = make_float2(1, 2);\n}\n");
    EXPECT_EQ(program.variable("hits").download<int>(), (std::vector<int>{10, 20, 30, 40}));
    launch(program.kernel("k"), {1, 4});
    EXPECT_EQ(program.variable("hits").download<int>(), (std::vector<int>{11, 21, 31, 41}));
    EXPECT_EQ(program.variable("total").download<float>(), (std::vector<float>{1, 2}));
    EXPECT_NE(error_of([&] { program.variable("hits").download<float>(); }).find("download<int>()"),
              std::string::npos);
}

TEST_P(ProgramOn, InstantiationsShareTheProgramsVariables) {
    const Program program(device(), text);
    const Buffer<float> y(device(), 4);
    const Buffer<float> x = Buffer<float>::zeros(device(), 4);
    const Buffer<int> i = Buffer<int>::zeros(device(), 4), out(device(), 1);
    program.variable("weights").upload(std::vector<float>{1, 2, 3, 4});
    const CudaKernel counting = program.kernel("count"),
                     first = program.kernel("space::add<float, 3>");
    launch(first, {1, 4}, x);
    launch(program.kernel("space::add<int, 5>"), {1, 4}, i);
    launch(first, {1, 4}, x);
    launch(counting, {1, 1}, out);
    EXPECT_EQ(x.download(), std::vector<float>(4, 6));
    EXPECT_EQ(i.download(), std::vector<int>(4, 5));
    EXPECT_EQ(out.download()[0], 3);
    launch(program.kernel("weighted"), {1, 4}, y);
    EXPECT_EQ(y.download()[3], 4);
    EXPECT_NE(error_of([&] {
                  launch(program.kernel("space::add<float, 3>"), {1, 4}, i);
              }).find("Pass a Buffer<float>"),
              std::string::npos);
    EXPECT_NE(error_of([&] { program.kernel("space::add<nothing, 3>"); }), "");
    launch(first, {1, 4}, x);
    EXPECT_EQ(x.download()[0], 9);
}

TEST_P(ProgramOn, ErrorsOfTheCompilerShowTheLine) {
    ProgramOptions options;
    options.name = "cell.cu";
    const std::string error = error_of([&] {
        Program(device(), "__global__ void f(float* y) {\n    y[0] = nothing;\n}", options);
    });
    EXPECT_EQ(error.find("Program: cell.cu does not compile"), 0U) << error;
    EXPECT_NE(error.find("cell.cu:2: error: "), std::string::npos) << error;
    EXPECT_NE(error.find("    2 |     y[0] = nothing;\n      |            ^"), std::string::npos)
        << error;
    EXPECT_THROW(Program(device(), "__global__ void f(", options), CudaCompileError);
}

TEST_P(ProgramOn, FlagsAreKnownOrRefused) {
    ProgramOptions options;
    options.flags = {"-DVALUE=7"};
    const Program program(device(), "__global__ void f(int* x) { *x = VALUE; }", options);
    const Buffer<int> x(device(), 1);
    launch(program.kernel("f"), {1, 1}, x);
    EXPECT_EQ(x.download()[0], 7);
    options.flags = {"-arch=sm_80"};
    EXPECT_NE(error_of([&] { Program(device(), "", options); }).find("'-arch=sm_80' is not known"),
              std::string::npos);
}

TEST_P(ProgramOn, FilesAreFoundByNameAndByPath) {
    const Program program = Program::from_file(device(), "max.cu");
    EXPECT_NO_THROW(program.kernel("max_v1"));
    const TestFolder place;
    std::ofstream(place / "seven.cuh") << "#define SEVEN 7\n";
    std::ofstream(place / "own.cu")
        << "#include \"seven.cuh\"\n__global__ void f(int* x) { *x = SEVEN; }\n";
    const Buffer<int> x(device(), 1);
    launch(Program::from_file(device(), (place / "own.cu").string()).kernel("f"), {1, 1}, x);
    EXPECT_EQ(x.download()[0], 7);
    const std::string error = error_of([] { Program::from_file(device(), "nothing.cu"); });
    EXPECT_EQ(error.find("Program::from_file: no file 'nothing.cu'. Tried: nothing.cu, "), 0U)
        << error;
}

// kernel() may stand in a loop of launches: it does not read the text and its includes again.
TEST_P(ProgramOn, WhatTheTextDeclaresIsReadOnce) {
    const TestFolder place;
    std::ofstream(place / "name.cuh") << "#define NAME twice\n";
    const Program program(device(),
                          "#include \"name.cuh\"\n"
                          "__global__ void NAME(int* x) { *x *= 2; }\n",
                          {"program.cu", {"-I" + place.path().string()}});
    std::filesystem::remove(place / "name.cuh");
    EXPECT_EQ(program.kernel_names(), (std::vector<std::string>{"twice"}));
    const Buffer<int> x(device(), std::vector<int>{3});
    launch(program.kernel("twice"), {1, 1}, x);
    EXPECT_EQ(x.download(), (std::vector<int>{6}));
}

}  // namespace
}  // namespace lanes
