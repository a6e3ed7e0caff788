// A CUDA puzzle: an exercise whose answer is the text of one CUDA kernel. Introduced in the
// notebook 01b_cuda_puzzles.
//
//   #include "lanes/exercises.hpp"
//
//   const auto puzzle = lanes::puzzles::add_ten();
//   puzzle.show();  // draws what is to be computed
//   const std::string answer = R"(
//       __global__ void add_ten(const float* a, float* out) {
//           out[threadIdx.x] = a[threadIdx.x] + 10;
//       })";
//   puzzle.check(answer);  // draws what each thread does; "passed", or throws CheckFailed
//
// exercises/puzzles has a folder for each.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <cstdint>
#include <string>

namespace lanes {

namespace notebook {
class PuzzleSpec;  // src/notebook/puzzle/spec.hpp
}

class CudaPuzzle : public Exercise {
public:
    explicit CudaPuzzle(const notebook::PuzzleSpec& spec);

    // Draws the arrays of the first launch, and what one element of the result depends on.
    void show() const;

    // Runs the CUDA kernel of this name in the text of a %%cuda cell: on the simulator with all its
    // checks, then on the GPU if there is one. seed: of the random arguments; grading has another.
    void check(const std::string& text, std::uint64_t seed = 2) const;

private:
    const notebook::PuzzleSpec* spec_;
};

}  // namespace lanes
