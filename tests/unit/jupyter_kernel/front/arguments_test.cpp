#include "front/arguments.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_front;
using Words = std::vector<std::string>;

TEST(Arguments, TellsItsOwnFromTheCompilers) {
    const Arguments arguments = parse_arguments(
        {"-f", "a.json", "-fopenmp", "--config", "c.json", "-std=c++17", "-I", "dir"});
    EXPECT_EQ(arguments.connection_file, "a.json");
    EXPECT_EQ(arguments.session_arguments,
              (Words{"-fopenmp", "--config", "c.json", "-std=c++17", "-I", "dir"}));
}

TEST(Arguments, TakesTheFormsThatClientsUse) {
    for (const Words& words :
         {Words{"--connection-file", "a.json"}, Words{"--connection-file=a.json"},
          Words{"-f=a.json"}, Words{"--IPKernelApp.connection_file=a.json"}}) {
        EXPECT_EQ(parse_arguments(words).connection_file, "a.json") << words[0];
    }
}

TEST(Arguments, SaysWhatIsMissing) {
    EXPECT_THROW(parse_arguments({}), BadArguments);
    EXPECT_THROW(parse_arguments({"-f"}), BadArguments);
    EXPECT_TRUE(parse_arguments({"--help"}).help);
    EXPECT_TRUE(parse_arguments({"--version"}).version);
}

TEST(Arguments, TheStandard) {
    EXPECT_EQ(parse_arguments({"-f", "c.json"}).standard, "17");
    const Arguments arguments = parse_arguments({"-f", "c.json", "-std=c++20"});
    EXPECT_EQ(arguments.standard, "20");
    EXPECT_EQ(arguments.session_arguments, (std::vector<std::string>{"-std=c++20"}));
    EXPECT_TRUE(parse_arguments({"--prepare", "-std=c++23"}).program);
}

}  // namespace
