#include "lanes/base/interrupt.hpp"

#include <gtest/gtest.h>

// Exported as the Jupyter kernel's session does it; the test program exports its symbols, too
// (CMakeLists.txt).
static int pressed = 0;
extern "C" __attribute__((visibility("default"))) int xcpp_interrupted() { return pressed; }

namespace {

TEST(Interrupt, IsWhatTheSessionSays) {
    EXPECT_FALSE(lanes::interrupted());
    pressed = 1;
    EXPECT_TRUE(lanes::interrupted());
    pressed = 0;
    EXPECT_FALSE(lanes::interrupted());
}

}  // namespace
