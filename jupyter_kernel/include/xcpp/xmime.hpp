// xeus-cling's notebooks include this for mime_bundle_repr of standard types; here every type has
// one.
#pragma once

#include "preamble.hpp"

#include <nlohmann/json.hpp>

namespace xcpp {

template <class T>
nlohmann::json mime_bundle_repr(const T& value) {
    return {{"text/plain", detail::text_of(value)}};
}

}  // namespace xcpp
