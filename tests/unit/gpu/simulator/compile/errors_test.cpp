// Messages of the simulator about programs that do not compile.
#include "gpu/simulator/compile/compiler.hpp"

#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace lanes {
namespace {

std::string error_of(const std::string& text, const std::vector<std::string>& flags = {},
                     const Device& device = Device::simulator().fast()) {
    try {
        Program program(device, text, {"cell.cu", flags});
        return "";
    } catch (const CudaCompileError& error) {
        return error.what();
    }
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const auto& part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST(SimulatorErrors, NameTheLineAndShowIt) {
    const std::string error =
        error_of("__global__ void k(float* y) {\n    int i = threadIdx.x;\n    y[i] = x + 1;\n}\n");
    expect_parts(error, {"cell.cu does not compile", "1 error", "cell.cu:3", "'x'",
                         "    int i = threadIdx.x;", "    y[i] = x + 1;", "^"});
    EXPECT_EQ(error.find("CUDA dialect"), std::string::npos) << error;
    EXPECT_EQ(error.find("unit.cpp"), std::string::npos) << error;
}

TEST(SimulatorErrors, AreTheSameWithChecks) {
    expect_parts(
        error_of("__global__ void k(float* y) {\n    y[0] = z;\n}\n", {}, Device::simulator()),
        {"cell.cu:2", "'z'"});
}

TEST(SimulatorErrors, InsideOfTheDialectAreToldWhereTheTextAskedForIt) {
    const std::string error = error_of(
        "struct Big { double a, b; };\n__global__ void k(Big* y) {\n    y[0] = "
        "__shfl_sync(0xffffffff, y[0], 0);\n}\n");
    expect_parts(error, {"cell.cu:3", "8 bytes"});
    EXPECT_EQ(error.find("CUDA dialect"), std::string::npos) << error;
}

TEST(SimulatorErrors, AssigningToABuiltInVariableIsOne) {
    expect_parts(error_of("__global__ void k() { threadIdx.x = 3; }\n"), {"cell.cu:1"});
}

TEST(SimulatorErrors, TemplatesAreCompiledWhenAskedFor) {
    const Program program(Device::simulator().fast(),
                          "template <int n> __global__ void k(int* y) {\n    static_assert(n < 10, "
                          "\"too many\");\n    y[0] = n;\n}\n",
                          {"cell.cu", {}});
    Buffer<int> y(program.device(), 1);
    launch(program.kernel("k<7>"), {1, 1}, y);
    EXPECT_EQ(y.download()[0], 7);
    try {
        program.kernel("k<11>");
        FAIL() << "compiled";
    } catch (const CudaCompileError& error) {
        expect_parts(error.what(), {"cell.cu:2", "too many"});
    }
}

TEST(SimulatorErrors, AFunctionThatIsNowhereDefinedIsNamed) {
    try {
        const Program program(Device::simulator().fast(),
                              "__device__ float missing(float);\n__global__ void k(float* y) { "
                              "y[0] = missing(1); }\n",
                              {"cell.cu", {}});
        program.kernel("k");
        Buffer<float> y(program.device(), 1);
        launch(program.kernel("k"), {1, 1}, y);
        FAIL() << "ran";
    } catch (const Error& error) {
        expect_parts(error.what(), {"missing(float)"});
    }
}

TEST(SimulatorErrors, TooMuchStaticSharedMemory) {
    try {
        const Program program(Device::simulator().fast(),
                              "__global__ void k(float* y) { __shared__ float s[12289]; "
                              "s[threadIdx.x] = 1; __syncthreads(); y[0] = s[5]; }\n");
        program.kernel("k");
        FAIL() << "taken";
    } catch (const Error& error) {
        expect_parts(error.what(), {"49156", "49152", "extern __shared__"});
    }
}

TEST(SimulatorErrors, TooMuchConstantMemory) {
    try {
        const Program program(Device::simulator().fast(),
                              "__constant__ float a[16384], b[1];\n__global__ void k(float* y) { "
                              "y[0] = a[threadIdx.x] + b[0]; }\n",
                              {"cell.cu", {}});
        FAIL() << "taken";
    } catch (const Error& error) {
        expect_parts(error.what(),
                     {"cell.cu", "65540 bytes of __constant__", "a 65536, b 4", "65536", "Buffer"});
    }
}

TEST(SimulatorErrors, ACudaKernelReturnsNothing) {
    expect_parts(
        error_of(
            "__device__ int f() { return 1; }\n__global__ int k(int* y) {\n    return y[0];\n}\n"),
        {"cell.cu:2: error:", "returns void", "k does not"});
    EXPECT_EQ(error_of("template <int n> void __global__ __launch_bounds__(n) k(int* y) { y[0] = "
                       "n; }\nvoid __global__ l(int* y) { y[0] = 1; }\n"),
              "");
}

TEST(SimulatorErrors, ABarrierIsACall) {
    expect_parts(error_of("__global__ void k(int* y) {\n    y[0] = 1;\n    __syncthreads;\n}\n"),
                 {"cell.cu:3: error:", "Write __syncthreads()"});
}

TEST(SimulatorErrors, ArraysHaveASizeThatIsKnown) {
    for (const Device& device : {Device::simulator().fast(), Device::simulator()}) {
        const std::string error = error_of(
            "__global__ void k(float* y, int n) {\n    float a[n];\n    a[0] = 1;\n    y[0] = a[n "
            "- 1];\n}\n",
            {}, device);
        expect_parts(error, {"cell.cu:2: error:", "known when the text is compiled", "Buffer"});
    }
}

TEST(SimulatorErrors, NameNoLineThatIsNotTheStudents) {
    const std::vector<std::string> texts{
        "__global__ void k(int* y) { y[0] = 1; }\n__global__ void k(float* y) { y[0] = 1; }\n",
        "#include <vector>\n__global__ void k(int* y) { std::vector<int> v(4); y[0] = v[0]; }\n",
        "#include <mma.h>\n__global__ void k(int* y) { y[0] = 1; }\n"};
    for (const std::string& text : texts) {
        const std::string error = error_of(text);
        EXPECT_NE(error, "");
        for (const char* part : {"entries", "dialect", "/include/", "unit.cpp"})
            EXPECT_EQ(error.find(part), std::string::npos) << error;
        EXPECT_NE(error.find("cell.cu:"), std::string::npos) << error;
    }
}

struct Unsupported {
    const char *name, *text, *said;
};

class NotSupported : public testing::TestWithParam<Unsupported> {};

TEST_P(NotSupported, IsSaidInASentence) {
    const std::string error = error_of(GetParam().text);
    expect_parts(error, {GetParam().said, "cell.cu:"});
}

INSTANTIATE_TEST_SUITE_P(
    Words, NotSupported,
    testing::Values(
        Unsupported{
            "textures",
            "__global__ void k(cudaTextureObject_t t, float* y) { y[0] = tex2D<float>(t, 0, 0); }",
            "textures are not on the simulator"},
        Unsupported{"surfaces",
                    "__global__ void k(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 0, 0); }",
                    "surfaces are not on the simulator"},
        Unsupported{"clusters", "__global__ void __cluster_dims__(2, 1, 1) k(int* y) { y[0] = 1; }",
                    "clusters of blocks are not on the simulator"},
        Unsupported{"cuda_namespace",
                    "__global__ void k(int* y) { cuda::atomic_ref<int> a(y[0]); a += 1; }",
                    "cuda:: (libcu++) is not on the simulator"},
        Unsupported{"async_copies",
                    "#include <cooperative_groups.h>\n#include "
                    "<cooperative_groups/memcpy_async.h>\n__global__ void k(int* y) { y[0] = 1; }",
                    "asynchronous copies"},
        Unsupported{"random_numbers",
                    "#include <curand_kernel.h>\n__global__ void k(curandState* s) { }",
                    "xorshift"},
        Unsupported{"wmma",
                    "#include <mma.h>\n__global__ void k() { nvcuda::wmma::fill_fragment(0, 0); }",
                    "tensor cores"},
        Unsupported{"ptx",
                    "__global__ void k(int* y) { int a; asm(\"mov.u32 %0, %laneid;\" : \"=r\"(a)); "
                    "y[0] = a; }",
                    "inline PTX"},
        Unsupported{"bfloat16", "__global__ void k(__nv_bfloat16* y) { }", "Use float or half"},
        Unsupported{"half_without_its_header", "__global__ void k(half2* y) { }",
                    "half2 comes with #include <cuda_fp16.h>"},
        Unsupported{"groups_without_their_header",
                    "__global__ void k() { cooperative_groups::this_thread_block().sync(); }",
                    "cooperative_groups comes with #include <cooperative_groups.h>"},
        Unsupported{
            "host_code",
            "__global__ void k(int* y) { y[0] = 1; }\nint main() { int* p; cudaMalloc(&p, 4); }",
            "Use Buffer"},
        Unsupported{"launches",
                    "__global__ void k(int* y) { y[0] = 1; }\n__global__ void l(int* y) { k<<<1, "
                    "1>>>(y); }",
                    "launch()"},
        Unsupported{
            "containers",
            "#include <vector>\n__global__ void k(int* y) { std::vector<int> v(4); y[0] = v[0]; }",
            "Use plain arrays, shared memory, a Buffer"},
        Unsupported{"allocations", "__global__ void k(int** y) { y[0] = (int*)malloc(4); }",
                    "Pass a Buffer"},
        Unsupported{"new_objects",
                    "__global__ void k(int* y) { int* p = new int[3]; y[0] = p[0]; delete[] p; }",
                    "new: an allocation inside a CUDA kernel"},
        Unsupported{"deleted_objects",
                    "struct Pair { Pair(const Pair&) = delete; int x, y; };\n"
                    "__global__ void k(Pair** p) {\n    delete p[0];\n}",
                    "cell.cu:3: error: delete: memory cannot be freed"},
        Unsupported{"references", "__global__ void k(float* y, const int& n) { y[0] = n; }",
                    "the parameter n of k is a reference"},
        Unsupported{"old_warp_functions", "__global__ void k(int* y) { y[0] = __shfl_down(1, 2); }",
                    "__shfl_down_sync(0xffffffff, value, 1)"},
        Unsupported{"the_hosts_random_numbers", "__global__ void k(int* y) { y[0] = rand(); }",
                    "xorshift"},
        Unsupported{"libraries", "#include <cuda/barrier>\n__global__ void k(int* y) { y[0] = 1; }",
                    "cuda/barrier: NVIDIA's libraries"},
        Unsupported{"thrust",
                    "#include <thrust/device_vector.h>\n__global__ void k(int* y) { y[0] = 1; }",
                    "thrust/device_vector.h: NVIDIA's libraries"}),
    [](const testing::TestParamInfo<Unsupported>& info) { return std::string(info.param.name); });

// An unknown type causes further errors wherever it is used on that line.
TEST(SimulatorErrors, OneMistakeOfALineIsToldOnce) {
    std::istringstream lines(
        error_of("__global__ void k(cudaTextureObject_t t, float* y) { y[0] = 1; }"));
    std::multiset<std::string> errors;
    for (std::string line; std::getline(lines, line);)
        if (line.find(": error: ") != std::string::npos) errors.insert(line);
    EXPECT_FALSE(errors.empty());
    for (const std::string& error : errors) EXPECT_EQ(errors.count(error), 1U) << error;
}

// Not an allocation, and not a parameter of a CUDA kernel.
TEST(SimulatorErrors, PlacementAndReferencesElsewhereAreFine) {
    const Device device = Device::simulator();
    const Program program(
        device,
        "struct Pair { int a, b; };\n__device__ void swap(int& a, int& b) { int c = a; a = b; b = "
        "c; }\n"
        "__global__ void k(int* y, bool both) { Pair pair{1, 2}; if (both && (y != nullptr & "
        "true)) swap(pair.a, pair.b); new (y) int(pair.a); }");
    const Buffer<int> y(device, 1);
    launch(program.kernel("k"), {1, 1}, y, true);
    EXPECT_EQ(y.download()[0], 2);
}

struct HostCode {
    const char *name, *declared, *used, *said;
};

class OfTheHost : public testing::TestWithParam<HostCode> {};

// declared: line 1; used: in the body of a CUDA kernel in line 3.
TEST_P(OfTheHost, IsRefusedInDeviceCode) {
    if (gpu::simulator::compiler_version().find("clang") == std::string::npos)
        GTEST_SKIP() << "only clang has a CUDA mode";
    const HostCode& code = GetParam();
    expect_parts(error_of(std::string(code.declared) + "\n__global__ void k(int* y) {\n    " +
                          code.used + "\n}\n"),
                 {"cell.cu:3: error: ", code.said, "__device__", "line 1", "1 error"});
}

INSTANTIATE_TEST_SUITE_P(
    Uses, OfTheHost,
    testing::Values(
        HostCode{"function", "int f(int x) { return x; }", "y[0] = f(1);", "the function f"},
        HostCode{"constant_expression", "constexpr int f(int x) { return x; }", "y[0] = f(y[1]);",
                 "the function f"},
        HostCode{"function_template", "template <class T> T f(T x) { return x; }", "y[0] = f(1);",
                 "the function f"},
        HostCode{"member", "struct S { int a; int f() const { return a; } };",
                 "S s{1}; y[0] = s.f();", "the function f"},
        HostCode{"constructor", "struct S { int a; S(int x) : a(x) {} };", "S s(1); y[0] = s.a;",
                 "the constructor of S"},
        HostCode{"operator", "struct S { int a; }; S operator+(S a, S b) { return {a.a + b.a}; }",
                 "S s{1}; y[0] = (s + s).a;", "the operator"},
        HostCode{"variable", "int n = 3;", "y[0] = n;", "the variable n"},
        HostCode{"lambda", "auto f = [](int x) { return x; };", "y[0] = f(1);", "the variable f"}),
    [](const testing::TestParamInfo<HostCode>& info) { return std::string(info.param.name); });

TEST(SimulatorErrors, CodeOfTheHostThatNoCudaKernelUsesIsFine) {
    EXPECT_EQ(error_of("#include <limits>\n"
                       "int host_only(int x) { return x; }\n"
                       "int calls_it() { return host_only(1); }\n"
                       "int on_the_host = 3;\n"
                       "const float factor = 2;\n"
                       "const int table[2] = {3, 4};\n"
                       "struct Plain { int a = 1; Plain() = default; };\n"
                       "struct Named { int a; __device__ Named(int x) : a(x) {} };\n"
                       "__host__ __device__ int both(int x) { return x; }\n"
                       "template <class F> __device__ int apply(F f) { return f(1); }\n"
                       "__global__ void k(int* y) {\n"
                       "    Plain p; Plain q = p; Named n(3); Named m = n;\n"
                       "    auto add = [=](int x) { return x + y[1]; };\n"
                       "    y[0] = apply(add) + both(q.a) + m.a + table[y[2]] + factor +\n"
                       "           std::numeric_limits<int>::max();\n"
                       "}\n"),
              "");
}

TEST(SimulatorErrors, VariablesOfTheDeviceHaveAPlaceAndAValueThatCudaAllows) {
    if (gpu::simulator::compiler_version().find("clang") != std::string::npos) {
        expect_parts(error_of("__device__ int f() { return 3; }\n__device__ int v = f();\n"
                              "__global__ void k(int* y) { y[0] = v; }\n"),
                     {"cell.cu:2", "a value that the compiler knows"});
        expect_parts(
            error_of("__global__ void k(int* y) {\n    __constant__ int c = 3;\n    y[0] = "
                     "c;\n}\n"),
            {"cell.cu:2", "outside of all functions"});
    }
    expect_parts(error_of("__global__ void k(int* y) {\n    thread_local int c = 3;\n    y[0] = "
                          "c;\n}\n"),
                 {"cell.cu:2", "thread_local"});
    expect_parts(error_of("__global__ void k(long long* y) { atomicAdd(y, 1LL); }\n"),
                 {"cell.cu:1", "unsigned long long"});
}

TEST(SimulatorErrors, NamesOfUnsupportedWordsMayBeUsedForOtherThings) {
    EXPECT_EQ(error_of("__global__ void k(int* y) { const int free = 4; y[0] = free * missing; }\n")
                  .find("allocation"),
              std::string::npos);
    EXPECT_EQ(error_of("__device__ int half(int x) { return x / 2; }\n__global__ void k(int* y) { "
                       "y[0] = half(4); }\n"),
              "");
}

TEST(SimulatorErrors, FlagsReachTheCompiler) {
    const std::string text = "__global__ void k(int* y) { y[0] = WIDTH; }\n";
    EXPECT_NE(error_of(text), "");
    EXPECT_EQ(error_of(text, {"-DWIDTH=4"}), "");
}

TEST(SimulatorErrors, UnknownArchitecturesAreRefusedWithTheList) {
    try {
        Device::simulator("sm_12");
        FAIL() << "taken";
    } catch (const Error& error) {
        expect_parts(error.what(), {"sm_12", "sm_75", "sm_90", "sm_120"});
    }
    EXPECT_EQ(Device::simulator("sm_75").limits().shared_bytes_per_block_optin, 64U * 1024);
}

}  // namespace
}  // namespace lanes
