// Arrays, views and lazy expressions with the members of xtensor's: shape(), dimension(),
// element(first, last). No header of xtensor is needed.
#pragma once

#include "kinds.hpp"
#include "write.hpp"

namespace xcpp::detail {

template <int Key, class T>
void write_value(Text& out, const T& value);

template <class V>
constexpr ElementKind element_kind() {
    if constexpr (std::is_same_v<V, bool>)
        return ElementKind::boolean;
    else if constexpr (std::is_integral_v<V>)
        return std::is_signed_v<V> ? ElementKind::integer : ElementKind::unsigned_integer;
    else if constexpr (std::is_floating_point_v<V>)
        return ElementKind::real;
    else if constexpr (is_complex<V>)
        return ElementKind::complex;
    else
        return ElementKind::other;
}

template <int Key, class T>
void get_element(const void* object, const std::size_t* index, std::size_t dimension,
                 Element& out) {
    using V = std::remove_cv_t<typename T::value_type>;
    constexpr ElementKind kind = element_kind<V>();
    const T& array = *static_cast<const T*>(object);
    if constexpr (kind == ElementKind::other) {
        if constexpr (is_string<V>)
            out.text->add(array.element(index, index + dimension).data());
        else
            write_value<Key>(*out.text,
                             static_cast<const V&>(array.element(index, index + dimension)));
    } else {
        const V value = array.element(index, index + dimension);
        if constexpr (kind == ElementKind::boolean || kind == ElementKind::integer)
            out.integer = value;
        else if constexpr (kind == ElementKind::unsigned_integer)
            out.unsigned_integer = value;
        else if constexpr (kind == ElementKind::real)
            out.real = static_cast<double>(value);
        else {
            out.real = static_cast<double>(value.real());
            out.imaginary = static_cast<double>(value.imag());
        }
    }
}

// Elements of arithmetic types are read in the same way in every cell, so the function for it is
// compiled once.
template <int Key, class T>
constexpr int element_key =
    element_kind<std::remove_cv_t<typename T::value_type>>() == ElementKind::other ? Key : 0;

constexpr std::size_t most_dimensions = 32;

template <class T>
void copy_shape(const T& value, std::size_t* shape) {
    std::size_t i = 0;
    for (auto extent : value.shape())
        if (i < most_dimensions) shape[i++] = static_cast<std::size_t>(extent);
}

template <int Key, class T>
Array array_of(const T& value, std::size_t* shape) {
    copy_shape(value, shape);
    const std::size_t dimension = value.dimension();
    return {__builtin_addressof(value), shape,
            dimension < most_dimensions ? dimension : most_dimensions,
            element_kind<std::remove_cv_t<typename T::value_type>>(),
            &get_element<element_key<Key, T>, T>};
}

}  // namespace xcpp::detail
