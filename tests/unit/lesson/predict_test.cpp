#include "lanes/lesson/predict.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

std::string shown(const std::string& what, double measured, const std::string& unit = "") {
    testing::internal::CaptureStdout();
    lanes::reveal(what, measured, unit);
    return testing::internal::GetCapturedStdout();
}

TEST(Predict, TheNewestNumberStandsBesideTheMeasuredOne) {
    lanes::predict("threads", 8);
    lanes::predict("threads", 4);
    EXPECT_EQ(lanes::predicted("threads"), 4);
    const std::string text = shown("threads", 2, "x");
    EXPECT_NE(text.find("4 x"), std::string::npos) << text;
    EXPECT_NE(text.find("2 x"), std::string::npos) << text;
}

TEST(Predict, WhoPredictedNothingLearnsHow) {
    EXPECT_EQ(lanes::predicted("sectors"), std::nullopt);
    EXPECT_NE(shown("sectors", 32).find("lanes::predict(\"sectors\", …)"), std::string::npos);
}

TEST(Predict, RefusesWhatIsNoNumber) {
    EXPECT_THROW(lanes::predict("threads", std::numeric_limits<double>::quiet_NaN()), lanes::Error);
}

}  // namespace
