#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/notebook/table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using lanes::Table;
namespace fs = std::filesystem;

// A data folder of its own; LANES_RECORD is unset at the end.
class Recording : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / ("lanes-recording-" + std::to_string(getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "recorded");
        setenv("LANES_DATA", folder_.c_str(), 1);
    }
    void TearDown() override {
        unsetenv("LANES_DATA");
        unsetenv("LANES_RECORD");
        unsetenv("LANES_RECORD_DRIVER");
        fs::remove_all(folder_);
    }

    void record(const char* time) {
        setenv("LANES_RECORD", (folder_ / "recorded").c_str(), 1);
        setenv("LANES_RECORD_DRIVER", "580.1", 1);
        Table table({"version", "time"});
        table.row("plain", "2.5 ms").row("GPU", time).recorded("02_max/versions").show();
        unsetenv("LANES_RECORD");
    }

    static std::string shown(const Table& table) {
        testing::internal::CaptureStdout();
        table.show();
        return testing::internal::GetCapturedStdout();
    }

    fs::path folder_;
};

TEST_F(Recording, IsReadBackWithItsMachine) {
    record("0.01 ms");
    record("0.02 ms");  // the newest counts
    EXPECT_TRUE(lanes::has_recording("02_max/versions"));
    EXPECT_FALSE(lanes::has_recording("02_max/other"));
    EXPECT_FALSE(lanes::has_recording("03_max/versions"));
    const Table table = lanes::recorded_table("02_max/versions");
    EXPECT_EQ(table.rows(), 2U);
    EXPECT_EQ(table.columns(), (std::vector<std::string>{"version", "time"}));
    EXPECT_EQ(table.cell(1, 0), "GPU");
    EXPECT_EQ(table.number(1, 1), 0.02);
    EXPECT_NE(table.text().find("Recorded on an "), std::string::npos);
    EXPECT_NE(table.text().find("driver 580.1"), std::string::npos);
    EXPECT_NE(table.text().find(lanes::cpu_line()), std::string::npos) << table.text();
}

TEST_F(Recording, IsShownBelowTheTableOfThisRun) {
    Table table({"version", "time"});
    table.row("plain", "3 ms").row("GPU", "no GPU here").recorded("02_max/versions");
    EXPECT_NE(shown(table).find("no recorded run of 02_max/versions yet"), std::string::npos);
    record("0.02 ms");
    const std::string text = shown(table);
    EXPECT_LT(text.find("no GPU here"), text.find("Recorded on"));
    EXPECT_LT(text.find("Recorded on"), text.find("0.02 ms"));
}

TEST_F(Recording, IsTakenFromTheCheckoutIfTheDataFolderHasNone) {
    EXPECT_TRUE(lanes::has_recording("02_elementwise_max/versions"));
    std::ofstream(folder_ / "recorded/02_elementwise_max.json") << "{}";
    EXPECT_FALSE(lanes::has_recording("02_elementwise_max/versions"));
}

TEST_F(Recording, ThatIsMissingOrDamagedIsAnError) {
    EXPECT_THROW(lanes::recorded_table("02_max/versions"), lanes::Error);
    std::ofstream(folder_ / "recorded/02_max.json") << "{ half";
    EXPECT_THROW(lanes::recorded_table("02_max/versions"), lanes::Error);
    EXPECT_THROW(lanes::has_recording("versions"), lanes::Error);
    EXPECT_THROW(Table({"a"}).recorded("/versions"), lanes::Error);
    EXPECT_THROW(Table({"a"}).recorded("02_max/a/b"), lanes::Error);
}

TEST(Table, GivesItsCells) {
    Table table({"version", "time"});
    table.row("plain", "2.5 ms");
    EXPECT_EQ(table.number(0, 1), 2.5);
    EXPECT_THROW(table.number(0, 0), lanes::Error);
    EXPECT_THROW(table.cell(1, 0), lanes::Error);
    EXPECT_THROW(table.cell(0, 2), lanes::Error);
}

}  // namespace
