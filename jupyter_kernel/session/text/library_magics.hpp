// Cell magics that libraries add by xcpp_add_magic (include/xcpp/capi.h).
#pragma once

#include "xcpp/capi.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

struct LibraryMagic {
    std::string name;  // "%%cuda"
    std::string usage, meaning;
    xcpp_magic_translator translate = nullptr;
    void* user = nullptr;
    std::optional<std::string> declarations;  // nothing: its text is not completed
};

// The name is not checked here. A magic of the same name is replaced.
void keep_library_magic(LibraryMagic magic);
const LibraryMagic* find_library_magic(std::string_view name);  // null: there is none
const std::vector<LibraryMagic>& library_magics();

}  // namespace xcpp_session
