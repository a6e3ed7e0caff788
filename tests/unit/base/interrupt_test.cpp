#include "lanes/base/interrupt.hpp"

#include <gtest/gtest.h>

// As the Jupyter kernel's session exports it; the test's program exports its symbols, too
// (CMakeLists.txt).
static int pressed = 0;
extern "C" __attribute__((visibility("default"))) int xcpp_interrupted() { return pressed; }

namespace {

TEST(Interrupt, is_what_the_session_says) {
    EXPECT_FALSE(lanes::interrupted());
    pressed = 1;
    EXPECT_TRUE(lanes::interrupted());
    pressed = 0;
    EXPECT_FALSE(lanes::interrupted());
}

}  // namespace
