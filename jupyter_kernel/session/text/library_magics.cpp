#include "library_magics.hpp"

#include <algorithm>
#include <utility>

namespace xcpp_session {
namespace {

// A library may add its magics before any session exists: while it is loaded.
std::vector<LibraryMagic>& kept() {
    static std::vector<LibraryMagic> magics;
    return magics;
}

}  // namespace

void keep_library_magic(LibraryMagic magic) {
    std::vector<LibraryMagic>& all = kept();
    const auto same = [&](const LibraryMagic& other) { return other.name == magic.name; };
    all.erase(std::remove_if(all.begin(), all.end(), same), all.end());
    all.push_back(std::move(magic));
}

const LibraryMagic* find_library_magic(std::string_view name) {
    for (const LibraryMagic& magic : kept())
        if (magic.name == name) return &magic;
    return nullptr;
}

const std::vector<LibraryMagic>& library_magics() { return kept(); }

}  // namespace xcpp_session
