#include "lanes/distributed/parameter_server.hpp"

#include "error_of.hpp"

#include "lanes/nn/layers.hpp"
#include "lanes/tensor/ops.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace lanes {
namespace {

using lanes_test::error_of;

using Mode = ParameterServer::Mode;

constexpr std::size_t steps = 20;

// Every worker fits y = 3 x; returns the weight, and on rank 0 the report.
float fit(Mode mode, ServerReport* report, const Device& device = Device::cpu()) {
    const Communicator comm = Communicator::world();
    Sequential model{Linear(1, 1, false)};
    model.to(device);
    SGD optimizer(model.parameters(), 0.1);
    ParameterServer server(model, comm, mode);
    if (comm.rank() == 0) {
        std::size_t calls = 0;
        *report = server.serve(optimizer, [&](std::size_t) { ++calls; });
        EXPECT_EQ(calls, report->steps);
    } else {
        for (std::size_t i = 0; i < steps; ++i) {
            const Tensor x = Tensor::of({{1}, {-1}}).to(device);
            const Tensor error = model(x) - x * 3.0f;
            Tensor loss = mean(error * error);
            model.zero_grad();
            loss.backward();
            server.push();
        }
        server.finish();
    }
    EXPECT_EQ(model.parameters()[0].device(), device);
    return model.parameters()[0].cpu().data()[0];
}

TEST(ParameterServer, MakesOneStepWithTheGradientsOfAllWorkers) {
    const Communicator comm = Communicator::world();
    if (comm.size() == 1) GTEST_SKIP() << "a server needs a worker";
    ServerReport report;
    EXPECT_NEAR(fit(Mode::synchronous, &report), 3, 0.1);
    if (comm.rank() != 0) return;
    EXPECT_EQ(report.steps, steps);
    EXPECT_EQ(report.mean_staleness(), 0);
}

TEST(ParameterServer, MakesAStepForEachGradient) {
    const Communicator comm = Communicator::world();
    if (comm.size() == 1) GTEST_SKIP() << "a server needs a worker";
    ServerReport report;
    EXPECT_NEAR(fit(Mode::asynchronous, &report), 3, 0.1);
    if (comm.rank() != 0) return;
    const std::size_t gradients = steps * static_cast<std::size_t>(comm.size() - 1);
    EXPECT_EQ(report.steps, gradients);
    EXPECT_EQ(std::accumulate(report.staleness.begin(), report.staleness.end(), std::size_t{0}),
              gradients);
    EXPECT_LE(report.staleness.size(), gradients);
}

TEST(ParameterServer, LeavesAModelOnItsDevice) {
    if (Communicator::world().size() == 1) GTEST_SKIP() << "a server needs a worker";
    ServerReport report;
    EXPECT_NEAR(fit(Mode::synchronous, &report, "simulator"), 3, 0.1);
}

TEST(ParameterServer, SaysWhoCallsWhat) {
    const Communicator comm = Communicator::world();
    Sequential model{Linear(1, 1)};
    SGD optimizer(model.parameters(), 0.1);
    if (comm.size() == 1) {
        EXPECT_NE(error_of([&] { ParameterServer(model, comm); }).find("mpirun -n 2"),
                  std::string::npos);
        return;
    }
    ParameterServer server(model, comm);
    if (comm.rank() == 0) {
        EXPECT_NE(error_of([&] { server.push(); }).find("rank 0 is the server"), std::string::npos);
        EXPECT_NE(error_of([&] { server.finish(); }).find("rank 0 is the server"),
                  std::string::npos);
    } else {
        EXPECT_NE(error_of([&] { server.serve(optimizer); }).find("Rank 0 serves"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace lanes
