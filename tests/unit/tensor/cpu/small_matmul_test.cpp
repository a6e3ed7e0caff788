#include "tensor/cpu/small_matmul.hpp"

#include "lanes/base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lanes::tensor {
namespace {

std::vector<float> numbers(std::size_t count, Rng& rng) {
    std::vector<float> values(count);
    rng.fill_uniform(values.data(), count, -1, 1);
    return values;
}

void expect_product(Product product, Rng& rng) {
    const std::size_t m = product.m;
    const std::size_t n = product.n;
    const std::size_t k = product.k;
    const std::vector<float> a = numbers(m * k, rng);
    const std::vector<float> b = numbers(k * n, rng);
    std::vector<float> c = numbers(m * n, rng);
    const std::vector<float> before = c;
    small_matmul(product, a.data(), b.data(), c.data());
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double sum = product.accumulate ? before[i * n + j] : 0;
            for (std::size_t p = 0; p < k; ++p)
                sum += static_cast<double>(product.transpose_a ? a[p * m + i] : a[i * k + p]) *
                       (product.transpose_b ? b[j * k + p] : b[p * n + j]);
            ASSERT_NEAR(c[i * n + j], sum, 1e-5 * (1 + static_cast<double>(k)))
                << m << " x " << k << " times " << k << " x " << n << " at " << i << ", " << j;
        }
}

TEST(SmallMatmul, ComputesEverySizeAndOrder) {
    Rng rng(1);
    for (const bool transpose_a : {false, true})
        for (const bool transpose_b : {false, true})
            for (const bool accumulate : {false, true})
                for (const std::size_t m : {1, 3, 4, 10, 17})
                    for (const std::size_t n : {1, 5, 16, 70, 131})
                        for (const std::size_t k : {0, 1, 10, 16, 37, 128}) {
                            if (transpose_a && transpose_b) continue;
                            Product product;
                            product.transpose_a = transpose_a;
                            product.transpose_b = transpose_b;
                            product.accumulate = accumulate;
                            product.m = m;
                            product.n = n;
                            product.k = k;
                            expect_product(product, rng);
                        }
}

TEST(SmallMatmul, UsesSeveralThreadsForLargerOnes) {
    Rng rng(2);
    for (const bool transpose_b : {false, true}) {
        Product product;
        product.transpose_b = transpose_b;
        product.m = 66;
        product.n = 128;
        product.k = 300;
        expect_product(product, rng);
    }
}

TEST(SmallMatmul, LeavesLargeProductsAndTwoTransposedSidesToBlas) {
    Product product;
    product.m = product.n = 100;
    product.k = 50;
    EXPECT_TRUE(is_small(product));
    product.transpose_a = product.transpose_b = true;
    EXPECT_FALSE(is_small(product));
    product.transpose_a = product.transpose_b = false;
    product.m = product.n = product.k = 4096;
    EXPECT_FALSE(is_small(product));
}

}  // namespace
}  // namespace lanes::tensor
