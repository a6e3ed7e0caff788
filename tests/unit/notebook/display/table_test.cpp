#include "lanes/notebook/table.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using lanes::compact;
using lanes::Table;
using lanes::with_unit;

TEST(Compact, WritesNumbersWithFourSignificantDigits) {
    EXPECT_EQ(compact(3), "3");
    EXPECT_EQ(compact(-0.0), "0");
    EXPECT_EQ(compact(123456789), "123456789");
    EXPECT_EQ(compact(0.5), "0.5");
    EXPECT_EQ(compact(1.23456), "1.235");
    EXPECT_EQ(compact(0.00123456), "0.001235");
    EXPECT_EQ(compact(12345.6), "12346");
    EXPECT_EQ(compact(1.5e12), "1.5e+12");
    EXPECT_EQ(compact(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(compact(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(WithUnit, KeepsThreeDigits) {
    EXPECT_EQ(with_unit(1.23456, "ms"), "1.23 ms");
    EXPECT_EQ(with_unit(1234.56, "ms"), "1235 ms");
    EXPECT_EQ(with_unit(40, "x"), "40 x");
}

TEST(Table, AlignsItsColumns) {
    Table table({"method", "time", "speed-up"});
    table.row("plain", with_unit(1.2, "ms"), 1).row({"fast", "0.1 ms", 12.25});
    table.note("2 cores");
    EXPECT_EQ(table.text(),
              "method        time    speed-up\n"
              "------------------------------\n"
              "plain       1.2 ms           1\n"
              "fast        0.1 ms       12.25\n"
              "2 cores");
}

TEST(Table, WhatStandsInPlaceOfANumberIsAlignedLikeOne) {
    Table table({"version", "the time of it"});
    table.row("plain", "3 ms").row("GPU", "no GPU here").row("CPU", "not measured").row("own", "-");
    table.row("stub", "not filled in");
    EXPECT_EQ(table.text(),
              "version  the time of it\n"
              "-----------------------\n"
              "plain              3 ms\n"
              "GPU         no GPU here\n"
              "CPU        not measured\n"
              "own                   -\n"
              "stub      not filled in");
}

TEST(Table, KeepsItsWidthIfAValueHasMoreDigits) {
    Table one({"method", "time"}), two({"method", "time"});
    one.row("plain", "1.2 ms");
    two.row("plain", "112.2 ms");
    EXPECT_EQ(one.text().size(), two.text().size());
}

TEST(Table, TakesRowsOfManyTypes) {
    Table table({"a", "b", "c"}, "Types");
    const std::vector<std::string> texts{"x", "y", "z"};
    table.row(texts).row(std::string("s"), 'c', true).row(1u, 2L, 0.5F);
    EXPECT_EQ(table.text(),
              "Types\n"
              "a  b  c\n"
              "---------\n"
              "x  y  z\n"
              "s  c  yes\n"
              "1  2  0.5");
}

TEST(Table, CountsCharactersAndNotBytes) {
    Table table({"größe", "b"});
    table.row("ü", "x");
    EXPECT_EQ(table.text(), "größe  b\n--------\nü      x");
}

TEST(Table, EscapesHtml) {
    Table table({"<b>", "n"}, "A & B");
    table.row("max<int>", 3);
    EXPECT_EQ(table.html(),
              "<p><strong>A &amp; B</strong></p>\n"
              "<table>\n<thead><tr><th style=\"text-align: left\">&lt;b&gt;</th><th "
              "style=\"text-align: right\">n</th></tr>\n</thead>\n<tbody>\n"
              "<tr><td style=\"text-align: left\">max&lt;int&gt;</td><td style=\"text-align: "
              "right\">3</td></tr>\n</tbody>\n</table>");
}

TEST(Table, ThrowsForRowsOfAnotherLength) {
    EXPECT_THROW(Table({}), lanes::Error);
    Table table({"a", "b"});
    try {
        table.row("x", 1, 2);
        FAIL() << "no error";
    } catch (const lanes::Error& error) {
        EXPECT_NE(
            std::string(error.what()).find("Table::row: 3 cells, but the table has 2 columns"),
            std::string::npos)
            << error.what();
    }
}

TEST(Table, PrintsItsTextWithoutAFrontEnd) {
    Table table({"a"});
    table.row("x");
    testing::internal::CaptureStdout();
    table.show();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "a\n-\nx\n");
}

}  // namespace
