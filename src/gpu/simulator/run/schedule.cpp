#include "schedule.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace lanes::gpu::simulator {

std::string schedule_name(int number) {
    return number == 0 ? "forward" : number == 1 ? "reverse" : "shuffled";
}

template <class Index>
std::vector<Index> schedule_order(int number, std::uint64_t seed, std::size_t count) {
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index(0));
    if (number == 1) std::reverse(order.begin(), order.end());
    if (number >= 2) {
        // By hand, because std::shuffle may differ between libraries.
        std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(number));
        for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    }
    return order;
}

template std::vector<std::uint16_t> schedule_order(int, std::uint64_t, std::size_t);
template std::vector<std::uint32_t> schedule_order(int, std::uint64_t, std::size_t);

}  // namespace lanes::gpu::simulator
