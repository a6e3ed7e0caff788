#include "gpu/source/signature.hpp"

#include "gpu/folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace lanes::gpu {
namespace {

// "name(type* name const, …)" of one function: everything that a test looks at, in one line.
std::string shown(const Signature& signature) {
    std::string text = signature.qualified_name() + "(";
    for (const Parameter& parameter : signature.parameters) {
        if (text.back() != '(') text += ", ";
        text += std::string(parameter.pointee_const ? "const " : "") + parameter.type +
                (parameter.pointer ? "*" : "") + (parameter.reference ? "&" : "");
        if (!parameter.name.empty()) text += " " + parameter.name;
        text += std::string(":") + (parameter.tag.name[0] ? parameter.tag.name
                                    : parameter.tag.bytes ? std::to_string(parameter.tag.bytes)
                                                          : "?");
    }
    return text + ")";
}

std::string shown(const std::string& text, const std::vector<std::string>& flags = {}) {
    std::string all;
    for (const Signature& signature : read_signatures(text, flags))
        all += (all.empty() ? "" : " ") + shown(signature);
    return all;
}

TEST(Signature, PlainFunction) {
    EXPECT_EQ(shown("__global__ void f(const float* x, float* y, int n) {}"),
              "f(const float* x:float, float* y:float, int n:int)");
    EXPECT_EQ(shown("extern \"C\" __global__ void f() {}"), "f()");
    EXPECT_EQ(shown("__global__ void f(void) { }"), "f()");
    EXPECT_TRUE(read_signatures("extern \"C\" __global__ void f() {}").at(0).extern_c);
    EXPECT_TRUE(read_signatures("extern \"C\" { __global__ void f() {} }").at(0).extern_c);
    EXPECT_FALSE(read_signatures("extern \"C\" { __global__ void f() {} } __global__ void g() {}")
                     .at(1)
                     .extern_c);
}

TEST(Signature, OrderOfWordsDoesNotMatter) {
    const std::string expected = "f(const float* x:float)";
    for (const char* text :
         {"__global__ void f(float const* __restrict__ x) {}",
          "void __global__ f(const float *__restrict x) {}",
          "static __global__ void __launch_bounds__(256, 2) f(const float* const x) {}",
          "__global__ __launch_bounds__(256) void f(const float x[]) {}",
          "[[maybe_unused]] __global__ void f(const float x[16]) {}",
          "__attribute__((used)) __global__ void f(const float* x = nullptr) {}"})
        EXPECT_EQ(shown(text), expected) << text;
}

TEST(Signature, TypesWithManyWordsAndWithoutNames) {
    EXPECT_EQ(shown("__global__ void f(unsigned, unsigned n, long long unsigned int m, const "
                    "unsigned char*, std::size_t s, ::uint32_t u, short int) {}"),
              "f(unsigned:unsigned int, unsigned n:unsigned int, long long unsigned int m:unsigned "
              "long long, const unsigned char*:unsigned char, std::size_t "
              "s:unsigned long, "
              "::uint32_t u:unsigned int, short int:short)");
    EXPECT_EQ(shown("__global__ void f(float4* v, int2 p, dim3, Point q, Pair<int, float> r) {}"),
              "f(float4* v:16, int2 p:8, dim3:?, Point q:?, Pair<int, float> r:?)");
    EXPECT_EQ(
        shown("__global__ void f(float** rows, void* raw, int (*action)(int)) {}").substr(0, 38),
        "f(float** rows:?, void* raw:?, int(*ac");
    EXPECT_EQ(shown("__global__ void f(const float& x, int&& y) {}"),
              "f(float& x:float, int& y:int)");
}

TEST(Signature, CommentsStringsAndContinuedLines) {
    EXPECT_EQ(shown("// __global__ void a(int x) {}\n/* __global__ void b() {} */ const char* s = "
                    "\"__global__ void c() {}\";\n"
                    "const char* r = R\"x(__global__ void d() {} )\" )x\"; char q = '\"';\n"
                    "__global__ void e(int /* how many, at most 5 */ n, // (rows)\n  float* \\\n "
                    "y) { printf(\"}\"); }\n__global__ void f() {}"),
              "e(int n:int, float* y:float) f()");
    const auto signatures =
        read_signatures("\n\n__global__ void\nf(int n) {}\n/*\n\n*/ __global__ void g() {}");
    EXPECT_EQ(signatures.at(0).line, 4);
    EXPECT_EQ(signatures.at(1).line, 7);
}

TEST(Signature, OnlyDefinitionsCount) {
    EXPECT_EQ(shown("__global__ void f(int); __device__ float g(float x) { return x; } struct S { "
                    "int a; S& operator=(const S&) { return *this; } };\n"
                    "__global__ void f(int n) { auto h = [](int a) { return a; }; h(n); } template "
                    "__global__ void t<float>(float*); int i = (1 > 0);\n"
                    "__global__ void last() {}"),
              "f(int n:int) last()");
}

TEST(Signature, OperatorsBeforeACudaKernelHideNothing) {
    EXPECT_EQ(shown("__device__ void operator+=(float3& a, float3 b) { a.x += b.x; }\n"
                    "__device__ void operator<<=(float3& a, int b) { a.x *= b; }\n"
                    "struct S { __device__ bool operator==(S) { return true; } operator int(); "
                    "__device__ int operator()(int x) { return x; } };\n"
                    "__device__ bool operator==(float3 a, float3 b) { return a.x == b.x; }\n"
                    "__global__ void last() {}"),
              "last()");
}

TEST(Signature, NamespacesAreTheScope) {
    const auto signatures = read_signatures(
        "namespace a { namespace b::c { __global__ void f(int n) {} } __global__ void g() {} } "
        "namespace x = a; __global__ void g(int i) {}");
    ASSERT_EQ(signatures.size(), 3U);
    EXPECT_EQ(signatures[0].qualified_name(), "a::b::c::f");
    EXPECT_EQ(find_signature(signatures, "b::c::f")->qualified_name(), "a::b::c::f");
    EXPECT_EQ(find_signature(signatures, "a::g")->parameters.size(), 0U);
    EXPECT_EQ(find_signature(signatures, "g")->parameters.size(), 1U);
    EXPECT_FALSE(find_signature(signatures, "z::g"));
    EXPECT_FALSE(find_signature(signatures, "h"));
}

TEST(Signature, TemplatesTakeTheirArguments) {
    const auto signatures = read_signatures(
        "using Real = float;\n"
        "template <class T, int N = 4, typename U = Real> __global__ void tile(const T* x, U* y, T "
        "scale, int n) {}\n"
        "template <> __global__ void tile<int, 4, float>(const int* x, float* y, int scale, int n) "
        "{}\n"
        "template <typename F, bool Large = (3 > 2)> __global__ void map(F f, float* y) {}");
    ASSERT_EQ(signatures.size(), 2U);
    EXPECT_TRUE(signatures[0].is_template);
    EXPECT_EQ(signatures[0].template_parameters, (std::vector<std::string>{"T", "N", "U"}));
    EXPECT_EQ(shown(signatures[0]), "tile(const T* x:?, U* y:?, T scale:?, int n:int)");
    EXPECT_EQ(shown(*find_signature(signatures, "tile<double, 16>")),
              "tile(const double* x:double, Real* y:float, double scale:double, int n:int)");
    EXPECT_EQ(
        shown(*find_signature(signatures, "tile<Real, 2, unsigned char>")),
        "tile(const Real* x:float, unsigned char* y:unsigned char, Real scale:float, int n:int)");
    EXPECT_EQ(shown(*find_signature(signatures, "map<Pair<int, float>>")),
              "map(Pair<int, float> f:?, float* y:float)");
    EXPECT_EQ(shown(*find_signature(signatures, "map<float*>")),
              "map(float* f:float, float* y:float)");
}

TEST(Signature, APlainFunctionIsPreferredToATemplateOfItsName) {
    const auto signatures = read_signatures(
        "template <class T> __global__ void f(T* x) {} __global__ void f(int* x, int n) {}");
    EXPECT_EQ(find_signature(signatures, "f")->parameters.size(), 2U);
    EXPECT_EQ(find_signature(signatures, "f<int>")->parameters.size(), 1U);
}

TEST(Signature, AliasesOfTypes) {
    EXPECT_EQ(shown("typedef unsigned int Index; using Real = double; using Pointer = const Real*; "
                    "__global__ void f(Pointer x, Real* y, Index n) {}"),
              "f(const Real* x:double, Real* y:double, Index n:unsigned int)");
}

TEST(Signature, MacrosConditionalsAndFlags) {
    EXPECT_EQ(shown("#define REAL float\n#define ARGS(T) const T* x, \\\n T* y\n__global__ void "
                    "f(ARGS(REAL)) {}"),
              "f(const float* x:float, float* y:float)");
    EXPECT_EQ(shown("#define MAKE(T) extern \"C\" __global__ void add_##T(T* x) { x[0] += 1; "
                    "}\nMAKE(int)\nMAKE(float)"),
              "add_int(int* x:int) add_float(float* x:float)");
    EXPECT_EQ(shown("#if 0\n__global__ void a() {}\n#elif defined(WIDE) && WIDE > 2\n__global__ "
                    "void b() {}\n#else\n__global__ void c() {}\n#endif"),
              "c()");
    EXPECT_EQ(shown("#if 0\n__global__ void a() {}\n#elif defined(WIDE) && WIDE > 2\n__global__ "
                    "void b() {}\n#else\n__global__ void c() {}\n#endif",
                    {"-DWIDE=3"}),
              "b()");
    EXPECT_EQ(shown("__global__ void f(T* x) {}", {"-D", "T=double"}), "f(double* x:double)");
    EXPECT_EQ(shown("#define LOOP LOOP + 1\n__global__ UNKNOWN(3) void f(int n) { LOOP; }"),
              "f(int n:int)");
}

TEST(Signature, TheArchitectureIsKnownToConditions) {
    const std::string text =
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n__global__ void hopper(int n) {}\n"
        "#else\n__global__ void older(int n) {}\n#endif\n";
    EXPECT_EQ(read_signatures(text, {"--gpu-architecture=sm_90"}).at(0).name, "hopper");
    EXPECT_EQ(read_signatures(text, {"--gpu-architecture=sm_75"}).at(0).name, "older");
}

TEST(Signature, IncludedFilesAreFollowed) {
    const TestFolder folder;
    std::ofstream(folder / "types.cuh") << "#pragma once\n#include \"types.cuh\"\ntypedef int "
                                           "Count;\n__global__ void of_header(Count n) {}\n";
    EXPECT_EQ(shown("#include \"types.cuh\"\n#include <not_here.h>\n__global__ void f(Count n) {}",
                    {"-I" + folder.path().string()}),
              "of_header(Count n:int) f(Count n:int)");
}

TEST(Signature, Variables) {
    const auto found = read_declarations(
        "__constant__ float filter[15 * 15], bias = 1.f;\nnamespace a { __device__ unsigned long "
        "long total = 0; }\n"
        "__device__ float square(float x) { return x * x; }\nstatic __constant__ __align__(16) "
        "int2 offsets[] = {{1, 2}};\n"
        "__global__ void f() { __shared__ float tile[4]; }");
    ASSERT_EQ(found.variables.size(), 4U);
    EXPECT_EQ(found.variables[0].name, "filter");
    EXPECT_EQ(found.variables[1].name, "bias");
    EXPECT_TRUE(found.variables[1].constant);
    EXPECT_STREQ(found.variables[1].tag.name, "float");
    EXPECT_EQ(found.variables[2].qualified_name(), "a::total");
    EXPECT_EQ(found.variables[2].tag.bytes, 8U);
    EXPECT_FALSE(found.variables[2].constant);
    EXPECT_EQ(found.variables[3].name, "offsets");
    EXPECT_EQ(found.signatures.size(), 1U);
}

TEST(Signature, NonsenseDoesNotHang) {
    for (const char* text :
         {"__global__ void f(", "__global__ void f(int", "}}}} __global__ void f() {", "template <",
          "#define", "#if", "#include", "R\"(", "/*", "\"", "namespace", "#define F(", "F(", "::"})
        read_signatures(text);
    EXPECT_EQ(shown("}}} __global__ void f() {}"), "f()");
}

}  // namespace
}  // namespace lanes::gpu
