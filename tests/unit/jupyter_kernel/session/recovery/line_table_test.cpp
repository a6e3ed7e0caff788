#include "session/recovery/crash_record.hpp"

#include "session/clang/compiler/code_lines.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace xcpp_session;
using Place = std::pair<int, int>;

constexpr int border = ObjectLine::border;

class LineTableTest : public testing::Test {
protected:
    std::unique_ptr<xcpp_wire::SharedState> page_ = std::make_unique<xcpp_wire::SharedState>();
    LineTable table_;

    Place find(std::uint64_t address) const {
        const auto places = table_.places(&address, 1, *page_);
        return places.empty() ? Place(0, 0) : places.front();
    }
};

TEST_F(LineTableTest, CodeOfAHeaderInsideAFunctionBelongsToTheLineBefore) {
    table_.add({{1000, 3, 1}, {1010, 0, 77}, {1020, 3, 2}, {1030, border, 0}}, *page_);
    EXPECT_EQ(find(1005), Place(3, 1));
    EXPECT_EQ(find(1015), Place(3, 1));
    EXPECT_EQ(find(1020), Place(3, 2));
    EXPECT_EQ(find(1030), Place(0, 0)) << "behind the function";
    EXPECT_EQ(find(999), Place(0, 0));
}

TEST_F(LineTableTest, AFunctionThatIsNoCellsTextBelongsToNone) {
    table_.add({{1000, 3, 1}, {1010, border, 0}, {1012, 0, 50}, {1020, border, 0}}, *page_);
    EXPECT_EQ(find(1015), Place(0, 0));
    table_.keep(*page_);
    page_->row_count = 0;
    EXPECT_EQ(find(1015), Place(0, 0)) << "of an older cell";
    EXPECT_EQ(find(1005), Place(3, 1));
}

TEST_F(LineTableTest, OlderCellsAndThePresentOneLieBesideEachOther) {
    table_.add({{1000, 3, 1}, {1010, border, 0}}, *page_);
    table_.keep(*page_);
    page_->row_count = 0;
    table_.add({{1100, 4, 1}, {1110, border, 0}}, *page_);
    EXPECT_EQ(find(1105), Place(4, 1));
    EXPECT_EQ(find(1005), Place(3, 1));
    EXPECT_EQ(find(1050), Place(0, 0));
}

TEST_F(LineTableTest, ARowOfThePresentCellReplacesAnOlderOneOfItsAddress) {
    table_.add({{1000, 3, 1}, {1010, 3, 2}, {1020, border, 0}}, *page_);
    table_.keep(*page_);
    page_->row_count = 0;
    table_.add({{1000, 4, 7}, {1010, 0, 1}, {1020, border, 0}}, *page_);
    EXPECT_EQ(find(1015), Place(4, 7));
}

TEST_F(LineTableTest, AReportSaysThatLinesMayBeMissing) {
    const std::uint64_t frame = 1000;
    const std::map<int, std::string> sources{{3, "first\nsecond"}};
    std::vector<CodeLine> lines{{1000, 3, 2}};
    table_.add(lines, *page_);
    EXPECT_EQ(describe_frames(&frame, 1, *page_, table_, sources).size(), 1U);
    while (lines.size() < 20'000) lines.push_back({1000 + lines.size(), 3, 1});
    table_.add(lines, *page_);
    const auto texts = describe_frames(&frame, 1, *page_, table_, sources);
    ASSERT_EQ(texts.size(), 2U);
    EXPECT_NE(texts[0].find("line 2: second"), std::string::npos) << texts[0];
    EXPECT_NE(texts[1].find("may be missing"), std::string::npos) << texts[1];
}

}  // namespace
