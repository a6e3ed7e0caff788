// What one loaded library defines, by name. dlsym would ask its dependencies too, and dladdr, which
// alone tells a size, reads the whole symbol table: with the library of instantiations a fifth of
// the time of a first cell.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace xcpp_session {

class LibrarySymbols {
public:
    // handle: of dlopen, not closed while this object lives.
    explicit LibrarySymbols(void* handle);

    // Bytes of the function or variable; 0: the library does not define it, or does not tell its
    // size.
    std::size_t size_of(const std::string& name) const;

private:
    const ElfW(Sym) * find(const std::string& name) const;

    const ElfW(Sym) * symbols_ = nullptr;
    const char* names_ = nullptr;
    // The table DT_GNU_HASH: a Bloom filter, buckets, and a chain of hashes beside the symbols.
    const ElfW(Addr) * bloom_ = nullptr;
    const std::uint32_t* buckets_ = nullptr;
    const std::uint32_t* chain_ = nullptr;
    std::uint32_t bucket_count_ = 0, first_symbol_ = 0, bloom_words_ = 0, bloom_shift_ = 0;
};

}  // namespace xcpp_session
