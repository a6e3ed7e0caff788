// Names of enumerators: clang writes them into __PRETTY_FUNCTION__. Values from -8 to 55 are looked at; others show as (Color) 64.
#pragma once

#include "kinds.hpp"
#include "write.hpp"

namespace xcpp::detail {

template <class E, E V>
constexpr const char* enumerator_name() {
    return __PRETTY_FUNCTION__;
}

// An unscoped enum without a fixed type has no values far outside of its enumerators.
template <class E, long long V, class = void>
struct EnumeratorName {
    static constexpr const char* value = nullptr;
};
template <class E, long long V>
struct EnumeratorName<E, V, std::enable_if_t<static_cast<long long>(static_cast<E>(V)) == V>> {
    static constexpr const char* value = enumerator_name<E, static_cast<E>(V)>();
};

template <class E, int First, int... I>
void write_enumerator(std::string& out, E value, std::integer_sequence<int, I...>) {
    static constexpr const char* names[] = {EnumeratorName<E, First + I>::value...};
    write_enum(out, signature_of<E>(), static_cast<long long>(value), names, sizeof...(I), First);
}

template <class E>
void write_enumerator(std::string& out, E value) {
    write_enumerator<E, std::is_signed_v<std::underlying_type_t<E>> ? -8 : 0>(out, value, std::make_integer_sequence<int, 64>());
}

}  // namespace xcpp::detail
