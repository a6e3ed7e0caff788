// Shadow memory: what is known of four bytes of memory that a CUDA kernel may touch, in two words.
// All zero means: initialised, and not touched in this launch.
#pragma once

#include <cstdint>

namespace lanes::gpu::simulator {

// The number of a stretch of time, see order.hpp. 26 bits: what a cell has room for.
using Segment = std::uint32_t;
constexpr Segment last_segment = (1u << 26) - 1;

}  // namespace lanes::gpu::simulator

namespace lanes::gpu::simulator::cell {

// Words are ordered like the segments in them, so that "older than" is one comparison.
//   write: segment 26 | thread 10 | site 12 | atomic 1 | unused 7 | bytes written 4 | bytes not
//       initialised 4
//   read:  segment 26 | thread 10 | site 12 | second 1 | second thread 10 | earlier 1 | bytes read
//          4
// They lie in two arrays: a CUDA kernel that only reads a buffer, or only writes it, needs one of
// them.
using Word = unsigned long;  // as hook_table.inc has it
static_assert(sizeof(Word) == 8);

constexpr unsigned segment_shift = 38, thread_shift = 28, site_shift = 16, second_thread_shift = 5,
                   written_shift = 4;
constexpr Word atomic = 1 << 15;  // of write
constexpr Word second = 1 << 15;  // of read: two threads read it in this interval
constexpr Word earlier =
    1 << 4;  // of read: a thread of an earlier block read it too, see Shadow::earlier
constexpr Word uninitialised = 15;              // of write
constexpr std::uint32_t sites = (1 << 12) - 1;  // the last one stands for all that found no room
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
