#include "array/blas_core.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

extern "C" {
char* openblas_get_corename();
void gotoblas_dynamic_quit();
void gotoblas_dynamic_init();
}

namespace lanes {
namespace {

CpuFeatures with(bool avx2, bool avx512, bool dot_product = false) {
    CpuFeatures features;
    features.avx2 = avx2;
    features.avx512 = avx512;
    features.dot_product = dot_product;
    return features;
}

TEST(BlasCore, IsTheNewestOneWhoseInstructionsTheCpuHas) {
    EXPECT_EQ(better_blas_core("Prescott", with(true, true)), "SkylakeX");
    EXPECT_EQ(better_blas_core("Prescott", with(true, false)), "Haswell");
    EXPECT_EQ(better_blas_core("Barcelona", with(true, true)), "SkylakeX");
    EXPECT_EQ(better_blas_core("armv8", with(false, false, true)), "neoversen1");
}

TEST(BlasCore, StaysWhatOpenBlasHasChosenIfThatFits) {
    EXPECT_EQ(better_blas_core("Prescott", with(false, false)), "");
    EXPECT_EQ(better_blas_core("Zen", with(true, true)), "");
    EXPECT_EQ(better_blas_core("Haswell", with(true, true)), "");
    EXPECT_EQ(better_blas_core("armv8", with(false, false)), "");
    EXPECT_EQ(better_blas_core("neoversev1", with(false, false, true)), "");
}

#ifdef __aarch64__
constexpr const char* wrong = "ARMV8";
#else
constexpr const char* wrong = "Prescott";
#endif

// In a child process: lets OpenBLAS choose `wrong`, then the library correct it. Whether the core
// is `expected` then.
bool child_has(const std::string& expected, bool set_by_user) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("OPENBLAS_CORETYPE", wrong, 1);
        gotoblas_dynamic_quit();
        gotoblas_dynamic_init();
        if (!set_by_user) unsetenv("OPENBLAS_CORETYPE");
        correct_blas_core();
        _exit(openblas_get_corename() == expected ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

TEST(BlasCore, IsCorrectedWithoutATrace) {
    const std::string detected = wrong == std::string("ARMV8") ? "armv8" : wrong;
    const std::string better = better_blas_core(detected, cpu_features());
    if (better.empty()) GTEST_SKIP() << "this CPU has none of the newer instructions";
    EXPECT_TRUE(child_has(better, false));
    EXPECT_TRUE(child_has(detected, true));  // a value that the user has set is kept
}

}  // namespace
}  // namespace lanes
