#include "lanes/base/not_filled_in.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace {

// The stub compiles for every return type, even one without a default constructor.
void nothing() { throw lanes::NotFilledIn("Fill in nothing."); }
int number() { throw lanes::NotFilledIn("Fill in number: one line."); }
std::reference_wrapper<int> reference() { throw lanes::NotFilledIn("Fill in reference."); }

TEST(NotFilledIn, IsAnErrorThatSaysWhatIsMissing) {
    EXPECT_THROW(nothing(), lanes::Error);
    EXPECT_THROW(reference(), lanes::NotFilledIn);
    try {
        number();
        FAIL();
    } catch (const lanes::Error& error) {
        EXPECT_STREQ(error.what(), "Fill in number: one line.");
    }
}

}  // namespace
