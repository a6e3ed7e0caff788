// What nearly every notebook does with arrays in its first cells. The precompiled header holds
// these templates instantiated, so that a cell need not do it, and the library of instantiations
// holds them compiled. Nothing here is ever called. Each line costs time in every session: where a
// cell needs one instantiation of a template, clang 19 reads all that the header holds, and those
// of std's type traits are thousands. With common_standard.hpp in here a first view of an array
// took a third longer, and a first vector a quarter. Add with care, and measure.
#pragma once

namespace xcpp::precompiled {

template <class T>
void use_shown(const T& value) {
    // Not through Show's comma: its specialisations would all be read for the first value of a
    // session.
    ::xcpp::detail::publish_value<0>(::xcpp::detail::Where{}, value);
}

template <class T>
void use(const T& value) {
    use_shown(value);
    std::cout << value;
}

#ifdef XCPP_HAS_XTENSOR
inline void use_first_arrays() {
    xt::xarray<double> a = {{1, 2}, {3, 4}}, line = {1, 2, 3}, b = a;
    use(a);
    use(a + 1);
    use(a + b);
    use(xt::sum(a)());
    use(xt::view(a, 0));
    xt::xtensor<float, 2> c = xt::ones<float>({2, 3});
    use(c);
    use(c * 2);
#ifdef XCPP_HAS_XTENSOR_BLAS
    use(xt::linalg::dot(a, b));
#endif
}
#endif

}  // namespace xcpp::precompiled
