#include "lanes/parallel/process.hpp"

#include "helpers.hpp"
#include "lanes/array/blas.hpp"
#include "lanes/base/error.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>

namespace {

class ProcessTest : public LeavesNothing {};

// An int that workers share.
struct SharedInt {
    SharedInt()
        : memory(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
          value(*new(memory) std::atomic<int>(0)) {}
    ~SharedInt() { munmap(memory, 4096); }
    void* memory;
    std::atomic<int>& value;
};

TEST_F(ProcessTest, RunsInAProcessOfItsOwn) {
    SharedInt pid;
    int own = 0;
    Doing worker([&] {
        own = 7;
        pid.value = getpid();
    });
    EXPECT_EQ(worker.pid(), 0);
    EXPECT_FALSE(worker.alive());
    worker.start();
    EXPECT_TRUE(worker.join());
    EXPECT_EQ(pid.value, worker.pid());
    EXPECT_NE(pid.value, getpid());
    EXPECT_EQ(own, 0);
    EXPECT_EQ(worker.exit_code(), 0);
    EXPECT_EQ(worker.exit_description(), "worker ended with exit code 0");
    EXPECT_FALSE(exists(worker.pid()));
}

TEST_F(ProcessTest, ReportsAnException) {
    Doing worker([] { throw std::out_of_range("no such row"); }, "worker 3");
    testing::internal::CaptureStderr();
    worker.start();
    worker.join();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "worker 3: std::out_of_range: no such row\n");
    EXPECT_EQ(worker.exit_code(), 1);
    EXPECT_EQ(worker.exception_text(), "std::out_of_range: no such row");
    EXPECT_EQ(worker.exit_description(), "worker 3 ended: std::out_of_range: no such row");
}

TEST_F(ProcessTest, ReportsAnExceptionThatIsNoStdException) {
    Doing worker([] { throw 7; });
    testing::internal::CaptureStderr();
    worker.start();
    worker.join();
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(worker.exception_text(), "an exception that is no std::exception");
}

TEST_F(ProcessTest, ReportsAnExceptionOfOneOfItsThreads) {
    Doing worker([] { std::thread([] { throw std::runtime_error("in a thread"); }).join(); });
    worker.start();
    worker.join();
    EXPECT_EQ(worker.exit_code(), -SIGABRT);
    EXPECT_EQ(worker.exception_text(), "std::runtime_error: in a thread");
}

TEST_F(ProcessTest, ReportsTheSignalThatEndedIt) {
    Doing killed([] { kill(getpid(), SIGKILL); }), crashed([] {
        signal(SIGSEGV, SIG_DFL);
        // Not null: a sanitizer would report that and exit.
        int* volatile nowhere = reinterpret_cast<int*>(16);
        *nowhere = 1;
    });
    killed.start();
    crashed.start();
    killed.join();
    crashed.join();
    EXPECT_EQ(killed.exit_code(), -SIGKILL);
    EXPECT_EQ(killed.exit_description(), "worker ended by signal 9 (Killed)");
    EXPECT_EQ(crashed.exit_code(), -SIGSEGV);
    EXPECT_EQ(crashed.exit_description(), "worker ended by signal 11 (Segmentation fault)");
}

TEST_F(ProcessTest, ReportsTheCodeOfExit) {
    Doing worker([] { _exit(3); });
    worker.start();
    worker.join();
    EXPECT_EQ(worker.exit_code(), 3);
}

TEST_F(ProcessTest, JoinEndsAfterItsTimeLimit) {
    Doing worker([] { pause(); });
    worker.start();
    EXPECT_FALSE(worker.join(0));
    EXPECT_FALSE(worker.join(0.05));
    EXPECT_TRUE(worker.alive());
    EXPECT_EQ(worker.exit_code(), std::nullopt);
    EXPECT_EQ(worker.exit_description(), "worker still runs");
    worker.terminate();
    EXPECT_TRUE(worker.join());
    EXPECT_EQ(worker.exit_code(), -SIGTERM);
}

TEST_F(ProcessTest, TheInterruptButtonEndsJoin) {
    Doing worker([] { pause(); });
    worker.start();
    const Interrupt pressed;
    EXPECT_SAYS(worker.join(), "Process::join: interrupted");
}

TEST_F(ProcessTest, TheDestructorEndsAWorkerThatIgnoresSigterm) {
    SharedInt ready;
    int pid = 0;
    {
        Doing worker([&] {
            signal(SIGTERM, SIG_IGN);
            ready.value = 1;
            for (;;) pause();
        });
        worker.start();
        pid = worker.pid();
        ASSERT_TRUE(comes_true([&] { return ready.value == 1; }));
    }
    EXPECT_FALSE(exists(pid));
}

TEST_F(ProcessTest, EndsWithTheProcessThatStartedIt) {
    for (const bool in_thread : {false, true}) {
        SharedInt worker_pid;
        const pid_t parent = fork();
        if (parent == 0) {
            Doing worker([&] {
                worker_pid.value = getpid();
                for (;;) pause();
            });
            if (in_thread)
                std::thread([&] { worker.start(); }).join();
            else
                worker.start();
            while (worker_pid.value == 0) wait_a_little();
            kill(getpid(), SIGKILL);
        }
        waitpid(parent, nullptr, 0);
        ASSERT_NE(worker_pid.value, 0);
        // another process waits for it: a zombie counts as ended
        EXPECT_TRUE(comes_true([&] {
            std::ifstream status("/proc/" + std::to_string(worker_pid.value) + "/stat");
            std::string number, name, state;
            return !(status >> number >> name >> state) || state == "Z" || state == "X";
        })) << in_thread;
    }
}

TEST_F(ProcessTest, OutlivesTheThreadThatStartedIt) {
    Doing worker([] { pause(); });
    std::thread([&] { worker.start(); }).join();
    EXPECT_FALSE(worker.join(0.1));
    worker.terminate();
    worker.join();
    EXPECT_EQ(worker.exit_code(), -SIGTERM);
}

TEST_F(ProcessTest, IsNotEndedByTheInterruptOfATerminal) {
    SharedInt survived;
    Doing worker([&] {
        raise(SIGINT);
        survived.value = 1;
    });
    worker.start();
    worker.join();
    EXPECT_EQ(survived.value, 1);
}

TEST_F(ProcessTest, PrintsBufferedTextOnlyOnce) {
    testing::internal::CaptureStdout();
    std::cout << "before ";
    std::printf("the fork ");
    Doing worker([] { std::cout << "inside "; });
    worker.start();
    worker.join();
    std::cout << "after" << std::flush;
    std::fflush(stdout);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "before the fork inside after");
}

