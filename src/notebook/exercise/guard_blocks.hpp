// Memory for an answer's result: poisoned with not-a-numbers, and with guards around it. What is
// written behind its end or in front of it is seen there, told by its place, and undone before the
// allocator stumbles over it. It works where the answer asks for its result in the usual way (new,
// std::vector, a matrix) and the result is small; elsewhere the memory is poisoned and nothing
// else.
#pragma once

#include "judge.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace lanes::notebook {

class GuardBlocks {
public:
    explicit GuardBlocks(std::size_t bytes);  // of the result

    // How far from `result` the first byte lies that was written outside of everything the answer
    // has asked for; the guards are put right again. Outside of other memory than the result's: the
    // largest number there is.
    static constexpr std::ptrdiff_t elsewhere = PTRDIFF_MAX;
    std::optional<std::ptrdiff_t> written(const void* result, std::size_t bytes);

private:
    struct Free {
        void operator()(char* block) const;
    };
    using Block = std::unique_ptr<char, Free>;

    // A stretch of memory that belongs to the guards but for the block in its middle, and what it
    // held when the answer was called.
    struct Stretch {
        char *begin, *end, *block;
        std::vector<char> held;
    };

    std::size_t bytes_, usable_ = 0;
    std::vector<Block> kept_;
    std::vector<Stretch> stretches_;
};

// Fails the check where the answer wrote outside of a result of `rows` x `columns` elements.
void judge_guard_blocks(Judge& judge, GuardBlocks& guards, const void* result, std::size_t rows,
                        std::size_t columns, std::size_t bytes_of_element);

// Calls the answer, whose result is a matrix of `expected` elements.
template <class F>
auto call_with_guard_blocks(Judge& judge, std::size_t expected, F&& answer) -> decltype(answer()) {
    using Element = typename decltype(answer())::value_type;
    GuardBlocks guards(expected * sizeof(Element));
    auto result = judge.call(answer);
    judge_guard_blocks(judge, guards, result.data(), result.shape()[0], result.shape()[1],
                       sizeof(Element));
    return result;
}

}  // namespace lanes::notebook
