// Shadow memory: two words for each four bytes that a CUDA kernel may access. All zero means:
// initialised, and not accessed in this launch.
#pragma once

#include <cstdint>

namespace lanes::gpu::simulator {

// The number of a segment of logical time, see order.hpp. It has 26 bits in a cell.
using Segment = std::uint32_t;
constexpr Segment last_segment = (1u << 26) - 1;

}  // namespace lanes::gpu::simulator

namespace lanes::gpu::simulator::cell {

// Words are ordered like the segments in them, so that "older than" is one comparison.
//   write: segment 26 | thread 10 | site 12 | atomic 1 | unused 7 | bytes written 4 | bytes not
//       initialised 4
//   read:  segment 26 | thread 10 | site 12 | second 1 | second thread 10 | earlier 1 | bytes read
//          4
// They are stored in two arrays: a CUDA kernel that only reads a buffer, or only writes it, needs
// one of them.
using Word = unsigned long;  // the same type as in hook_table.inc
static_assert(sizeof(Word) == 8);

constexpr unsigned segment_shift = 38, thread_shift = 28, site_shift = 16, second_thread_shift = 5,
                   written_shift = 4;
constexpr Word atomic = 1 << 15;  // in a write word
constexpr Word second = 1 << 15;  // in a read word: two threads read it in this interval
// In a read word: a thread of an earlier block read it, too, see Shadow::earlier.
constexpr Word earlier = 1 << 4;
constexpr Word uninitialised = 15;              // in a write word
constexpr std::uint32_t sites = (1 << 12) - 1;  // the last one stands for all further sites
constexpr std::uint32_t threads = 1 << 10;

constexpr Word word(Segment segment, std::uint32_t thread = 0) {
    return Word(segment) << segment_shift | Word(thread) << thread_shift;
}
constexpr Segment segment_of(Word word) { return static_cast<Segment>(word >> segment_shift); }
constexpr std::uint32_t thread_of(Word word) { return word >> thread_shift & (threads - 1); }
constexpr std::uint32_t second_thread_of(Word word) {
    return word >> second_thread_shift & (threads - 1);
}
constexpr std::uint32_t site_of(Word word) { return word >> site_shift & sites; }

}  // namespace lanes::gpu::simulator::cell
