// Names of enumerators: clang writes them into __PRETTY_FUNCTION__. Values from -8 to 55 are looked
// at; others show as (Color) 64.
#pragma once

#include "kinds.hpp"
#include "write.hpp"

namespace xcpp::detail {

template <class E, E V>
constexpr const char* enumerator_name() {
    return __PRETTY_FUNCTION__;
}

// clang 19 warns where an unscoped enum without a fixed type has no such value.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wenum-constexpr-conversion"
template <class E, int First, int... I>
void write_enumerator(Text& out, E value, std::integer_sequence<int, I...>) {
    static constexpr const char* names[] = {enumerator_name<E, static_cast<E>(First + I)>()...};
    write_enum(out, signature_of<E>(), static_cast<long long>(value), names, sizeof...(I), First);
}
#pragma clang diagnostic pop

template <class E>
void write_enumerator(Text& out, E value) {
    write_enumerator<E, std::is_signed_v<std::underlying_type_t<E>> ? -8 : 0>(
        out, value, std::make_integer_sequence<int, 64>());
}

}  // namespace xcpp::detail
