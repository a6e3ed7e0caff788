#include "gpu/simulator/run/pool.hpp"

#include "gpu/simulator/run/faults.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace lanes::gpu::simulator {
namespace {

// As the interrupt button does during the first launch on a busy machine.
TEST(Pool, AWorkerMayBeAskedToLeaveBeforeItsThreadRuns) {
    for (int i = 0; i < 20; ++i) {
        const pid_t child = fork();  // it starts threads of its own
        if (child == 0) {
            setenv("SLURM_CPUS_PER_TASK", "64", 1);
            const FaultGuard guard;
            Pool& pool = Pool::get();
            for (int worker = 0; worker < pool.workers(); ++worker)
                pool.ask_worker_to_leave(worker);
            pool.run(pool.workers(), [](int) {}, [] {});
            _exit(0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    }
}

}  // namespace
}  // namespace lanes::gpu::simulator
