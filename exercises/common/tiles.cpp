#include "tiles.hpp"

namespace lanes::exercises::tiles_check {

namespace {

using notebook::Judge;
using notebook::values_of;
using product_check::Size;

constexpr std::size_t edge = 32;

// X times its transpose, as if only the first `known` columns existed.
notebook::Values of_first_columns(const Matrix& x, std::size_t known) {
    Matrix part = x;
    for (std::size_t i = 0; i < x.shape(0); ++i)
        for (std::size_t k = known; k < x.shape(1); ++k) part(i, k) = 0;
    const notebook::Values left = values_of(part);
    return product_check::product(left, product_check::transposed(left));
}

// Each tile as the product of its own rows with each other.
notebook::Values of_rows_alone(const Matrix& x) {
    const std::size_t rows = x.shape(0);
    Matrix c = Matrix::from_shape({rows, rows});
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < rows; ++j) {
            const std::size_t partner = i / edge * edge + j % edge;
            double sum = 0;
            for (std::size_t k = 0; k < x.shape(1); ++k)
                sum += partner < rows ? double(x(i, k)) * x(partner, k) : 0;
            c(i, j) = static_cast<float>(sum);
        }
    return values_of(c);
}

}  // namespace

const std::vector<Size> sizes{{3, 5}, {1, 1}, {31, 70}, {32, 64}, {33, 40}, {96, 40}};

std::size_t tiles_per_side(std::size_t rows) { return (rows + edge - 1) / edge; }

void judge_launches(Judge& judge, const LaunchTrace& trace, const TileRule& rule) {
    const auto launches = trace.launches();
    if (launches.empty())
        judge.fail("no CUDA kernel was launched.",
                   "The work belongs on the device: lanes::launch(program.kernel(…), {{tiles, "
                   "tiles}, {32, 32}}, …).");
    for (const TracedLaunch& launch : launches) {
        const Dim3 &grid = launch.config.grid, &block = launch.config.block;
        if (block.x != edge || block.y != edge)
            judge.fail(launch.name + " was launched with blocks of " + std::to_string(block.x) +
                           " x " + std::to_string(block.y) +
                           " threads, the task asks for blocks of 32 x 32 threads.",
                       "The second pair of the launch shape is the block: {32, 32}.");
        if (grid.x * edge < rule.rows || grid.y * edge < rule.rows)
            judge.fail(std::to_string(grid.x) + " x " + std::to_string(grid.y) +
                           " tiles of 32 x 32 entries do not cover C, which has " +
                           std::to_string(rule.rows) + " rows and columns.",
                       "Round up: (rows + 31) / 32 tiles in x and in y.");
    }
}

transpose_check::Case with_tile_mistakes(const Size& size) {
    transpose_check::Case one(size);
    const Matrix& x = one.x.values;
    if (size.columns > edge)
        one.about.known.push_back({of_first_columns(x, edge),
                                   "Only the first 32 columns of X are used: take a loop over "
                                   "all slabs of 32 columns."});
    if (size.columns % edge != 0)
        one.about.known.push_back({of_first_columns(x, size.columns / edge * edge),
                                   "The last columns of X are missing: the last slab may have "
                                   "fewer than 32 columns. Put 0 in place of those that do not "
                                   "exist."});
    if (size.rows > edge)
        one.about.known.push_back({of_rows_alone(x),
                                   "Both strips hold the rows of the tile's rows. The second one "
                                   "holds the rows of its columns: row blockIdx.x * 32 + "
                                   "threadIdx.y of X."});
    return one;
}

void require_few_loads(Judge& judge, const LaunchTrace& trace, std::size_t tiles, const Size& size,
                       const std::string& what, const std::string& advice) {
    if (size.rows < 2 * edge) return;  // there is too little to save
    std::size_t loads = 0;
    for (const TracedLaunch& launch : trace.launches())
        if (launch.device.is_simulator()) loads += launch.report.counters.global_loads;
    const std::size_t needed = tiles * 2 * edge * size.columns;
    judge.require(loads <= needed,
                  "the threads load " + std::to_string(loads) + " numbers from global memory, " +
                      what + " " + std::to_string(needed) + ".",
                  advice);
}

}  // namespace lanes::exercises::tiles_check
