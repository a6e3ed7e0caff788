// The value of a cell's last expression. The session writes `::xcpp::detail::Show<12>(),
// (expression);` at the end of cell 12: an overloaded comma takes every value; for void the
// language's own comma is used, and nothing is shown.
#pragma once

#include "text.hpp"

namespace xcpp::detail {

// In the order of preference: an array as a table, an nlohmann::json mime_bundle_repr(const T&)
// that argument-dependent lookup finds, text.
template <int Key, class T>
void publish_value(const Where& where, const T& value) {
    if constexpr (std::is_class_v<T>) {
        if constexpr (is_array_expression<T>) {
            std::size_t shape[most_dimensions];
            show_array(where, array_of<element_key<Key, T>>(value, shape));
            return;
        } else if constexpr (has_bundle<Key, T>) {
            const auto bundle = mime_bundle_repr(value);
            Text plain;
            if constexpr (!is_lambda<T> && is_streamable<Key, T>)
                write_streamed<Key>(plain, value);
            else
                write_in_brackets<T>(plain);
            publish_bundle(where,
                           bundle.dump(-1, ' ', false, decltype(bundle)::error_handler_t::replace),
                           plain);
            return;
        }
    }
    Text plain;
    write_value<Key>(plain, value);
    publish_text(where, plain);
}

// Cells that show a number, a string or a pointer to char call one compiled function.
void show_number(bool value);
void show_number(long long value);
void show_number(unsigned long long value);
void show_number(float value);
void show_number(double value);
void show_string(const char* text, std::size_t size);

template <int Cell = 0>
struct Show {};

template <int Cell, class T>
void operator,(Show<Cell>, const T& value) {
    using V = std::remove_cv_t<T>;
    if constexpr (is_stream<V>)
        (void)value;
    else if constexpr (std::is_same_v<V, bool> || std::is_same_v<V, float> ||
                       std::is_same_v<V, double>)
        show_number(static_cast<V>(value));
    else if constexpr (std::is_same_v<V, int> || std::is_same_v<V, long> ||
                       std::is_same_v<V, long long> || std::is_same_v<V, short>)
        show_number(static_cast<long long>(value));
    else if constexpr (std::is_same_v<V, unsigned> || std::is_same_v<V, unsigned long> ||
                       std::is_same_v<V, unsigned long long>)
        show_number(static_cast<unsigned long long>(value));
    else if constexpr (std::is_same_v<V, std::string>)
        show_string(value.data(), value.size());
    else if constexpr (is_array_expression<V>) {
        std::size_t shape[most_dimensions];
        show_array(Where{}, array_of<element_key<Cell, V>>(const_cast<const V&>(value), shape));
    } else if constexpr (std::is_class_v<V> || std::is_union_v<V>)
        publish_value<settled<V> ? 0 : Cell, V>(Where{}, const_cast<const V&>(value));
    else
        publish_value<std::is_arithmetic_v<V> ? 0 : Cell>(Where{}, value);
}

}  // namespace xcpp::detail
