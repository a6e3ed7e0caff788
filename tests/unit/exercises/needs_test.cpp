#include "exercises/common/needs.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using lanes::exercises::add_needs;
using lanes::notebook::ExerciseText;
using Names = std::vector<std::string>;

ExerciseText parsed(const std::string& needs) {
    ExerciseText text;
    add_needs(text, needs, "exercises/twice/needs.txt");
    return text;
}

#define EXPECT_SAYS(call, text)                                                  \
    EXPECT_NE(lanes_test::error_of([&] { call; }).find(text), std::string::npos) \
        << lanes_test::error_of([&] { call; })

TEST(Needs, EveryKindOfEntryHasItsList) {
    const ExerciseText text = parsed(
        "# twice: one line\n"
        "header lanes/array.hpp\n"
        "\n"
        "allow lanes::Queue::\n"
        "  forbid xt::maximum  # the task is to write it\n"
        "never exec*\n");
    EXPECT_EQ(text.allowed, Names{"lanes::Queue::"});
    EXPECT_EQ(text.forbidden, Names{"xt::maximum"});
    EXPECT_EQ(text.never_allowed, Names{"exec*"});
}

TEST(Needs, AListStandsForItsEntries) {
    const ExerciseText text = parsed("list own_loops\nforbid mine");
    EXPECT_GT(text.forbidden.size(), 10U);
    EXPECT_EQ(text.forbidden.back(), "mine");
}

TEST(Needs, WhatHoldsForEveryAnswerIsAdded) {
    const ExerciseText text = lanes::exercises::with_needs("max_plain", {});
    const Names& never = text.never_allowed;
    EXPECT_NE(std::find(never.begin(), never.end(), "fork"), never.end());
}

TEST(Needs, AnErrorNamesFileAndLine) {
    EXPECT_SAYS(parsed("allow a\n\nalow b\n"),
                "exercises/twice/needs.txt:3: unknown word 'alow'. Use header, allow,");
    EXPECT_SAYS(parsed("forbid\n"), "exercises/twice/needs.txt:1: nothing follows 'forbid'.");
    EXPECT_SAYS(parsed("allow a b  # two\n"),
                "exercises/twice/needs.txt:1: 'b' follows 'allow a'.");
    EXPECT_SAYS(parsed("# a comment\nlist no_such_list\n"),
                "exercises/twice/needs.txt:2: there is no list 'no_such_list'.");
    EXPECT_SAYS(lanes::exercises::with_needs("no_such_folder", {}),
                "exercises/no_such_folder: needs.txt is missing");
}

}  // namespace
