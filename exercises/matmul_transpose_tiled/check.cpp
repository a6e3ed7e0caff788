#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/tiles.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

namespace lanes::exercises {

MatmulTransposeTiled::MatmulTransposeTiled()
    : Exercise(text_of<MatmulTransposeTiled>(
          "matmul_transpose_tiled",
          transpose_check::task +
              "On the device lanes::Device::best(), by a CUDA kernel of your own,\ntiled_kernel, "
              "with blocks of 32 x 32 threads. Each block computes a tile of 32 x 32 entries; X "
              "passes through shared memory.",
          "four lines and a CUDA kernel of seventeen",
          "Per slab of 32 columns: each thread loads one number of each strip (0 outside), "
          "barrier, 32 products, barrier.")) {}

void MatmulTransposeTiled::check(Answer answer) const {
    using product_check::Size;
    notebook::judge_cases(
        text(), answer, tiles_check::sizes, [&](notebook::Judge& judge, const Size& size) {
            const transpose_check::Case one = tiles_check::with_tile_mistakes(size);
            const LaunchTrace trace;
            notebook::run_on_devices(
                judge, tiles_check::TileRule{size.rows}, [&] { return answer(one.x.values); },
                [&](const Matrix& got) {
                    one.compare(judge, got);
                    const std::size_t side = tiles_check::tiles_per_side(size.rows);
                    tiles_check::require_few_loads(
                        judge, trace, side * side, size, "a tile in shared memory needs",
                        "Load each number of the two strips once per block, and read shared "
                        "memory after the barrier.");
                });
        });
}

}  // namespace lanes::exercises
