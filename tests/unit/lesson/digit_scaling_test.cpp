#include "lanes/distributed/simulated_ranks.hpp"
#include "lanes/lesson/digit_training.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using lanes::Communicator;
using lanes_test::error_of;

std::string printed(const std::function<void()>& call) {
    testing::internal::CaptureStdout();
    call();
    return testing::internal::GetCapturedStdout();
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class DigitScaling : public testing::Test {
protected:
    void TearDown() override { std::remove(path.c_str()); }
    void write(const std::string& lines) const {
        std::ofstream(path) << "work,ranks,seconds\n" << lines;
    }
    const std::string path =
        testing::TempDir() + "lanes_digit_scaling_" + std::to_string(getpid()) + ".csv";
};

TEST_F(DigitScaling, FindsTheSerialShareOfBothLaws) {
    // 1 / (0.2 + 0.8 / p) for the fixed batch; 0.1 + 0.9 p times the work for the growing one.
    write(
        "fixed,1,10\nfixed,2,6\nfixed,4,4\n"
        "2 per rank,1,1\n2 per rank,4,1.0810810810810811\n");
    std::vector<lanes::digits::FittedLaw> laws;
    const std::string text = printed([&] { laws = lanes::digits::draw_scaling(path); });
    ASSERT_EQ(laws.size(), 2U);
    EXPECT_NEAR(laws[0].serial, 0.2, 1e-9);
    EXPECT_NEAR(laws[0].efficiency, 10.0 / 4 / 4, 1e-9);
    EXPECT_NEAR(laws[1].serial, 0.1, 1e-9);
    EXPECT_NEAR(laws[1].efficiency, (0.1 + 0.9 * 4) / 4, 1e-9);
    EXPECT_TRUE(holds(text, "points measured, fixed: 3 points")) << text;
    EXPECT_TRUE(holds(text, "line Amdahl, fixed: 41 points")) << text;
    EXPECT_TRUE(holds(text, "line Gustafson, 2 per rank: 41 points")) << text;
    EXPECT_TRUE(holds(text, "line ideal: 41 points")) << text;
    EXPECT_TRUE(holds(text,
                      "On this machine: the efficiency is highest with a 2 per rank, lowest "
                      "with a fixed.\n"))
        << text;
}

TEST_F(DigitScaling, FitsTimesThatNoLawDescribesExactly) {
    write("fixed,1,10\nfixed,2,7\nfixed,4,4\n");
    double serial = 0;
    printed([&] { serial = lanes::digits::draw_scaling(path).at(0).serial; });
    // Least squares of 1 / speed-up - 1 / p = s (1 - 1 / p)
    EXPECT_NEAR(serial, (0.5 * 0.2 + 0.75 * 0.15) / (0.25 + 0.5625), 1e-9);
}

TEST_F(DigitScaling, SaysWhatSharesOutsideOfTheLawsMean) {
    write("slow,1,1\nslow,2,3\n1 per rank,1,1\n1 per rank,2,9\n");
    const std::string slow = printed([&] { lanes::digits::draw_scaling(path); });
    EXPECT_TRUE(holds(slow, "all ranks do less per second than one")) << slow;
    EXPECT_TRUE(holds(slow, "line Gustafson, 1 per rank: 41 points")) << slow;
    write("fast,1,5\nfast,2,1\n");
    const std::string fast = printed([&] { lanes::digits::draw_scaling(path); });
    EXPECT_TRUE(holds(fast, "more than ideal")) << fast;
    EXPECT_FALSE(holds(fast, "less per second")) << fast;
}

TEST_F(DigitScaling, WhatCannotBeDrawnIsNamed) {
    const auto draw = [&] { lanes::digits::draw_scaling(path); };
    EXPECT_EQ(printed(draw), "Nothing to draw: there is no file " + path +
                                 ". Run the cell with %%run above; it needs MPI.\n");
    write("fixed,1,10\nfixed,two,6\n");
    EXPECT_EQ(error_of(draw), "draw_scaling: the line 'fixed,two,6' of " + path +
                                  " is no measurement. Run the cell with %%run again.");
    for (const char* lines : {"", "fixed,1,10\n"}) {
        write(lines);
        EXPECT_EQ(error_of(draw),
                  "draw_scaling: " + path +
                      " has times of one rank only. Measure on two ranks or more: mpirun -n 2.");
    }
}

TEST_F(DigitScaling, TimesBothKindsOfBatchesAndStoresThem) {
    std::vector<std::vector<std::size_t>> batches(3);  // by the ranks of the group
    const std::string text = printed([&] {
        lanes::simulate_ranks(2, [&](const Communicator& comm) {
            const auto note = [&](const Communicator& group, std::size_t batch_size) {
                if (group.rank() == 0)
                    batches[static_cast<std::size_t>(group.size())].push_back(batch_size);
            };
            lanes::digits::time_batches(comm, note, path);
        });
    });
    // Each is run four times.
    const auto times_4 = [](std::size_t first, std::size_t second, std::size_t third) {
        std::vector<std::size_t> all(12, first);
        std::fill(all.begin() + 4, all.begin() + 8, second);
        std::fill(all.begin() + 8, all.end(), third);
        return all;
    };
    EXPECT_EQ(batches[1], times_4(512, 32, 256));
    EXPECT_EQ(batches[2], times_4(512, 32, 512));
    EXPECT_TRUE(holds(text, "speed-up  efficiency")) << text;
    EXPECT_EQ(text.find("work "), text.rfind("work ")) << text;  // rank 0 alone prints
    std::vector<lanes::digits::FittedLaw> laws;
    printed([&] { laws = lanes::digits::draw_scaling(path); });
    ASSERT_EQ(laws.size(), 3U);
    EXPECT_EQ(laws[0].work, "global batch of 512");
    EXPECT_EQ(laws[1].work, "global batch of 32");
    EXPECT_EQ(laws[2].work, "batch of 256 per rank");
}

TEST_F(DigitScaling, AFileThatCannotBeWrittenIsAnError) {
    const std::string error = error_of([] {
        testing::internal::CaptureStdout();
        lanes::simulate_ranks(2, [](const Communicator& comm) {
            lanes::digits::time_batches(comm, [](const Communicator&, std::size_t) {}, "/dev/full");
        });
    });
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(error,
              "time_batches: /dev/full cannot be written. Is there such a folder, and room "
              "on the disk?");
}

}  // namespace
