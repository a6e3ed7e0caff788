// The text of a value, as it stands below a cell.
//
//   true  42  'a'  1.5  3.0  "text"  { 1, 2, 3 }  { "a" => 1 }  Color::red  (int*) nullptr  (1.0, 2.0)  <function int (int)>  <Type>
//
// A floating-point number always shows that it is one (3.0). No text holds an address: the outputs of two runs can be compared.
#pragma once

#include "array.hpp"
#include "enums.hpp"
#include "kinds.hpp"
#include "write.hpp"

namespace xcpp::detail {

template <int Key, class T>
void write_value(std::string& out, const T& value);

constexpr int max_elements = 1000;

template <int Key, bool AsMap = false, class Iterator, class End>
void write_range(std::string& out, Iterator it, const End& end) {
    if (!(it != end)) {
        out += "{}";
        return;
    }
    out += "{ ";
    for (int i = 0; it != end; ++it, ++i) {
        if (i) out += ", ";
        if (i == max_elements || is_full(out)) {
            out += "\u2026";
            break;
        }
        if constexpr (AsMap) {
            write_value<Key>(out, (*it).first);
            out += " => ";
            write_value<Key>(out, (*it).second);
        } else {
            write_value<Key>(out, *it);
        }
    }
    out += " }";
}

template <int Key, class T, std::size_t... I>
void write_tuple(std::string& out, const T& value, std::index_sequence<I...>) {
    using std::get;  // the others are found by the argument's namespace, once their header is there
    (void)value;
    out += "{ ";
    ((out += I ? ", " : "", write_value<Key>(out, get<I>(value))), ...);
    out += " }";
}

template <int Key, class T, std::size_t... I>
void write_variant(std::string& out, const T& value, std::index_sequence<I...>) {
    using std::get;
    if (value.valueless_by_exception()) out += "<valueless std::variant>";
    (void)((value.index() == I && (write_value<Key>(out, get<I>(value)), true)) || ...);
}

template <class T>
struct variant_size_of;
template <template <class...> class V, class... A>
struct variant_size_of<V<A...>> {
    static constexpr std::size_t value = sizeof...(A);
};

template <class C, class F>
F function_of(F C::*);

template <class T>
void write_in_brackets(std::string& out, const char* before = "") {
    out += '<';
    out += before;
    write_type(out, signature_of<T>());
    out += '>';
}

template <int Key, class T>
void write_pointee(std::string& out, const T& value) {
    write_type(out, signature_of<T>());
    if (!value)
        out += " nullptr";
    else if constexpr (std::is_void_v<typename T::element_type> || std::is_array_v<typename T::element_type>)
        out += " non-null";
    else {
        out += " -> ";
        write_value<Key>(out, *value.get());
    }
}

template <class T>
void write_pointer(std::string& out, const T& value) {
    using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (std::is_same_v<Pointee, char>) {
        if (value) {
            write_string(out, value, std::char_traits<char>::length(value));
            return;
        }
    }
    if constexpr (std::is_function_v<Pointee>) {
        if (value) {
            write_in_brackets<Pointee>(out, "function ");
            return;
        }
    }
    out += '(';
    write_type(out, signature_of<T>());
    out += value ? ") non-null" : ") nullptr";
}

template <int Key, class T>
void write_streamed(std::string& out, const T& value) {
    TextStream text;
    text.stream() << value;
    text.append_to(out);
}

// Arithmetic types: no template of ours is left in the cell's code but a call.
template <class T>
void write_arithmetic(std::string& out, T value) {
    if constexpr (std::is_same_v<T, bool>)
        write_bool(out, value);
    else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>)
        write_char(out, static_cast<char32_t>(std::make_unsigned_t<std::conditional_t<sizeof(T) == 1, char, std::conditional_t<sizeof(T) == 2, short, int>>>(value)));
    else if constexpr (std::is_floating_point_v<T>)
        write_real(out, value);
    else if constexpr (std::is_signed_v<T>)
        write_integer(out, static_cast<long long>(value));
    else
        write_integer(out, static_cast<unsigned long long>(value));
}

template <int Key, class T>
void write_class(std::string& out, const T& value) {
    if constexpr (is_string<T>)
        write_string(out, value.data(), value.size());
    else if constexpr (is_array_expression<T>)
        with_array<Key>(value, [&out](const Array& array) { write_array(out, array); });
    else if constexpr (is_smart_pointer<T>)
        write_pointee<Key>(out, value);
    else if constexpr (is_variant<T>)
        write_variant<Key>(out, value, std::make_index_sequence<variant_size_of<T>::value>());
    else if constexpr (is_optional<T>) {
        if (value.has_value())
            write_value<Key>(out, *value);
        else
            out += "nullopt";
    } else if constexpr (is_complex<T>) {
        out += '(';
        write_value<Key>(out, value.real());
        out += ", ";
        write_value<Key>(out, value.imag());
        out += ')';
    } else if constexpr (is_streamable<Key, T>)
        write_streamed<Key>(out, value);
    else if constexpr (is_range<T>) {
        using Value = std::decay_t<decltype(*value.begin())>;
        if constexpr (std::is_same_v<Value, T>)
            write_in_brackets<T>(out);
        else
            write_range<Key, is_map<T>>(out, value.begin(), value.end());
    } else if constexpr (is_tuple<T>)
        write_tuple<Key>(out, value, std::make_index_sequence<std::tuple_size<T>::value>());
    else if constexpr (is_duration<T>)
        write_duration(out, static_cast<double>(value.count()) * T::period::num / T::period::den);
    else if constexpr (is_atomic<T>)
        write_value<Key>(out, value.load());
    else if constexpr (is_exception<T>) {
        out += '<';
        write_type(out, signature_of<T>());
        out += ": ";
        out += value.what();
        out += '>';
    } else if constexpr (is_callable<T>)
        write_in_brackets<decltype(function_of(&T::operator()))>(out, "function ");
    else
        write_in_brackets<T>(out);
}

template <int Key, class T>
void write_value(std::string& out, const T& value) {
    using V = std::remove_cv_t<T>;
    if constexpr (std::is_arithmetic_v<V>)
        write_arithmetic<V>(out, value);
    else if constexpr (std::is_null_pointer_v<V>)
        out += "nullptr";
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
    std::string out;
    write_value<0>(out, value);
    return out;
}

}  // namespace xcpp::detail
