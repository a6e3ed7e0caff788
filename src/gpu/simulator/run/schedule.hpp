// Orders in which threads and blocks run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// number 0: forward, 1: reverse, 2 and above: shuffled by the seed, each differently.
std::string schedule_name(int number);
// order[position] is the item that runs at this position.
template <class Index>
std::vector<Index> schedule_order(int number, std::uint64_t seed, std::size_t count);

extern template std::vector<std::uint16_t> schedule_order(int, std::uint64_t, std::size_t);
extern template std::vector<std::uint32_t> schedule_order(int, std::uint64_t, std::size_t);

}  // namespace lanes::gpu::simulator
