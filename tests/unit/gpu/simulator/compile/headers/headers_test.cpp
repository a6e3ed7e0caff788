#include "gpu/simulator/compile/headers/headers.hpp"

#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lanes::gpu::simulator {
namespace {

TEST(HeaderFiles, EachHasItsOwnName) {
    std::set<std::string> names;
    for (const HeaderFile& header : header_files())
        EXPECT_TRUE(names.insert(header.name).second) << header.name;
}

// Each header either compiles in a text of its own, included twice, or says in an #error what to do
// instead.
TEST(HeaderFiles, CompileOrSayWhatToDo) {
    std::string text;
    for (const HeaderFile& header : header_files()) {
        const std::string content = header.content;
        const auto error = content.find("#error");
        if (error == std::string::npos)
            text += std::string("#include <") + header.name + ">\n#include <" + header.name + ">\n";
        else
            EXPECT_GT(content.size() - error, 30u) << header.name << ": " << content;
    }
    const Program program(Device::simulator(), text + "__global__ void k(int* y) { *y = 1; }");
    EXPECT_EQ(program.kernel_names(), std::vector<std::string>{"k"});
}

}  // namespace
}  // namespace lanes::gpu::simulator
