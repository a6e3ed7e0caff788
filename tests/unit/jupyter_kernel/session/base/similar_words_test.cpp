#include "session/base/similar_words.hpp"

#include <gtest/gtest.h>

namespace xcpp_session {
namespace {

TEST(SimilarWords, NearestFirst) {
    EXPECT_EQ(similar_words("iostraem", {"vector", "iostream", "sstream"}).front(), "iostream");
    EXPECT_TRUE(similar_words("xyz", {"vector", "iostream"}).empty());
}

}  // namespace
}  // namespace xcpp_session
