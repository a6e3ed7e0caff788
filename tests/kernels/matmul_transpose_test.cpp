// matmul_transpose.cu: every rung against three plain loops in double, on sizes that no tile and no
// slab divides.
#include "ladders.hpp"

namespace lanes {
namespace {

struct Size {
    int rows, columns;
};
const Size sizes[] = {{1, 1}, {33, 17}, {64, 8}, {70, 40}, {129, 7}, {130, 12}};

// x: (rows, columns)
std::vector<double> multiplied_plain(const std::vector<float>& x, int rows, int columns) {
    std::vector<double> c(static_cast<std::size_t>(rows) * rows, 0.0);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j)
            for (int k = 0; k < columns; ++k)
                c[i * rows + j] += static_cast<double>(x[i * columns + k]) * x[j * columns + k];
    return c;
}

class MatmulTranspose : public Ladder {
protected:
    LaunchReport check(const std::string& rung, const LaunchConfig& config, Size size) {
        const std::vector<float> x = uniform(static_cast<std::size_t>(size.rows) * size.columns);
        Buffer<float> on_x(device(), x), on_c(device(), size.rows * size.rows);
        const LaunchReport report = launch(program("matmul_transpose.cu").kernel(rung), config,
                                           on_x, on_c, size.rows, size.columns);
        expect_near(on_c.download(), multiplied_plain(x, size.rows, size.columns), size.columns,
                    rung + " " + std::to_string(size.rows) + "x" + std::to_string(size.columns));
        return report;
    }
    static int upper_tiles(int rows, int edge) {
        return ceil_div(rows, edge) * (ceil_div(rows, edge) + 1) / 2;
    }
};
INSTANTIATE_LADDER(MatmulTranspose);

TEST_P(MatmulTranspose, OneBlock) {
    for (const Size size : {sizes[0], sizes[1], sizes[3]})
        check("matmul_transpose_v1", {1, 1024}, size);
}

TEST_P(MatmulTranspose, TilesInSharedMemory) {
    for (const Size size : sizes)
        check("matmul_transpose_v2", {{ceil_div(size.rows, 32), ceil_div(size.rows, 32)}, {32, 32}},
              size);
}

TEST_P(MatmulTranspose, UpperHalfInRegisters) {
    for (const Size size : sizes)
        check("matmul_transpose_v3", {upper_tiles(size.rows, 64), {16, 16}}, size);
}

TEST_P(MatmulTranspose, LargeTiles) {
    for (const Size size : sizes)
        check("matmul_transpose_v4", {upper_tiles(size.rows, 128), 128}, size);
}

TEST_P(MatmulTranspose, LargeTilesMadeSmaller) {
    for (const Size size : sizes)
        check("matmul_transpose_v4_tile<1>", {upper_tiles(size.rows, 64), 128}, size);
}

TEST_P(MatmulTranspose, PartsOfTheColumnsAddedUp) {
    for (const Size size : sizes)
        for (const int parts : {2, 5}) {
            const std::vector<float> x =
                uniform(static_cast<std::size_t>(size.rows) * size.columns);
            const int entries = size.rows * size.rows;
            Buffer<float> on_x(device(), x), matrices(device(), parts * entries),
                on_c(device(), entries);
            launch(program("matmul_transpose.cu").kernel("matmul_transpose_v4_tile<1>"),
                   {{upper_tiles(size.rows, 64), parts}, 128}, on_x, matrices, size.rows,
                   size.columns);
            launch(program("matmul_transpose.cu").kernel("matmul_transpose_sum"),
                   {ceil_div(entries, 256), 256}, matrices, on_c, static_cast<unsigned>(entries),
                   parts);
            expect_near(on_c.download(), multiplied_plain(x, size.rows, size.columns), size.columns,
                        std::to_string(parts) + " parts, " + std::to_string(size.rows) + "x" +
                            std::to_string(size.columns));
        }
}

TEST_P(MatmulTranspose, EveryRungAsksLessOfSharedMemory) {
    if (GetParam() == "gpu") GTEST_SKIP() << "a GPU has no counters";
    const Size size{128, 32};
    const auto reads = [&](const std::string& rung, const LaunchConfig& config) {
        return check(rung, config, size).counters.shared_load_requests;
    };
    const auto v2 = reads("matmul_transpose_v2", {{4, 4}, {32, 32}}),
               v3 = reads("matmul_transpose_v3", {3, {16, 16}}),
               v4 = reads("matmul_transpose_v4", {1, 128});
    EXPECT_LT(v3, v2 / 2);
    EXPECT_LT(v4, v3 / 2);
}

}  // namespace
}  // namespace lanes
