// Replays the corpus of the fuzz target frame_reader, whole and cut off anywhere.
#include "fuzz/frames.hpp"
#include "fuzz/replay.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

namespace {

TEST(FuzzCorpus, FrontAndSessionReadTheSameFrames) {
    const auto inputs = fuzz::inputs("frames");
    ASSERT_GT(inputs.size(), 5U);
    for (const auto& [name, bytes] : inputs)
        for (std::size_t size = 0; size <= bytes.size(); ++size)
            EXPECT_NO_THROW(fuzz::check_frames(std::string_view(bytes).substr(0, size)))
                << name << ", the first " << size << " bytes";
}

// Four bytes may claim a gigabyte: memory is taken for what comes, not for what is claimed.
TEST(FuzzCorpus, AClaimTakesNoMemory) {
    rusage before{}, after{};
    ASSERT_EQ(::getrusage(RUSAGE_SELF, &before), 0);
    fuzz::check_frames(fuzz::inputs("frames").at("claims_a_gigabyte"));
    ASSERT_EQ(::getrusage(RUSAGE_SELF, &after), 0);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 * 1024);  // in kB
}

}  // namespace
