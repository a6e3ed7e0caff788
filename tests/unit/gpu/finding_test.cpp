#include "lanes/gpu/finding.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lanes {
namespace {

TEST(Finding, EveryKindHasANameOfItsOwn) {
    std::set<std::string> names;
    for (int kind = 0; kind <= static_cast<int>(FindingKind::trap); ++kind)
        names.insert(name_of(static_cast<FindingKind>(kind)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(FindingKind::trap) + 1);
    EXPECT_EQ(names.count("unknown"), 0U);
    EXPECT_STREQ(name_of(FindingKind::out_of_bounds), "out of bounds");
}

TEST(Finding, AFaultCarriesWhatWasFound) {
    Finding finding;
    finding.kind = FindingKind::race;
    finding.first.line = 7;
    try {
        throw CudaKernelFault("launch f <<<1, 32>>>: race", {finding, finding});
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "launch f <<<1, 32>>>: race");
        ASSERT_NE(dynamic_cast<const CudaKernelFault*>(&error), nullptr);
        const auto& findings = dynamic_cast<const CudaKernelFault&>(error).findings();
        ASSERT_EQ(findings.size(), 2U);
        EXPECT_EQ(findings[1].first.line, 7);
    }
}

}  // namespace
}  // namespace lanes
