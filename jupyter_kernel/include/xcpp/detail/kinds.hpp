// What sort of value is shown: told from a type's members, without the header that defines the
// type.
//
// Free functions (operator<<, mime_bundle_repr) may come, or be defined again, in a later cell; a
// trait remembers its first answer. Those traits have the number of the cell as an argument (Key)
// and so are evaluated again in each cell. Types of std and xt alone have Key 0: their answer
// stays.
#pragma once

#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

namespace xcpp::detail {

template <class T>
constexpr const char* signature_of() {
    return __PRETTY_FUNCTION__;
}

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True when every name of class type in the signature begins with std:: (no type of a cell is part
// of it).
constexpr bool is_std_only(const char* s) {
    while (*s && *s != '=') ++s;
    bool qualified = false;
    while (*s && *s != ']') {
        if (!is_letter(*s)) {
            if (is_digit(*s))
                while (is_letter(*s) || is_digit(*s)) ++s;
            else {
                qualified = *s == ':';
                ++s;
            }
            continue;
        }
        const char* begin = s;
        while (is_letter(*s) || is_digit(*s)) ++s;
        if (qualified) continue;
        const auto size = s - begin;
        const bool is_std = size == 3 && begin[0] == 's' && begin[1] == 't' && begin[2] == 'd';
        if (is_std) continue;
        if (*s == ':') return false;
        constexpr const char* words[] = {"int",      "char",     "bool",     "float",   "double",
                                         "long",     "short",    "unsigned", "signed",  "const",
                                         "volatile", "char16_t", "char32_t", "void",    "true",
                                         "false",    "wchar_t",  "noexcept", "__int128"};
        bool known = false;
        for (const char* word : words) {
            const char* a = begin;
            const char* b = word;
            while (a != s && *b && *a == *b) ++a, ++b;
            known = known || (a == s && !*b);
        }
        if (!known) return false;
    }
    return true;
}

// operator<< would take a lambda without captures for a pointer, and that for true; one with auto
// parameters would not even compile.
constexpr bool is_lambda_signature(const char* s) {
    while (*s && *s != '=') ++s;
    constexpr const char* words = "= (lambda at ";
    for (const char* word = words; *word; ++word, ++s)
        if (*s != *word) return false;
    return true;
}

template <class T>
constexpr bool is_lambda = is_lambda_signature(signature_of<T>());

template <class T>
constexpr bool settled = is_std_only(signature_of<T>());

template <class...>
using void_of = void;
template <class T>
const T& some();

#define XCPP_KEYED_TRAIT(NAME, ...)                                        \
    template <int Key, class T, class = void>                              \
    struct NAME##_trait : std::false_type {};                              \
    template <int Key, class T>                                            \
    struct NAME##_trait<Key, T, void_of<__VA_ARGS__>> : std::true_type {}; \
    template <int Key, class T>                                            \
    constexpr bool NAME = NAME##_trait<Key, T>::value
#define XCPP_TRAIT(NAME, ...)                                         \
    template <class T, class = void>                                  \
    struct NAME##_trait : std::false_type {};                         \
    template <class T>                                                \
    struct NAME##_trait<T, void_of<__VA_ARGS__>> : std::true_type {}; \
    template <class T>                                                \
    constexpr bool NAME = NAME##_trait<T>::value

std::ostream& some_stream();

// Not arithmetic for -std=c++17, only for -std=gnu++17.
template <class T>
constexpr bool is_int128 = std::is_same_v<T, __int128> || std::is_same_v<T, unsigned __int128>;

template <class T>
constexpr bool is_wide_character =
    std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

// The container of a std::stack, std::queue or std::priority_queue: their protected member c.
template <class T>
struct Adaptor : T {
    template <class Self = Adaptor>
    static auto container(const T& value) -> decltype((value.*&Self::c)) {
        return value.*&Self::c;
    }
};

XCPP_KEYED_TRAIT(has_bundle, decltype(mime_bundle_repr(some<T>()).dump()));
XCPP_KEYED_TRAIT(is_streamable, decltype(some_stream() << some<T>()));
// An unscoped enum is always streamable, as a number; called by name only an operator<< of its own
// fits (std's three for char are ambiguous).
XCPP_KEYED_TRAIT(has_own_stream_operator, decltype(operator<<(some_stream(), some<T>())));

XCPP_TRAIT(is_range, decltype(*some<T>().begin(), some<T>().begin() != some<T>().end()));
XCPP_TRAIT(is_map, typename T::key_type, typename T::mapped_type);
XCPP_TRAIT(is_string, typename T::traits_type, decltype(some<T>().data(), some<T>().size()),
           std::enable_if_t<std::is_same_v<typename T::value_type, char>>);
XCPP_TRAIT(is_wide_string, typename T::traits_type, decltype(some<T>().data(), some<T>().size()),
           std::enable_if_t<is_wide_character<typename T::value_type>>);
// std::valarray and the type of `a + b` of two of them.
XCPP_TRAIT(is_valarray, decltype(some<T>()[0], some<T>().size(), some<T>().cshift(0)));
XCPP_TRAIT(is_adaptor, typename T::container_type, std::enable_if_t<!std::is_final_v<T>>,
           decltype(Adaptor<T>::container(some<T>())));
XCPP_TRAIT(is_priority_queue, typename T::value_compare, decltype(some<T>().top()));
XCPP_TRAIT(is_tuple, decltype(std::tuple_size<T>::value));
XCPP_TRAIT(is_optional, typename T::value_type, decltype(some<T>().has_value(), *some<T>()));
XCPP_TRAIT(is_variant, decltype(some<T>().valueless_by_exception(), some<T>().index()));
XCPP_TRAIT(is_smart_pointer, typename T::element_type,
           decltype(some<T>().get(), static_cast<bool>(some<T>())));
XCPP_TRAIT(is_complex, typename T::value_type, decltype(some<T>().real(), some<T>().imag()));
XCPP_TRAIT(is_duration, typename T::period, typename T::rep, decltype(some<T>().count()));
XCPP_TRAIT(is_atomic, decltype(some<T>().load(), some<T>().is_lock_free()));
XCPP_TRAIT(is_exception, decltype(some<T>().what()));
XCPP_TRAIT(is_callable, decltype(&T::operator()));
// xtensor's arrays, views and lazy expressions.
XCPP_TRAIT(is_array_expression, typename T::value_type, typename T::expression_tag,
           decltype(some<T>().dimension(), some<T>().shape(),
                    some<T>().element(static_cast<const std::size_t*>(nullptr),
                                      static_cast<const std::size_t*>(nullptr))));
XCPP_TRAIT(is_stream, std::enable_if_t<std::is_base_of_v<std::ios_base, T>>);

#undef XCPP_KEYED_TRAIT
#undef XCPP_TRAIT

}  // namespace xcpp::detail
