#include "lanes/gpu/type_tag.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lanes::gpu {
namespace {

TEST(TypeTag, NamesWhatBothSidesKnow) {
    constexpr TypeTag real = tag_of<const float>(), whole = tag_of<unsigned long long>(),
                      flag = tag_of<bool>();
    EXPECT_EQ(std::string(real.name), "float");
    EXPECT_EQ(real.kind, TypeTag::Kind::floating);
    EXPECT_EQ(real.bytes, 4U);
    EXPECT_EQ(std::string(whole.name), "unsigned long long");
    EXPECT_FALSE(whole.is_signed);
    EXPECT_EQ(flag.kind, TypeTag::Kind::boolean);
}

TEST(TypeTag, AStructHasItsSizeOnly) {
    struct Pair {
        float a, b;
    };
    constexpr TypeTag tag = tag_of<Pair>();
    EXPECT_EQ(tag.kind, TypeTag::Kind::other);
    EXPECT_EQ(tag.bytes, 8U);
    EXPECT_EQ(std::string(tag.name), "");
}

}  // namespace
}  // namespace lanes::gpu
