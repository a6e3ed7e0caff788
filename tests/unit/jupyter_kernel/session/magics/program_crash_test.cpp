#include "session/magics/program_crash.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace xcpp_session;

// What is said of a crashed rank that has left this text.
std::string described(const std::string& record) {
    std::string folder = testing::TempDir() + "/crash-XXXXXX";
    if (!mkdtemp(folder.data())) return "no folder";
    std::ofstream(folder + "/crash.1") << record;
    const MagicOutcome outcome = describe_crashes(folder, folder + "/program", {});
    std::filesystem::remove_all(folder);
    return outcome.evalue;
}

// A full disk ends it anywhere.
TEST(ProgramCrash, ReadsARecordThatWasCutOff) {
    const std::string signal = "rank 2: segmentation fault (SIGSEGV): a null pointer was used";
    EXPECT_EQ(described("2\n11\n0\n\n3f8 3f8"), signal);
    EXPECT_EQ(described("2\n11\n0\n\n"), signal);
    EXPECT_EQ(described("2\n11\n0\nstd::length_er"), signal);
    EXPECT_EQ(described("2\n11\n0\nstd::runtime_error: bad\n\n"),
              "rank 2: std::runtime_error: bad");
}

TEST(ProgramCrash, ExplainsMissingSlots) {
    EXPECT_TRUE(describe_missing_slots("enough slots").ok);
    EXPECT_FALSE(describe_missing_slots("There are not enough slots available in the system to "
                                        "satisfy the 16\nslots that were requested")
                     .ok);
}

}  // namespace
