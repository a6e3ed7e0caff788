#include "session/magics/sanitizer_report.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_session;

constexpr const char* one_race = R"(==================
WARNING: ThreadSanitizer: data race (pid=31856)
  Write of size 4 at 0xaaaacf093928 by thread T2:
    #0 work() /tmp/k/In[4]:6:46 (ts+0xf8590) (BuildId: 8994)
    #1 __invoke_impl<void, void (*)()> /usr/include/c++/12/bits/invoke.h:61:14 (ts+0xf8860)

  Thread T2 (tid=31885, running) created by main thread at:
    #0 pthread_create <null> (ts+0x69bfc) (BuildId: 8994)

SUMMARY: ThreadSanitizer: data race /tmp/k/In[4]:6:46 in work()
==================
)";

std::string joined(const MagicOutcome& outcome) {
    std::string text;
    for (const std::string& line : outcome.traceback) text += line + "\n";
    return text;
}

TEST(SanitizerReport, NamesCellsAndLines) {
    const MagicOutcome outcome = describe_report(one_race);
    EXPECT_FALSE(outcome.ok);
    EXPECT_EQ(outcome.ename, "ThreadSanitizer");
    EXPECT_EQ(outcome.evalue, "data race, In[4], line 6");
    EXPECT_EQ(joined(outcome),
              "\x1b[1mThreadSanitizer\x1b[0m: data race, In[4], line 6\n"
              "WARNING: ThreadSanitizer: data race\n"
              "  Write of size 4 by thread T2:\n"
              "    \x1b[1mIn[4]\x1b[0m, line 6: work()\n");
}

// A function of a library may have the place of a cell's lambda in its name.
TEST(SanitizerReport, LeavesOutFunctionsOfTheLibrary) {
    const MagicOutcome outcome = describe_report(
        "=====\nWARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 by thread T2:\n"
        "    #0 operator() /tmp/k/In[4]:6:46 (ts+0xf8) (BuildId: 89)\n"
        "    #1 __invoke_impl<void, (lambda at /tmp/k/In[4]:6:15)> "
        "/usr/include/c++/12/invoke.h:6:4 "
        "(ts+0xf8) (BuildId: 89)\n"
        "    #2 twice<(lambda at /tmp/k/In[4]:6:15)> /tmp/k/In[3]:2:4 (ts+0xf8) (BuildId: 89)\n\n"
        "SUMMARY: ThreadSanitizer: data race /tmp/k/In[4]:6:46 in operator()\n");
    EXPECT_EQ(joined(outcome),
              "\x1b[1mThreadSanitizer\x1b[0m: data race, In[4], line 6\n"
              "WARNING: ThreadSanitizer: data race\n"
              "  Write of size 4 by thread T2:\n"
              "    \x1b[1mIn[4]\x1b[0m, line 6: operator()\n"
              "    \x1b[1mIn[3]\x1b[0m, line 2: twice<(lambda at In[4]:6:15)>\n");
}

TEST(SanitizerReport, ShowsTheFirstOfMany) {
    const MagicOutcome outcome = describe_report(std::string(one_race) + one_race);
    EXPECT_EQ(outcome.evalue, "data race, In[4], line 6; 1 more");
    EXPECT_EQ(outcome.traceback.size(), 4u);
}

TEST(SanitizerReport, LeavesOutAddressesAndTheDumpOfMemory) {
    const MagicOutcome outcome = describe_report(
        "=====\n==319==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x50200000001c at "
        "pc 0xaaaae05b3944 bp 0xfffff01de420 sp 0xfffff01de418\n"
        "READ of size 4 at 0x50200000001c thread T0\n    #0 0xaaaae05b3940 in f /tmp/In[4]:4:44\n\n"
        "SUMMARY: AddressSanitizer: heap-buffer-overflow /tmp/In[4]:4:44 in f\n"
        "Shadow bytes around the buggy address:\n  0x501ffffffd80: 00 00\n");
    EXPECT_EQ(outcome.evalue, "heap-buffer-overflow, In[4], line 4");
    EXPECT_EQ(joined(outcome).find("0x"), std::string::npos) << joined(outcome);
    EXPECT_NE(joined(outcome).find("READ of size 4 thread T0"), std::string::npos);
}

// free() itself finds it: the summary names no line of a cell.
TEST(SanitizerReport, NamesTheCallerOfAFunctionOfTheSanitizer) {
    const MagicOutcome outcome = describe_report(
        "=====\n==319==ERROR: AddressSanitizer: attempting double-free on 0x50400 in thread T0:\n"
        "    #0 0xaaaae05b3940 in free (/tmp/x/program+0xd47d4) (BuildId: 1adecc)\n"
        "    #1 0xaaaae05b3944 in main /tmp/In[4]:3:10\n\n"
        "freed by thread T0 here:\n    #1 0xaaaae05b3944 in main /tmp/In[4]:2:10\n\n"
        "SUMMARY: AddressSanitizer: double-free (/tmp/x/program+0xd47d4) (BuildId: 1adecc) in "
        "free\n");
    EXPECT_EQ(outcome.evalue, "double-free, In[4], line 3");
}

TEST(SanitizerReport, NothingIsNoError) { EXPECT_TRUE(describe_report("").ok); }

}  // namespace
