// Shared by the checks of matmul_transpose_tiled and _upper: blocks of 32 x 32 threads, each of
// which computes a tile of the result.
#pragma once

#include "lanes/gpu/trace.hpp"
#include "matmul_transpose.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::exercises::tiles_check {

// One block per tile.
struct TileRule {
    std::size_t rows;
};
void judge_launches(notebook::Judge& judge, const LaunchTrace& trace, const TileRule& rule);

// The sizes of the cases: one tile and several, with and without a rest.
extern const std::vector<product_check::Size> sizes;

// A case with the mistakes that are common in tiles.
transpose_check::Case with_tile_mistakes(const product_check::Size& size);

// Fails if the threads load more numbers than so many tiles need, each with two strips of X.
void require_few_loads(notebook::Judge& judge, const LaunchTrace& trace, std::size_t tiles,
                       const product_check::Size& size, const std::string& what,
                       const std::string& advice);

std::size_t tiles_per_side(std::size_t rows);

}  // namespace lanes::exercises::tiles_check