TEST_F(ProcessTest, ReportsItsEndEvenIfAnotherWaitTookTheStatus) {
    Doing fine([] {}), killed([] { kill(getpid(), SIGKILL); });
    fine.start();
    killed.start();
    waitpid(fine.pid(), nullptr, 0);
    waitpid(killed.pid(), nullptr, 0);
    EXPECT_TRUE(fine.join());
    EXPECT_TRUE(killed.join());
    EXPECT_EQ(fine.exit_code(), 0);
    EXPECT_EQ(killed.exit_code(), -1);
    EXPECT_EQ(killed.exit_description(),
              "worker ended, and something else has taken its exit status");
}

TEST_F(ProcessTest, DoesNotBelongToAForkedCopyOfItsParent) {
    Doing worker([] { pause(); });
    worker.start();
    const pid_t copy = fork();
    if (copy == 0) {
        const bool gone =
            !worker.alive() && worker.exit_code() == std::nullopt &&
            worker.exit_description().find("is gone") != std::string::npos &&
            error_of([&] { worker.join(); }).find("Process::join: worker is gone") == 0;
        worker.kill();  // must not reach it
        _exit(gone ? 0 : 1);
    }
    int status = 0;
    waitpid(copy, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(worker.alive());
}

TEST_F(ProcessTest, ComputesWithBlas) {
    const lanes::Matrix a = xt::ones<float>({300, 300});
    lanes::matmul(a, a);  // its threads are there before the fork, and not in the worker
    SharedInt right;
    Doing worker([&] { right.value = lanes::matmul(a, a)(299, 299) == 300 ? 1 : 0; });
    worker.start();
    EXPECT_TRUE(worker.join(20));
    EXPECT_EQ(right.value, 1);
}

TEST_F(ProcessTest, ThrowsForASecondStartAndAJoinBeforeStart) {
    Doing worker([] {});
    EXPECT_SAYS(worker.join(), "Process::join: worker was not started");
    worker.start();
    EXPECT_SAYS(worker.start(), "Process::start: worker was started already");
    worker.join();
}

}  // namespace
