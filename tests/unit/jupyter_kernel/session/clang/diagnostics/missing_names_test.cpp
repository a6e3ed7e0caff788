#include "session/clang/diagnostics/missing_names.hpp"

#include "session/clang/diagnostics/hints.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_session;

TEST(MissingNames, SayWhichCellFailedAndWhy) {
    note_missing_name("lost", 6, "no f yet\nnor g\nand more");
    EXPECT_EQ(reason_of_missing_name("lost"), "no f yet nor g");
    Finding finding;
    finding.message = "use of undeclared identifier 'lost'; did you mean 'cost'?";
    EXPECT_EQ(hint_for(finding, "lost + 1"),
              "In[6] would define lost, but it failed: no f yet nor g");
}

TEST(MissingNames, OthersAreNotTheirs) {
    EXPECT_EQ(reason_of_missing_name("never_written"), "");
    EXPECT_EQ(missing_name_hint("never_written"), "");
}

}  // namespace
