// The text of a value, as it stands below a cell.
//
//   true  42  'a'  1.5  3.0  "text"  { 1, 2, 3 }  { "a" => 1 }  Color::red  (int*) nullptr  (1.0,
//         2.0)  <function int (int)>  <Type>
//
// A floating-point number always shows that it is one (3.0). No text holds an address: the outputs
// of two runs can be compared.
#pragma once

#include "array.hpp"
#include "enums.hpp"
#include "kinds.hpp"
#include "write.hpp"

namespace xcpp::detail {

template <int Key, class T>
void write_value(Text& out, const T& value);

constexpr int max_elements = 1000;

template <int Key, bool AsMap = false, class Iterator, class End>
void write_range(Text& out, Iterator it, const End& end) {
    if (!(it != end)) {
        out.add("{}");
        return;
    }
    out.add("{ ");
    for (int i = 0; it != end; ++it, ++i) {
        if (i) out.add(", ");
        if (i == max_elements || out.full()) {
            out.add("\u2026");
            break;
        }
        if constexpr (AsMap) {
            write_value<Key>(out, (*it).first);
            out.add(" => ");
            write_value<Key>(out, (*it).second);
        } else {
            write_value<Key>(out, *it);
        }
    }
    out.add(" }");
}

// std::valarray has no begin(), only std::begin.
template <int Key, class T>
void write_valarray(Text& out, const T& value) {
    struct Index {
        const T& values;
        std::size_t at;
        decltype(auto) operator*() const { return values[at]; }
        bool operator!=(std::size_t end) const { return at != end; }
        void operator++() { ++at; }
    };
    write_range<Key>(out, Index{value, 0}, value.size());
}

// A stack from its bottom to its top, a queue from front to back, a priority queue in the order in
// which its elements leave it.
template <int Key, class T>
void write_adaptor(Text& out, const T& value) {
    if constexpr (is_priority_queue<T> && std::is_copy_constructible_v<typename T::value_type>) {
        struct Top {
            T& rest;
            decltype(auto) operator*() const { return rest.top(); }
            bool operator!=(int) const { return !rest.empty(); }
            void operator++() { rest.pop(); }
        };
        T copy = value;
        write_range<Key>(out, Top{copy}, 0);
    } else
        write_value<Key>(out, Adaptor<T>::container(value));
}

template <int Key, class T, std::size_t... I>
void write_tuple(Text& out, const T& value, std::index_sequence<I...>) {
    using std::get;  // the others are found by the argument's namespace, once their header is there
    (void)value;
    out.add("{ ");
    ((out.add(I ? ", " : ""), write_value<Key>(out, get<I>(value))), ...);
    out.add(" }");
}

template <int Key, class T, std::size_t... I>
void write_variant(Text& out, const T& value, std::index_sequence<I...>) {
    using std::get;
    if (value.valueless_by_exception()) out.add("<valueless std::variant>");
    (void)((value.index() == I && (write_value<Key>(out, get<I>(value)), true)) || ...);
}

template <class T>
struct variant_size_of;
template <template <class...> class V, class... A>
struct variant_size_of<V<A...>> {
    static constexpr std::size_t value = sizeof...(A);
};

template <class F>
struct Type {
    using type = F;
};
template <class C, class F>
Type<F> function_of(F C::*);

template <class T>
void write_in_brackets(Text& out, const char* before = "") {
    out.add("<");
    out.add(before);
    write_type(out, signature_of<T>());
    out.add(">");
}

template <class T>
void write_callable(Text& out) {
    if constexpr (is_callable<T>)
        write_in_brackets<typename decltype(function_of(&T::operator()))::type>(out, "function ");
    else
        write_in_brackets<T>(out);
}

template <int Key, class T>
void write_pointee(Text& out, const T& value) {
    write_type(out, signature_of<T>());
    if (!value)
        out.add(" nullptr");
    else if constexpr (std::is_void_v<typename T::element_type> ||
                       std::is_array_v<typename T::element_type>)
        out.add(" non-null");
    else {
        out.add(" -> ");
        write_value<Key>(out, *value.get());
    }
}

template <class T>
void write_pointer(Text& out, const T& value) {
    using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (std::is_same_v<Pointee, char>) {
        if (value) {
            write_string(out, value, std::char_traits<char>::length(value));
            return;
        }
    } else if constexpr (is_wide_character<Pointee>) {
        if (value) {
            write_wide_string(out, value, std::char_traits<Pointee>::length(value),
                              sizeof(Pointee));
            return;
        }
    }
    if constexpr (std::is_function_v<Pointee>) {
        if (value) {
            write_in_brackets<Pointee>(out, "function ");
            return;
        }
    }
    out.add("(");
    write_type(out, signature_of<T>());
    out.add(value ? ") non-null" : ") nullptr");
}

template <int Key, class T>
void write_streamed(Text& out, const T& value) {
    out.stream() << value;
}

// Arithmetic types: no template of ours is left in the cell's code but a call.
template <class T>
void write_arithmetic(Text& out, T value) {
    if constexpr (std::is_same_v<T, bool>)
        write_bool(out, value);
    else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t> ||
                       std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>)
        write_char(
            out,
            static_cast<char32_t>(
                std::make_unsigned_t<std::conditional_t<
                    sizeof(T) == 1, char, std::conditional_t<sizeof(T) == 2, short, int>>>(value)));
    else if constexpr (std::is_floating_point_v<T>)
        write_real(out, value);
    else if constexpr (sizeof(T) > sizeof(long long))
        write_integer(out, value);
    else if constexpr (std::is_signed_v<T>)
        write_integer(out, static_cast<long long>(value));
    else
        write_integer(out, static_cast<unsigned long long>(value));
}

