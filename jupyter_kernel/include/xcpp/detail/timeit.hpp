// %timeit: how long one run of a statement takes. The session writes `::xcpp::detail::timeit([&] {
// statement; }, loops, repeats);`, and for an expression `::xcpp::detail::Keep(), (expression);`
// inside, so that the optimiser may not drop it.
#pragma once

#include <type_traits>

namespace xcpp::detail {

struct Keep {};
template <class T>
inline __attribute__((always_inline)) void operator,(Keep, const T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

// Prints `1.23 µs ± 10 ns per loop (mean ± std. dev. of 7 runs, 1000000 loops each)`. loops,
// repeats: 0 picks them as IPython does.
void print_timing(void (*run)(void* callable, long long loops), void* callable, long long loops,
                  int repeats);

template <class Callable>
void timeit(Callable&& callable, long long loops = 0, int repeats = 0) {
    auto run = [](void* object, long long count) {
        auto& function = *static_cast<std::remove_reference_t<Callable>*>(object);
        for (long long i = 0; i < count; ++i) {
            function();
            asm volatile("" : : : "memory");
        }
    };
    print_timing(run, const_cast<void*>(static_cast<const void*>(&callable)), loops, repeats);
}

}  // namespace xcpp::detail
