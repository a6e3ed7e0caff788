// Which kernels OpenBLAS uses. It picks them by the model of the CPU when it is loaded, and takes a
// CPU that is newer than itself for an old one: OpenBLAS 0.3.21 (Debian 12) uses the kernels of a
// Pentium 4 on a Sapphire Rapids Xeon, which multiply four to five times slower than its kernels
// for AVX-512. The library corrects this when it is loaded, see blas_core.cpp.
#pragma once

#include <string>

namespace lanes {

struct CpuFeatures {
    bool avx2 = false;  // with FMA
    bool avx512 = false;
    bool dot_product = false;  // of aarch64
};
CpuFeatures cpu_features();

// The value of OPENBLAS_CORETYPE for a CPU that OpenBLAS has taken for `detected`; empty if that is
// right.
std::string better_blas_core(const std::string& detected, const CpuFeatures& features);

// Lets OpenBLAS use these kernels, unless OPENBLAS_CORETYPE is set. No product may run meanwhile.
void correct_blas_core();

}  // namespace lanes
