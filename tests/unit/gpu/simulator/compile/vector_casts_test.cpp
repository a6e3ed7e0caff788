#include "gpu/simulator/compile/vector_casts.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

TEST(VectorCasts, AreCheckedIfTheyAreUsedAtOnce) {
    EXPECT_EQ(with_aligned_vectors("v = *(const float4*)(a + i);"),
              "v = lanes_vector_at<const float4>()->*(a + i);");
    EXPECT_EQ(with_aligned_vectors("if (x) *(int2 *)&y[i] = v;"),
              "if (x) lanes_vector_at<int2>()->*&y[i] = v;");
    EXPECT_EQ(with_aligned_vectors("#else\n*(int2*)y = v;"),
              "#else\nlanes_vector_at<int2>()->*y = v;");
    EXPECT_EQ(with_aligned_vectors("v = ((float4*)a)[i];"),
              "v = (lanes_vector_cast<float4>()->*a)[i];");
    EXPECT_EQ(with_aligned_vectors("*reinterpret_cast<double2*>(y + i) = v;"),
              "*lanes_vectors<double2>(y + i) = v;");
    EXPECT_EQ(with_aligned_vectors("v = reinterpret_cast<const uchar4*>(f(a, b))[i];"),
              "v = lanes_vectors<const uchar4>(f(a, b))[i];");
}

TEST(VectorCasts, StayIfTheyAreNotUsedYetOrMeanSomethingElse) {
    for (const char* text :
         {"float4* p = (float4*)(a + i);", "f(reinterpret_cast<float4*>(a));", "void f(float4*);",
          "v = *(float3*)(a + i);", "v = *(const float*)(a + i);", "p = &*(float4*)a;",
          "n = sizeof(float4*);", "p = ((float4*)a) + 1;"})
        EXPECT_EQ(with_aligned_vectors(text), text);
}

}  // namespace
}  // namespace lanes::gpu::simulator
