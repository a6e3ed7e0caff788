// Puzzle 22, the third fault: updates are lost.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(33, 90);
    puzzle.launch({2, 8}).in<int>(13).filled<int>(1, 0).number(13);
    puzzle.launch({1, 8}).in<int>(1, 1, 1).filled<int>(1, 0).number(1);
    puzzle.launch({3, 32}).in<int>(n).filled<int>(1, 0).number(n);
}

CudaPuzzle fault_3() {
    static const auto spec =
        notebook::PuzzleSpec("fault_3", "const int* a, int* count, int n", lanes_launches)
            .reference([](const LaunchConfig&, const int* a, int* count, int n) {
                for (int i = 0; i < n; ++i)
                    if (a[i] > 0) ++count[0];
            })
            .fault(5, "lost update")
            .hint("Reading, adding and writing must be one operation.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
