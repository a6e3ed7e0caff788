// The compiler of CUDA kernels for real architectures. These tests need no GPU.
#include "gpu/cuda/compiler.hpp"

#include "gpu/cache/disk_cache.hpp"
#include "gpu/cache/program_files.hpp"
#include "gpu/devices.hpp"
#include "gpu/folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <type_traits>

namespace lanes::gpu::cuda {
namespace {

namespace fs = std::filesystem;

const char* const twice =
    "extern \"C\" __global__ void twice(const float* x, float* y, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = 2 * x[i];\n"
    "}\n";

class CompilerTest : public testing::Test {
protected:
    static CubinRequest request(const std::string& text, std::vector<std::string> names = {}) {
        return {{text, "cell.cu", {}}, "sm_90", std::move(names)};
    }
    const TestFolder folder_;
    const TestVariable cache_{"LANES_CACHE", folder_.path()};
};

TEST_F(CompilerTest, NamesAreLowered) {
    const Cubin cubin = compile_cubin(
        request(std::string(twice) + "namespace a { template <int N> __global__ void tile(float* "
                                     "x) { x[N] = 1; } }\n__constant__ float filter[9];\n"
                                     "__global__ void use(float* x) { x[0] = filter[0]; }",
                {"twice", "a::tile<16>", "use", "&filter"}));
    EXPECT_EQ(cubin.image.substr(1, 3), "ELF");
    EXPECT_EQ(cubin.lowered_names.at("twice"), "twice");
    EXPECT_EQ(cubin.lowered_names.at("a::tile<16>").substr(0, 4), "_ZN1");
    EXPECT_EQ(cubin.lowered_names.at("&filter"), "filter");
    EXPECT_FALSE(cubin.from_cache);
}

TEST_F(CompilerTest, ErrorsShowTheStudentsLines) {
    const std::string text =
        "__global__ void f(float* y, int n) {\n    int i = threadIdx.x;\n    y[i] = x + "
        "1;\n}\n__device__ int g() { int unused; return foo(); }\n";
    const std::string error = error_of([&] { compile_cubin(request(text)); });
    EXPECT_EQ(error,
              "Program: cell.cu does not compile for sm_90, 2 errors.\n"
              "cell.cu:3: error: identifier \"x\" is undefined\n"
              "    1 | __global__ void f(float* y, int n) {\n    2 |     int i = threadIdx.x;\n    "
              "3 |     y[i] = x + 1;\n      |            ^\n"
              "cell.cu:5: error: identifier \"foo\" is undefined\n"
              "    3 |     y[i] = x + 1;\n    4 | }\n    5 | __device__ int g() { int unused; "
              "return foo(); }\n      |                                         ^");
    try {
        compile_cubin(request(text));
        FAIL();
    } catch (const CudaCompileError& thrown) {
        // The warning is only in the log.
        EXPECT_NE(thrown.log().find("never referenced"), std::string::npos);
    }
}

TEST_F(CompilerTest, AMissingHeaderIsAnErrorOfItsLine) {
    const std::string error =
        error_of([] { compile_cubin(request("\n#include <nothing_like_it.h>\n")); });
    EXPECT_NE(error.find("cell.cu:2: error: could not open source file \"nothing_like_it.h\""),
              std::string::npos)
        << error;
}

// As on the host.
template <class T>
std::string same_limits(const std::string& type) {
    using host = std::numeric_limits<T>;
    std::ostringstream text;
    text << std::hexfloat << std::boolalpha;
    const auto same = [&](const std::string& member, auto value) {
        text << "static_assert(std::numeric_limits<" << type << ">::" << member << " == " << value
             << (std::is_same_v<decltype(value), unsigned long long> ? "ULL" : "") << ");\n";
    };
    if (std::is_floating_point_v<T>) {
        same("denorm_min()", double(host::denorm_min()));
        same("max_digits10", host::max_digits10);
        same("max_exponent", host::max_exponent);
        same("min_exponent", host::min_exponent);
        text << "static_assert(std::numeric_limits<" << type << ">::infinity() > 1e308);\n";
    }
    if (host::is_signed && !std::is_floating_point_v<T>)
        same("min() + 1", +T(host::min() + 1));
    else
        same("min()", +host::min());
    same("lowest() + std::numeric_limits<" + type + ">::max()",
         host::is_signed ? -host::is_integer : +host::max());
    same("max()", +host::max());
    same("epsilon()", +host::epsilon());
    same("digits", host::digits);
    same("digits10", host::digits10);
    same("is_signed", host::is_signed);
    same("is_integer", host::is_integer);
    return text.str();
}

TEST_F(CompilerTest, LimitsAndTypeTraitsAreThoseOfTheHost) {
    const std::string text =
        "#include <limits>\n#include <type_traits>\n" + same_limits<float>("float") +
        same_limits<double>("double") + same_limits<signed char>("signed char") +
        same_limits<unsigned char>("unsigned char") + same_limits<short>("short") +
        same_limits<unsigned short>("unsigned short") + same_limits<int>("int") +
        same_limits<unsigned>("const unsigned") + same_limits<long long>("long long") +
        same_limits<unsigned long long>("unsigned long long") + R"(
struct Base {}; struct Derived : Base { int n; }; enum Colour : char { red };
static_assert(std::is_same<std::remove_cv_t<const volatile int>, int>::value);
static_assert(std::is_same_v<std::remove_reference_t<int&&>, int> && !std::is_same_v<int, long>);
static_assert(std::is_same_v<std::remove_pointer_t<float* const>, float>);
static_assert(std::is_same_v<std::remove_extent_t<int[3]>, int> && std::is_array_v<int[3]>);
static_assert(std::is_same_v<std::conditional_t<(sizeof(int) > 2), int, char>, int>);
static_assert(std::is_same_v<std::underlying_type_t<Colour>, char>);
static_assert(std::is_integral_v<const bool> && !std::is_integral_v<float>);
static_assert(std::is_floating_point<double>::value && std::is_arithmetic_v<unsigned>);
static_assert(std::is_signed_v<float> && std::is_unsigned_v<unsigned> && !std::is_signed_v<Base>);
static_assert(std::is_pointer_v<int*> && !std::is_pointer_v<int> && std::is_reference_v<int&>);
static_assert(std::is_void_v<void> && std::is_const_v<const int> && std::is_enum_v<Colour>);
static_assert(std::is_class_v<Base> && std::is_empty_v<Base> && std::is_base_of_v<Base, Derived>);
static_assert(std::is_trivially_copyable_v<Derived> && std::true_type{} && !std::false_type{}());
template <class T> __device__ std::enable_if_t<std::is_integral_v<T>, int> kind(T) { return 1; }
template <class T> __device__ std::enable_if_t<!std::is_integral_v<T>, int> kind(T) { return 2; }
__global__ void f(float* x) {
    x[0] = kind(1) + kind(1.0f) + std::numeric_limits<float>::infinity() - std::numeric_limits<float>::quiet_NaN();
})";
    compile_for_architecture(text, "sm_90");
}

TEST_F(CompilerTest, HabitualHeadersAreThere) {
    compile_for_architecture(
        "#include <cstdint>\n#include <climits>\n#include <cfloat>\n#include <cmath>\n#include "
        "<stdio.h>\n#include <assert.h>\n#include <cuda_runtime.h>\n"
        "__global__ void f(std::uint32_t* x, float* y, int64_t n) { assert(n < INT_MAX); x[0] = "
        "UINT32_MAX; y[0] = -FLT_MAX; y[1] = INFINITY; printf(\"%f\", "
        "sinf(y[0])); }",
        "sm_90");
}

TEST_F(CompilerTest, HeadersOfTheToolkitAreFoundOrExplained) {
    const CubinRequest groups = request(
        "#include <stdlib.h>\n#include <ctime>\n#include <cstring>\n#include <new>\n"
        "#include <cstdint>\n#include <limits>\n#include <type_traits>\n"
        "#include <cooperative_groups.h>\n"
        "#include <cuda_fp16.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k(half* y) {\n"
        "    auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "    y[threadIdx.x] = __float2half(tile.shfl(1.0f, 0));\n"
        "    cg::this_grid().sync();\n}\n");
    if (!toolkit_include_folders().empty())
        EXPECT_EQ(compile_cubin(groups).image.substr(1, 3), "ELF");
    else
        EXPECT_NE(error_of([&] { compile_cubin(groups); }).find("CUDA_PATH"), std::string::npos);
}

TEST_F(CompilerTest, RareFeaturesCostASecondTryAlone) {
    const std::string texture =
        "__global__ void f(cudaTextureObject_t picture, float* y, int n) {\n    const int i = "
        "threadIdx.x;\n    if (i < n) y[i] = tex2D<float>(picture, i, "
        "0);\n";
    const Cubin first = cached_cubin(request(texture + "}\n", {"f"}));
    EXPECT_EQ(first.lowered_names.count("f"), 1U);
    EXPECT_TRUE(cached_cubin(request(texture + "}\n", {"f"})).from_cache);
    // The message is about the mistake, not about what the first attempt left out.
    EXPECT_EQ(error_of([&] { compile_cubin(request(texture + "    y[0] = z;\n}\n", {"f"})); }),
              "Program: cell.cu does not compile for sm_90, 1 error.\ncell.cu:4: error: identifier "
              "\"z\" is undefined\n"
              "    2 |     const int i = threadIdx.x;\n    3 |     if (i < n) y[i] = "
              "tex2D<float>(picture, i, 0);\n    4 |     y[0] = z;\n      |            ^");
}

TEST_F(CompilerTest, FlagsReachTheCompiler) {
    EXPECT_NE(error_of([] {
                  compile_for_architecture("__global__ void f(float* x) { x[0] = N; }", "sm_90");
              }),
              "");
    EXPECT_EQ(error_of([] {
                  compile_for_architecture("__global__ void f(float* x) { x[0] = N; }", "sm_90",
                                           {"-D", "N=3", "-use_fast_math", "-lineinfo",
                                            "-std=c++20", "-maxrregcount=32"});
              }),
              "");
}

TEST_F(CompilerTest, TheCacheKeepsCubinAndNames) {
    const CubinRequest asked = request(twice, {"twice"});
    const Cubin first = cached_cubin(asked), second = cached_cubin(asked);
    EXPECT_FALSE(first.from_cache);
    EXPECT_TRUE(second.from_cache);
    EXPECT_EQ(first.image, second.image);
    EXPECT_EQ(first.lowered_names, second.lowered_names);
    // Other load on the machine only makes times longer.
    std::chrono::duration<double, std::milli> least(1e9);
    for (int i = 0; i < 10; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        cached_cubin(asked);
        least = std::min<decltype(least)>(least, std::chrono::steady_clock::now() - begin);
    }
    EXPECT_LT(least.count(), 5);
    RecordProperty("milliseconds_from_the_cache", std::to_string(least.count()));
}

TEST_F(CompilerTest, TheKeyHoldsEverythingThatMatters) {
    const fs::path header = folder_ / "header.cuh";
    std::ofstream(header) << "#define N 1\n";
    CubinRequest asked = request(std::string("#include \"header.cuh\"\n") + twice, {"twice"});
    asked.program.flags = {"-I" + folder_.path().string()};
    cached_cubin(asked);
    EXPECT_TRUE(cached_cubin(asked).from_cache);
    const auto is_new = [](CubinRequest changed, auto change) {
        change(changed);
        return !cached_cubin(changed).from_cache;
    };
    EXPECT_TRUE(is_new(asked, [](CubinRequest& r) { r.program.text += "\n"; }));
    EXPECT_TRUE(is_new(asked, [](CubinRequest& r) { r.program.flags.push_back("-DX"); }));
    EXPECT_TRUE(is_new(asked, [](CubinRequest& r) { r.architecture = "sm_80"; }));
    EXPECT_TRUE(is_new(asked, [](CubinRequest& r) { r.name_expressions.clear(); }));
    std::ofstream(header) << "#define N 2\n";
    EXPECT_TRUE(is_new(asked, [](CubinRequest&) {}));
    EXPECT_FALSE(is_new(asked, [](CubinRequest&) {}));
}

TEST_F(CompilerTest, ABrokenCacheFileIsReplaced) {
    const CubinRequest asked = request(twice, {"twice"});
    const Cubin good = cached_cubin(asked);
    for (const auto& file : fs::directory_iterator(folder_ / "cubin"))
        std::ofstream(file.path(), std::ios::binary) << "broken";
    const Cubin again = cached_cubin(asked);
    EXPECT_FALSE(again.from_cache);
    EXPECT_EQ(again.image, good.image);
    EXPECT_TRUE(cached_cubin(asked).from_cache);
}

TEST_F(CompilerTest, AnArchitectureThatIsTooNewOrTooOld) {
    const auto known = supported_architectures();
    ASSERT_FALSE(known.empty());
    EXPECT_EQ(architecture_for("sm_90"), "sm_90");
    EXPECT_EQ(architecture_for("sm_88").substr(0, 4), "sm_8");  // of the same family, and older
    EXPECT_NE(error_of([] { architecture_for("sm_35"); }).find("Install an older one"),
              std::string::npos);
    EXPECT_NE(error_of([] { architecture_for("sm_990"); }).find("Install a newer one"),
              std::string::npos);
}

TEST_F(CompilerTest, PlacesComeInOrder) {
    const fs::path packages = folder_ / "lib" / "python3.99" / "site-packages";
    fs::create_directories(packages);
    const char* before = std::getenv("VIRTUAL_ENV");
    const std::string kept = before ? before : "";
    setenv("VIRTUAL_ENV", folder_.path().c_str(), 1);
    setenv("CUDA_PATH", "/somewhere", 1);
    const auto places = compiler_places();
    unsetenv("CUDA_PATH");
    kept.empty() ? unsetenv("VIRTUAL_ENV") : setenv("VIRTUAL_ENV", kept.c_str(), 1);
    const auto place = [&](const std::string& what) {
        return std::find(places.begin(), places.end(), what) - places.begin();
    };
    EXPECT_LT(place((packages / "nvidia/cu13/lib/libnvrtc.so.13").string()),
              place((packages / "nvidia/cuda_nvrtc/lib/libnvrtc.so.12").string()));
    EXPECT_LT(place((packages / "nvidia/cuda_nvrtc/lib/libnvrtc.so.12").string()),
              place("libnvrtc.so.13"));
    EXPECT_LT(place("libnvrtc.so.13"), place("/somewhere/lib64/libnvrtc.so.13"));
    EXPECT_LT(place("/somewhere/lib/libnvrtc.so.12"),
              place("/usr/local/cuda/lib64/libnvrtc.so.13"));
    EXPECT_LT(place("/usr/local/cuda/lib64/libnvrtc.so.13"),
              static_cast<std::ptrdiff_t>(places.size()));
}

// The course's own programs, for the oldest and the newest GPU that the compiler knows.
TEST_F(CompilerTest, EveryProgramCompilesForTheOldestAndNewestArchitecture) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(find_course_program("max.cu").parent_path()))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    ASSERT_GE(files.size(), 3U);
    const auto architectures = supported_architectures();
    ASSERT_FALSE(architectures.empty());
    for (const fs::path& path : files) {
        std::ifstream in(path);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        for (const std::string& architecture : {architectures.front(), architectures.back()})
            EXPECT_EQ(error_of([&] {
                          compile_for_architecture(text, architecture,
                                                   {"-I" + path.parent_path().string()},
                                                   path.filename().string());
                      }),
                      "");
    }
}

}  // namespace
}  // namespace lanes::gpu::cuda