template <int Key, class T>
void write_class(Text& out, const T& value) {
    if constexpr (is_string<T>)
        write_string(out, value.data(), value.size());
    else if constexpr (is_wide_string<T>)
        write_wide_string(out, value.data(), value.size(), sizeof(typename T::value_type));
    else if constexpr (is_array_expression<T>) {
        std::size_t shape[most_dimensions];
        print_array(out.stream(), array_of<Key>(value, shape));
    } else if constexpr (is_smart_pointer<T>)
        write_pointee<Key>(out, value);
    else if constexpr (is_variant<T>)
        write_variant<Key>(out, value, std::make_index_sequence<variant_size_of<T>::value>());
    else if constexpr (is_optional<T>) {
        if (value.has_value())
            write_value<Key>(out, *value);
        else
            out.add("nullopt");
    } else if constexpr (is_complex<T>) {
        out.add("(");
        write_value<Key>(out, value.real());
        out.add(", ");
        write_value<Key>(out, value.imag());
        out.add(")");
    } else if constexpr (is_lambda<T>)  // before is_streamable: one that captures nothing is, as a
                                        // bool
        write_callable<T>(out);         // NOLINT(bugprone-branch-clone)
    else if constexpr (is_streamable<Key, T>)
        write_streamed<Key>(out, value);
    else if constexpr (is_range<T>) {
        using Value = std::decay_t<decltype(*value.begin())>;
        if constexpr (std::is_same_v<Value, T>)
            write_in_brackets<T>(out);
        else
            write_range<Key, is_map<T>>(out, value.begin(), value.end());
    } else if constexpr (is_valarray<T>)
        write_valarray<Key>(out, value);
    else if constexpr (is_adaptor<T>)
        write_adaptor<Key>(out, value);
    else if constexpr (is_tuple<T>)
        write_tuple<Key>(out, value, std::make_index_sequence<std::tuple_size<T>::value>());
    else if constexpr (is_duration<T>)
        write_duration(out, static_cast<double>(value.count()) * T::period::num / T::period::den);
    else if constexpr (is_atomic<T>)
        write_value<Key>(out, value.load());
    else if constexpr (is_exception<T>) {
        out.add("<");
        write_type(out, signature_of<T>());
        out.add(": ");
        out.add(value.what());
        out.add(">");
    } else
        write_callable<T>(out);
}

template <int Key, class T>
void write_value(Text& out, const T& value) {
    using V = std::remove_cv_t<T>;
    if constexpr (std::is_arithmetic_v<V> || is_int128<V>)
        write_arithmetic<V>(out, value);
    else if constexpr (std::is_null_pointer_v<V>)
        out.add("nullptr");
    else if constexpr (std::is_enum_v<V>) {
        if constexpr (has_own_stream_operator<Key, V>)
            write_streamed<Key>(out, value);
        else
            write_enumerator<V>(out, value);
    } else if constexpr (std::is_function_v<T>)
        write_in_brackets<T>(out, "function ");
    else if constexpr (std::is_array_v<T>) {
        if constexpr (std::is_same_v<std::remove_cv_t<std::remove_extent_t<T>>, char>) {
            std::size_t size = std::extent_v<T>;
            if (size && !value[size - 1]) --size;
            write_string(out, value, size);
        } else if constexpr (is_wide_character<std::remove_cv_t<std::remove_extent_t<T>>>) {
            std::size_t size = std::extent_v<T>;
            if (size && !value[size - 1]) --size;
            write_wide_string(out, value, size, sizeof value[0]);
        } else
            write_range<Key>(out, value + 0, value + std::extent_v<T>);
    } else if constexpr (std::is_pointer_v<V>)
        write_pointer<V>(out, value);
    else if constexpr (std::is_class_v<V> || std::is_union_v<V>)
        write_class<Key, V>(out, const_cast<const V&>(value));
    else
        write_in_brackets<V>(out);
}

// The text of any value, for %who and the like.
template <class T>
std::string text_of(const T& value) {
    Text out;
    write_value<0>(out, value);
    return out.str();
}

}  // namespace xcpp::detail
