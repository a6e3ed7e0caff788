// Nothing that the simulator puts into the temporary folder stays there, neither at the end nor
// after a kill.
#include "gpu/simulator/compile/work_folder.hpp"

#include "gpu/folder.hpp"

#include "gpu/simulator/object/process.hpp"

#include "lanes/gpu.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace lanes::gpu::simulator {
namespace {

namespace fs = std::filesystem;

class WorkFolderTest : public testing::Test {
protected:
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            found.insert(entry.path().filename());
        return found;
    }
    // Runs work in a child process, which is killed once done() is true.
    template <class Work, class Done>
    void run_and_kill(Work work, Done done) {
        const pid_t child = fork();
        if (child == 0) {
            work();
            pause();
        }
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!done() && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_TRUE(done());
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    const TestFolder folder_;
    const TestVariable temporary_{"TMPDIR", folder_.path()};
};

TEST_F(WorkFolderTest, GoesWithTheScope) {
    {
        const WorkFolder folder;
        std::ofstream(folder / "unit.cpp") << "int x;";
        EXPECT_TRUE(fs::exists(folder / "unit.cpp"));
        EXPECT_EQ(names(), std::set<std::string>{folder.path().filename()});
    }
    EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(WorkFolderTest, TheNextOneRemovesThoseOfTheKilledAndNoOthers) {
    fs::create_directory(folder_ / "lanes-of-a-user");
    run_and_kill(
        [] {
            static const WorkFolder folder;
            std::ofstream(folder / "unit.cpp") << "int x;";
            std::ofstream(folder / "ready");
        },
        [&] {
            for (const std::string& name : names())
                if (fs::exists(folder_ / name / "ready")) return true;
            return false;
        });
    EXPECT_EQ(names().size(), 2u);
    const WorkFolder one, other;  // one is in use while the other is made
    EXPECT_EQ(names(), (std::set<std::string>{"lanes-of-a-user", one.path().filename(),
                                              other.path().filename()}));
    EXPECT_TRUE(fs::is_directory(one.path()));
}

TEST_F(WorkFolderTest, ManyAtOnceDoNotDisturbEachOther) {
    std::vector<std::thread> threads;
    std::atomic<int> lost{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 200; ++turn) {
                const WorkFolder folder;
                std::ofstream(folder / "a") << turn;
                if (!fs::exists(folder / "a")) ++lost;
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(WorkFolderTest, ProgramsPutTheirOwnFilesThere) {
    const WorkFolder folder;
    EXPECT_EQ(run_process({"sh", "-c", "echo $TMPDIR"}, folder.path()).output,
              folder.path().string() + "\n");
    EXPECT_EQ(run_process({"sh", "-c", "echo $TMPDIR"}).output, folder_.path().string() + "\n");
}

TEST_F(WorkFolderTest, ANotebooksFolderIsThereOnlyWhileItIsUsed) {
    const TestVariable notebook("XCPP_TEMPORARY", folder_ / "of-a-notebook");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 10; ++turn) {
                const WorkFolder folder;
                EXPECT_EQ(folder.path().parent_path(), folder_ / "of-a-notebook");
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(names(), std::set<std::string>{});
}

const char* const wrong = "__global__ void k(float* y) { y[threadIdx.x + 1] = 1; }";

TEST_F(WorkFolderTest, ADiagnosisLeavesNothing) {
    const Device device = Device::simulator();
    const Program program(device, wrong);
    Buffer<float> y(device, 32);
    try {
        launch(program.kernel("k"), {1, 32}, y);
        FAIL() << "went through";
    } catch (const CudaKernelFault& fault) {
        EXPECT_EQ(fault.findings().front().first.line, 1);  // read from the debug information
    }
    EXPECT_EQ(names(), std::set<std::string>{});  // although the program still exists
}

TEST_F(WorkFolderTest, AKilledCompilationLeavesNothingBehindTheNext) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    // No cache has it.
    const std::string text =
        "__global__ void k(long* y) { y[threadIdx.x] = " + std::to_string(now) + "; }";
    const auto compile = [&] { const Program program(Device::simulator(), text); };
    run_and_kill(compile, [&] { return !names().empty(); });
    EXPECT_EQ(names().size(), 1u);
    compile();
    // If a process is killed while it starts a compiler, the child holds the folder's lock until
    // the compiler runs. A later WorkFolder then removes the folder.
    for (int turn = 0; turn < 1000 && !names().empty(); ++turn) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const WorkFolder later;
    }
    EXPECT_EQ(names(), std::set<std::string>{});
}

}  // namespace
}  // namespace lanes::gpu::simulator
