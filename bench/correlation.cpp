// Measures correlation_fast for bench/correlation.py, which compiles this program and requests one
// measurement at a time. Lines in:
//   time FILTER SIZE THREADS CALLS given|fresh
//       nanoseconds of the best call; the result in existing memory, or in new memory per call
//   write FILTER SIZE FILE
//       the result for the last image as raw floats, computed by all threads
//   copy FILTER SIZE CALLS
//       nanoseconds of the best plain copy of the image by one thread: no correlation can use less
//       memory
//   peak FILTER SIZE
//       multiplications and additions per nanosecond by one thread that no correlation exceeds
// FILTER is a file of raw floats (square, so its length gives rows and columns); the image is
// SIZE.floats beside it. Image and result are on large pages, as NumPy's are.
#include "lanes/ops/correlation.hpp"

#include "../src/base/large_pages.hpp"

#include "lanes/base.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

using lanes::Matrix;

Matrix fresh(std::size_t side) {
    auto matrix = Matrix::from_shape({side, side});
    lanes::prefer_large_pages(matrix.data(), matrix.size() * sizeof(float));
    return matrix;
}

// Square, of raw floats.
Matrix read(const std::string& name) {
    std::ifstream file(name, std::ios::binary | std::ios::ate);
    const auto bytes = static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg()));
    const auto side = static_cast<std::size_t>(
        std::lround(std::sqrt(static_cast<double>(bytes / sizeof(float)))));
    LANES_REQUIRE(file && side * side * sizeof(float) == bytes, "bench/correlation.cpp: ", name,
                  " holds no square of floats.");
    Matrix matrix = fresh(side);
    file.seekg(0).read(reinterpret_cast<char*>(matrix.data()), static_cast<std::streamsize>(bytes));
    return matrix;
}

double peak() {
    // sums: so many that no multiplication waits for another
#ifdef __aarch64__
    using Register __attribute__((vector_size(16))) = float;
    constexpr int sums = 24;
#else
    using Register __attribute__((vector_size(64))) = float;
    constexpr int sums = 12;
#endif
    constexpr int rounds = 100000;
    Register sum[sums] = {};
    const auto run = [&] {
        for (int round = 0; round < rounds; ++round)
#pragma unroll
            for (Register& one : sum) {
                one = one * 0.5F + 1.0F;
            // Prevents computation at compile time.
#ifdef __aarch64__
                asm("" : "+w"(one));
#else
                asm("" : "+v"(one));
#endif
            }
    };
    return 2.0 * sums * rounds * (sizeof(Register) / sizeof(float)) /
           (1e9 * lanes::best_of(41, run));
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return std::cerr << "correlation FOLDER\n", 2;
    const std::string folder = std::string(arguments[1]) + "/";
    std::string what, filter_name, size, loaded;
    Matrix image, result;
    while (std::cin >> what >> filter_name >> size) {
        if (loaded != size) {
            image = read(folder + size + ".floats");
            result = fresh(image.shape(0));
            result.fill(0);
            loaded = size;
        }
        const Matrix filter = read(folder + filter_name);
        if (what == "write") {
            std::string name;
            std::cin >> name;
            lanes::correlation_fast(filter, image, result);
            std::ofstream(folder + name, std::ios::binary)
                .write(reinterpret_cast<const char*>(result.data()),
                       static_cast<std::streamsize>(result.size() * sizeof(float)));
            std::cout << "written" << std::endl;
            continue;
        }
        int threads = 0, calls = 0;
        if (what == "peak") {
            std::cout << peak() << std::endl;
            continue;
        }
        if (what == "copy") {
            std::cin >> calls;
            const auto copy = [&] {
                std::memcpy(result.data(), image.data(), image.size() * sizeof(float));
            };
            copy();
            std::cout << 1e9 * lanes::best_of(calls, copy) << std::endl;
            continue;
        }
        std::string memory;
        std::cin >> threads >> calls >> memory;
        const auto call = [&] {
            memory == "fresh" ? void(lanes::correlation_fast(filter, image, threads))
                              : lanes::correlation_fast(filter, image, result, threads);
        };
        call();
        std::cout << 1e9 * lanes::best_of(calls, call) << std::endl;
    }
}
