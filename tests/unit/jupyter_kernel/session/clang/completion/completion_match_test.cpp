#include "session/clang/completion/completion_match.hpp"

#include <gtest/gtest.h>

namespace {

using xcpp_session::Fit;
using xcpp_session::match_score;

bool fits(const char* typed, const char* name) { return match_score(typed, name).has_value(); }

TEST(MatchScore, Beginnings) {
    EXPECT_EQ(match_score("fo", "foo")->fit, Fit::prefix);
    EXPECT_EQ(match_score("", "foo")->fit, Fit::prefix);
    EXPECT_EQ(match_score("fo", "Foo")->fit, Fit::prefix_other_case);
    EXPECT_EQ(match_score("fo", "file_open")->fit, Fit::abbreviation);
}

TEST(MatchScore, AbbreviationsFollowTheWordsOfAName) {
    for (const char* name : {"foo_user", "FooUser", "fooUser", "foo_bar_user", "FOO_USER"})
        for (const char* typed : {"fu", "fous", "FU", "foouser"})
            EXPECT_TRUE(fits(typed, name)) << typed << " in " << name;
    EXPECT_TRUE(fits("url", "parseURL"));
    EXPECT_TRUE(fits("m19", "mt19937"));
    EXPECT_FALSE(fits("oo", "foo_user"));    // not at the beginning of a word
    EXPECT_FALSE(fits("fs", "foo_user"));    // a gap that ends inside a word
    EXPECT_FALSE(fits("uf", "foo_user"));    // another order
    EXPECT_FALSE(fits("fooo", "foo_user"));  // more than there is
    EXPECT_FALSE(fits("longer", "long"));
}

TEST(MatchScore, ConnectedAndCompleteAbbreviationsAreBetter) {
    const auto points = [](const char* typed, const char* name) {
        return match_score(typed, name)->points;
    };
    EXPECT_GT(points("us", "foo_user"), points("us", "foo_u_s"));
    EXPECT_GT(points("fu", "foo_user"), points("fu", "foo_bar_user"));
    EXPECT_GT(points("FU", "FooUser"), points("FU", "foo_user"));
}

}  // namespace
