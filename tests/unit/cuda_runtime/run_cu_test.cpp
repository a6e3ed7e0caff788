// The command itself, as tools/run-cu starts it: options, arguments of the program, exit status.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

class RunCu : public testing::Test {
protected:
    void SetUp() override {
        setenv("LANES_DEVICE", "simulator", 1);
        fs::create_directories(folder_ / "headers");
        std::ofstream(folder_ / "headers" / "greeting.h") << "#define GREETING \"hello\"\n";
        std::ofstream(folder_ / "arguments.cu")
            << "#include <cstdio>\n#ifdef HEADER\n#include \"greeting.h\"\n#endif\n"
               "#ifndef GREETING\n#define GREETING \"no header\"\n#endif\n"
               "#ifndef N\n#define N 1\n#endif\n"
               "__global__ void beyond(int* x) { if (threadIdx.x < 5) x[threadIdx.x] = N; }\n"
               "int main(int count, char** words) {\n"
               "    printf(\"%s %d %ld:\", GREETING, N, __cplusplus);\n"
               "    for (int i = 1; i < count; ++i) printf(\" %s\", words[i]);\n"
               "    printf(\"\\n\");\n"
               "    return count + 4;\n"
               "}\n";
    }
    void TearDown() override { fs::remove_all(folder_); }

    // Runs it in the folder; the text holds standard output and error.
    int run(const std::string& words) {
        const std::string command =
            "cd '" + folder_.string() + "' && '" LANES_RUN_CU "' " + words + " 2>&1";
        FILE* const pipe = popen(command.c_str(), "r");
        printed_.clear();
        for (int c; (c = std::fgetc(pipe)) != EOF;) printed_ += static_cast<char>(c);
        const int status = pclose(pipe);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    bool printed(const std::string& part) const { return printed_.find(part) != std::string::npos; }

    const fs::path folder_ =
        fs::path(testing::TempDir()) / ("lanes_run_cu_" + std::to_string(getpid()));
    std::string printed_;
};

TEST_F(RunCu, PassesArgumentsAndTheExitStatusOn) {
    EXPECT_EQ(run("arguments.cu one 'two words' -n 3 other.cu"), 10);
    EXPECT_EQ(printed_, "no header 1 201703: one two words -n 3 other.cu\n");
    EXPECT_EQ(run("arguments.cu -- -DN=3 x.cu"), 7);
    EXPECT_EQ(printed_, "no header 1 201703: -DN=3 x.cu\n");
}

TEST_F(RunCu, TakesFlagsBeforeTheFile) {
    EXPECT_EQ(run("-DN=3 -std=c++20 -I headers -D HEADER arguments.cu"), 5);
    EXPECT_EQ(printed_, "hello 3 202002:\n");
}

TEST_F(RunCu, SaysThatAFlagAfterTheFileIsAnArgument) {
    EXPECT_EQ(run("arguments.cu -DN=3 --fast --verbose"), 8);
    EXPECT_TRUE(printed("no header 1 201703: -DN=3 --fast --verbose\n")) << printed_;
    EXPECT_TRUE(printed("run-cu: '-DN=3' comes after the file")) << printed_;
    EXPECT_TRUE(printed("run-cu: '--fast' comes after the file")) << printed_;
    EXPECT_FALSE(printed("run-cu: '--verbose'")) << printed_;
}

TEST_F(RunCu, RefusesWhatItCannotRunWithStatus2) {
    EXPECT_EQ(run(""), 2);
    EXPECT_TRUE(printed("usage: run-cu")) << printed_;
    EXPECT_EQ(run("--help"), 2);
    EXPECT_TRUE(printed("usage: run-cu")) << printed_;
    EXPECT_EQ(run("missing.cu"), 2);
    EXPECT_TRUE(printed("'missing.cu' cannot be read")) << printed_;
    EXPECT_EQ(run("-march=native arguments.cu"), 2);
    EXPECT_TRUE(printed("the flag '-march=native' is not known")) << printed_;
    EXPECT_EQ(run("-std=c++20 -DN=wrong arguments.cu"), 2);
    EXPECT_TRUE(printed("arguments.cu:13: error: use of undeclared identifier 'wrong'"))
        << printed_;
}

// The same program finds its mistake with checks, and has none that can be seen without.
TEST_F(RunCu, FastModeChecksNothing) {
    std::ofstream(folder_ / "race.cu")
        << "#include <cstdio>\n"
           "__global__ void count(int* x) { *x = *x + 1; }\n"
           "int main() {\n"
           "    int* x;\n"
           "    cudaMallocManaged(&x, 4);\n"
           "    *x = 0;\n"
           "    count<<<1, 32>>>(x);\n"
           "    printf(\"%d\\n\", cudaDeviceSynchronize() != cudaSuccess);\n"
           "    return cudaFree(x) != cudaSuccess;\n"
           "}\n";
    EXPECT_EQ(run("race.cu"), 1);
    EXPECT_TRUE(printed("race.cu:2: race in global memory on x[0]")) << printed_;
    EXPECT_EQ(run("--fast race.cu"), 0);
    EXPECT_EQ(printed_, "0\n");
}

TEST_F(RunCu, EndsTheChecksOfACudaKernelAfterThreeSeconds) {
    std::ofstream(folder_ / "often.cu")
        << "#include <chrono>\n#include <cstdio>\n"
           "__global__ void more(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }\n"
           "int main() {\n"
           "    const int n = 1 << 14;\n"
           "    int launches = 0;\n"
           "    int* x;\n"
           "    cudaMallocManaged(&x, n * sizeof(int));\n"
           "    for (int i = 0; i < n; ++i) x[i] = i;\n"
           "    const auto begin = std::chrono::steady_clock::now();\n"
           "    for (; std::chrono::steady_clock::now() - begin < std::chrono::seconds(4); "
           "++launches)\n"
           "        more<<<n / 256, 256>>>(x);\n"
           "    cudaDeviceSynchronize();\n"
           "    int wrong = 0;\n"
           "    for (int i = 0; i < n; ++i) wrong += x[i] != i + launches;\n"
           "    printf(\"%d wrong\\n\", wrong);\n"
           "    return cudaFree(x);\n"
           "}\n";
    EXPECT_EQ(run("often.cu"), 0);
    EXPECT_TRUE(
        printed("more: 3 s of checks found nothing wrong with it; further launches of it "
                "are not checked.\n"))
        << printed_;
    EXPECT_TRUE(printed("0 wrong\n")) << printed_;
}

}  // namespace
