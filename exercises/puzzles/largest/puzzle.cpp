// Puzzle 14, maximum: what may a thread without an element say?
#include "notebook/puzzle/spec.hpp"

#include <algorithm>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(65, 127);
    const int lowest = -2147483647 - 1;
    puzzle.launch({3, 8}).in<int>(20, -99, 99).filled<int>(1, lowest).number(20);
    puzzle.launch({1, 8}).in<int>(1, -99, -1).filled<int>(1, lowest).number(1);
    puzzle.launch({2, 8}).in<int>(11, -99, -1).filled<int>(1, lowest).number(11);
    puzzle.launch({(n + 31) / 32, 32}).in<int>(n, -999, -1).filled<int>(1, lowest).number(n);
}

CudaPuzzle largest() {
    static const auto spec =
        notebook::PuzzleSpec("largest", "const int* a, int* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const int* a, int* out, int n) {
                for (int i = 0; i < n; ++i) out[0] = std::max(out[0], a[i]);
            })
            .mistake(
                "0 is larger than every negative number: a thread without an element must not "
                "contribute it.",
                [](const LaunchConfig&, const int* a, int* out, int n) {
                    out[0] = 0;
                    for (int i = 0; i < n; ++i) out[0] = std::max(out[0], a[i]);
                })
            .mistake("This is the smallest element.",
                     [](const LaunchConfig&, const int* a, int* out, int n) {
                         out[0] = *std::min_element(a, a + n);
                     })
            .goal({"atomic operations on global memory per block", 1,
                   "If each thread asks for itself", 32, notebook::global_atomics_per_block})
            .hint("A thread without an element may take a[0]: then it changes nothing.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
