// Memory for an answer's result: filled with not-a-numbers, and with guards on both sides. A write
// past its end or before its start changes a guard, is reported with its place, and is undone
// before the allocator meets it. This works if the answer allocates its result in the usual way
// (new, std::vector, a matrix) and the result is small. Other memory is filled, but not guarded.
//
// How: many blocks of the result's size are allocated. A few that have neighbours on both sides are
// freed, so that the answer gets one of them; the neighbours are the guards. Whether the allocator
// does hand out these blocks, and keeps its own data elsewhere, is tried before the answer is
// called.
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

    // The distance in bytes from `result` to the first byte that was written outside what the
    // answer has allocated; `elsewhere` if it is next to other memory than the result. Repairs the
    // guards. Empty: nothing was written there.
    static constexpr std::ptrdiff_t elsewhere = PTRDIFF_MAX;
    std::optional<std::ptrdiff_t> written(const void* result, std::size_t bytes);

private:
    struct Free {
        void operator()(char* block) const;
    };
    using Block = std::unique_ptr<char, Free>;

    // A block for the answer with its guards, and the bytes that were there before the call.
    struct Stretch {
        char* begin;
        char* end;
        char* block;
        std::vector<char> held;
    };

    bool can_free_blocks();
    void accept_sizes_of_freed_block(Stretch& stretch) const;
    bool is_size_of_freed_block(const Stretch& stretch, const char* place) const;

    std::size_t bytes_;
    std::size_t usable_ = 0;     // bytes of a block, rounded up by the allocator
    std::size_t own_bytes_ = 0;  // at the start of a block, changed by the allocator itself
    std::vector<Block> kept_;
    std::vector<Stretch> stretches_;
};

// Fails the check if the answer wrote outside a result of `rows` x `columns` elements.
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
