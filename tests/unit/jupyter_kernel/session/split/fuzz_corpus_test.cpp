// Replays the corpus of the fuzz targets lexer and splitter, whole and cut off anywhere.
#include "fuzz/cells.hpp"
#include "fuzz/replay.hpp"

#include <gtest/gtest.h>

namespace {

void replay(void (*check)(std::string_view)) {
    const auto inputs = fuzz::inputs("cells");
    ASSERT_GT(inputs.size(), 10U);
    for (const auto& [name, text] : inputs) {
        const std::string_view all = text;
        for (std::size_t at = 0; at <= all.size(); ++at) {
            EXPECT_NO_THROW(check(all.substr(0, at))) << name << ", the first " << at << " bytes";
            EXPECT_NO_THROW(check(all.substr(at))) << name << ", from byte " << at << " on";
        }
    }
}

TEST(FuzzCorpus, KeepsTheRulesOfTheLexer) { replay(xcpp_session::fuzz::check_lexer); }

TEST(FuzzCorpus, KeepsTheRulesOfTheSplitter) { replay(xcpp_session::fuzz::check_splitter); }

}  // namespace
