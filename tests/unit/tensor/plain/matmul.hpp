#pragma once

#include "array.hpp"

namespace lanes::plain {

// a: (m, k), or (k, m) if transposed; b: (k, n), or (n, k) -> (m, n)
template <class T>
Array<T> matmul(const Array<T>& a, const Array<T>& b, bool transpose_a, bool transpose_b) {
    const std::size_t m = a.shape[transpose_a ? 1 : 0];
    const std::size_t k = a.shape[transpose_a ? 0 : 1];
    const std::size_t n = b.shape[transpose_b ? 0 : 1];
    Array<T> c(Shape{m, n});
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t p = 0; p < k; ++p)
                c[i * n + j] +=
                    a[transpose_a ? p * m + i : i * k + p] * b[transpose_b ? j * k + p : p * n + j];
    return c;
}

}  // namespace lanes::plain
