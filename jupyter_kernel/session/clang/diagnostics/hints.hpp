// One sentence for the mistakes that everybody makes.
#pragma once

#include "diagnostics.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

// A sentence that says what to try, or an empty text where we know nothing better than the
// compiler. `source_line`: the line at the error's place.
std::string hint_for(const Finding& error, std::string_view source_line);

}  // namespace xcpp_session
