// xtensor's arrays, views and expressions print through compiled code: `std::cout << a + 1` brings
// a thousand functions of xtensor's own printer into a cell, and one for reading an element with
// this. The text is the same. Notebooks need not include this: the precompiled header does.
#pragma once

#include "detail/array.hpp"

#include <xtensor/xio.hpp>

namespace xt {

// Better than xtensor's operator<<(std::ostream&, const xexpression<E>&): no conversion to a base.
template <class E, std::enable_if_t<
                       is_xexpression<E>::value&& ::xcpp::detail::is_array_expression<E>, int> = 0>
std::ostream& operator<<(std::ostream& out, const E& expression) {
    std::size_t shape[::xcpp::detail::most_dimensions];
    ::xcpp::detail::print_array(out, ::xcpp::detail::array_of<0>(expression, shape));
    return out;
}

}  // namespace xt
