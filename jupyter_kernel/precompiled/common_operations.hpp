// Common operations on arrays, for the library of instantiations: compiled once, here, and not in
// the first cell that uses them. Nothing here is ever called. To make another operation quick in
// its first cell, add a line. The spelling matters: `a + 1` and `a + 1.0` are two types.
#pragma once

#ifdef XCPP_HAS_XTENSOR
namespace xcpp::precompiled {

// The scalar is a temporary, as a literal in a cell is: with a variable the types would be others.
template <class S, class A>
void use_scalar(A& a) {
    use(a + S(1));
    use(a - S(1));
    use(a * S(1));
    use(a / S(1));
    use(S(1) * a);
    use(S(1) + a);
    A b = a + S(1);
    b = a * S(1);
    b += S(1);
    b *= S(1);
}

// a: an xarray or a two-dimensional xtensor
template <class A>
void use_array(A& a, A& b) {
    using T = typename A::value_type;
    A copy = a, moved = std::move(b);
    copy = a;
    moved = std::move(copy);
    use(a);
    use(a + b);
    use(a - b);
    use(a * b);
    use(a / b);
    use_scalar<int>(a);
    if constexpr (!std::is_same_v<T, int>) use_scalar<T>(a);
    A c = a + b;
    c = a - b;
    c = a * b;
    c += a;
    c -= a;
    c(0, 0) = a(1, 1);
    use(c(0, 0));
    use_shown(a.shape());
    use(a.size());
    use(xt::view(a, 0));
    use(xt::view(a, 0, xt::all()));
    use(xt::view(a, xt::all(), 0));
    use(xt::view(a, xt::range(0, 1), xt::all()));
    use(xt::view(a, xt::range(0, 1)));
    xt::view(a, 0) = 1;
    use(xt::sum(a));
    use(xt::sum(a)());
    use(xt::mean(a));
    use(xt::mean(a)());
    use(xt::amax(a));
    use(xt::amax(a)());
    use(xt::amin(a)());
    use(xt::sum(a, {0}));
    use(xt::mean(a, {0}));
    use(xt::transpose(a));
    use(xt::equal(a, b));
    use(a == b);
    use(a > 0);
    A zeros = xt::zeros<T>({2, 3});
    A ones = xt::ones<T>({2, 3});
    use(xt::zeros<T>({2, 3}));
    use(xt::ones<T>({2, 3}));
    if constexpr (std::is_floating_point_v<T>) {
#ifdef XCPP_HAS_XTENSOR_BLAS
        use(xt::linalg::dot(a, b));
        A product = xt::linalg::dot(a, b);
#endif
        use(xt::exp(a));
        use(xt::sqrt(a));
        A random = xt::random::rand<T>({2, 3});
        A normal = xt::random::randn<T>({2, 3});
    }
}

template <class T>
void use_type() {
    xt::xarray<T> a = {{1, 2}, {3, 4}}, b = a;
    use_array(a, b);
    xt::xarray<T> line = {1, 2, 3};
    xt::xarray<T> counted = xt::arange<T>(10);
    use(xt::arange<T>(10));
    a.reshape({1, 4});
    xt::xtensor<T, 2> c = {{1, 2}, {3, 4}}, d = c;
    use_array(c, d);
    xt::xtensor<T, 1> e = {1, 2, 3}, f = e;
    use(e);
    use(e + f);
    use(e * f);
    use(e + 1);
    use(e * 2);
    use(xt::sum(e));
    use(xt::sum(e)());
    use(e(0));
    xt::xtensor<T, 1> g = e + f;
    if constexpr (std::is_floating_point_v<T>) {
        xt::xarray<T> spaced = xt::linspace<T>(0, 1, 10);
        use(xt::linspace<T>(0, 1, 10));
#ifdef XCPP_HAS_XTENSOR_BLAS
        use(xt::linalg::dot(e, f));
#endif
    }
}

}  // namespace xcpp::precompiled
#endif
