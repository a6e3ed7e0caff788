#include "blas_core.hpp"

#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <cstdlib>

// Functions of OpenBLAS in all builds that choose kernels at run time; null in others.
extern "C" {
__attribute__((weak)) char* openblas_get_corename();
__attribute__((weak)) void gotoblas_dynamic_quit();  // forgets the choice
__attribute__((weak)) void gotoblas_dynamic_init();  // reads OPENBLAS_CORETYPE, or looks at the CPU
}

namespace lanes {

CpuFeatures cpu_features() {
    CpuFeatures features;
#if defined(__x86_64__)
    __builtin_cpu_init();
    features.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    features.avx512 = features.avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    features.dot_product = (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
#endif
    return features;
}

std::string better_blas_core(const std::string& detected, const CpuFeatures& features) {
    // Without AVX2: what OpenBLAS takes unknown CPUs of Intel and AMD for.
    const char* const old_cores[] = {"Prescott", "Core2", "Nehalem", "Sandybridge", "Barcelona"};
    if (std::find(std::begin(old_cores), std::end(old_cores), detected) != std::end(old_cores))
        return features.avx512 ? "SkylakeX" : features.avx2 ? "Haswell" : "";
    // What it takes unknown CPUs of ARM for. Products were as fast with
    // these kernels on a Neoverse V1; other functions were not compared.
    return detected == "armv8" && features.dot_product ? "neoversen1" : "";
}

void correct_blas_core() {
    constexpr const char* variable = "OPENBLAS_CORETYPE";
    if (!openblas_get_corename || !gotoblas_dynamic_quit || !gotoblas_dynamic_init) return;
    if (std::getenv(variable) != nullptr) return;
    const std::string better = better_blas_core(openblas_get_corename(), cpu_features());
    if (better.empty()) return;
    setenv(variable, better.c_str(), 1);
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    unsetenv(variable);
}

namespace {

// OpenBLAS is initialised before this library, which is linked to it, and before any product.
[[maybe_unused]] const bool corrected = (correct_blas_core(), true);

}  // namespace

}  // namespace lanes
