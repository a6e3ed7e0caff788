#include "gpu/simulator/compile/observed_accesses.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(ObservedAccesses, BuiltInVariablesAreNotObserved) {
    const std::string kept = with_memory_hooks_only(
        "define void @f(ptr %0) {\n"
        "  call void @__tsan_read4(ptr getelementptr inbounds (%struct.uint3, ptr "
        "@lanes_thread_idx_, i32 0, i32 1)), !dbg !7\n"
        "  call void @__tsan_read4(ptr %0), !dbg !8\n}\n");
    EXPECT_FALSE(has(kept, "lanes_thread_idx_"));
    EXPECT_TRUE(has(kept, "call void @__tsan_read4(ptr %0), !dbg !8\n"));
}

TEST(ObservedAccesses, CopiesBetweenLocalVariablesAreNotObserved) {
    const std::string kept = with_memory_hooks_only(
        "define void @f(ptr %0) {\n  %1 = alloca %struct.pair, align 4\n"
        "  %2 = call ptr @__tsan_memset(ptr %1, i32 0, i64 8), !dbg !5\n"
        "  %3 = call ptr @__tsan_memcpy(ptr %1, ptr @__const.f.p, i64 8), !dbg !6\n"
        "  %4 = call ptr @__tsan_memcpy(ptr %1, ptr %0, i64 8), !dbg !7\n}\n"
        "define void @g(ptr %0, ptr %1) {\n"
        "  %2 = call ptr @__tsan_memset(ptr %1, i32 0, i64 8), !dbg !8\n}\n");
    EXPECT_TRUE(has(kept, "call void @llvm.memset.p0.i64(ptr %1, i8 0, i64 8, i1 false), !dbg !5"));
    EXPECT_TRUE(has(kept, "call void @llvm.memmove.p0.p0.i64(ptr %1, ptr @__const.f.p, i64 8"));
    EXPECT_TRUE(has(kept, "%4 = call ptr @__tsan_memcpy(ptr %1, ptr %0, i64 8), !dbg !7"))
        << "%0 is memory";
    EXPECT_TRUE(has(kept, "@__tsan_memset(ptr %1, i32 0, i64 8), !dbg !8"))
        << "%1 of another function is no local variable";
    EXPECT_TRUE(has(kept, "  %2 = getelementptr i8, ptr %1, i64 0\n")) << "results stay numbered";
}

TEST(ObservedAccesses, AVectorIsReadAndWrittenAsAWhole) {
    const std::string kept = with_memory_hooks_only(
        "define void @f(ptr %0, ptr %1) {\n  %2 = alloca %struct.float4, align 16\n"
        "  %3 = call ptr @__tsan_memcpy(ptr %2, ptr %0, i64 16), !dbg !5\n"
        "  %4 = getelementptr inbounds %struct.double2, ptr %1, i64 7, !dbg !6\n"
        "  %5 = call ptr @__tsan_memcpy(ptr %4, ptr %0, i64 16), !dbg !7\n}\n");
    EXPECT_TRUE(has(kept, "call void @__tsan_read16(ptr %0), !dbg !5\n"));
    EXPECT_FALSE(has(kept, "__tsan_write16(ptr %2)"));
    EXPECT_TRUE(has(kept,
                    "call void @__tsan_read16(ptr %0), !dbg !7\n"
                    "  call void @__tsan_write16(ptr %4), !dbg !7\n"));
    EXPECT_FALSE(has(kept, "__tsan_memcpy"));
}

TEST(ObservedAccesses, TheProgramsFunctionsMayBeInlined) {
    const std::string kept = with_memory_hooks_only(
        "attributes #0 = { mustprogress noinline sanitize_thread uwtable }\n"
        "attributes #1 = { noinline nounwind }\n");
    EXPECT_TRUE(has(kept, "#0 = { mustprogress sanitize_thread uwtable }"));
    EXPECT_TRUE(has(kept, "#1 = { nosanitize_coverage noinline nounwind }"));
}

TEST(ObservedAccesses, LoopsAreNotUnrolled) {
    EXPECT_EQ(with_memory_hooks_only("!7 = !{!\"llvm.loop.unroll.count\", i32 4}\n").substr(0, 36),
              "!7 = !{!\"llvm.loop.unroll.disable\"}\n");
}

}  // namespace
}  // namespace lanes::gpu::simulator
