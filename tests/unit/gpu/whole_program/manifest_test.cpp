#include "gpu/whole_program/manifest.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

namespace {

using namespace lanes::gpu::whole_program;  // NOLINT: a test of this namespace alone

TEST(Manifest, ComesBackAsItWas) {
    Manifest manifest;
    manifest.fast = true;
    manifest.runtime_folder = "/a b";
    manifest.texts.push_back({"cell.cu", "int main() {}"});
    manifest.ignored = {"a.cu:3", ""};
    manifest.units.push_back(
        {"a.cu", "a.cpp", "text: 5\n", {{"a.cu", 1}, {"", 0}}, {"-DX=1"}, {{"_Z1k", "k<1, 2>"}}});
    const Manifest back = manifest_of(to_bytes(manifest));
    EXPECT_TRUE(back.fast);
    EXPECT_EQ(back.runtime_folder, "/a b");
    EXPECT_EQ(back.ignored, manifest.ignored);
    EXPECT_EQ(back.texts.at(0).text, "int main() {}");
    ASSERT_EQ(back.units.size(), 1U);
    EXPECT_EQ(back.units[0].host_file, "a.cpp");
    EXPECT_EQ(back.units[0].text, "text: 5\n");
    EXPECT_EQ(back.units[0].lines[0].line, 1);
    EXPECT_EQ(back.units[0].flags, manifest.units[0].flags);
    EXPECT_EQ(back.units[0].launchables[0].expression, "k<1, 2>");
}

TEST(Manifest, DamagedBytesAreAnError) {
    const std::string bytes = to_bytes(Manifest{});
    EXPECT_NE(lanes_test::error_of([&] { manifest_of(bytes.substr(0, bytes.size() - 1)); }), "");
    EXPECT_NE(lanes_test::error_of([&] { manifest_of("9:x"); }), "");
}

}  // namespace
