#include "library_symbols.hpp"

#include <dlfcn.h>

namespace xcpp_session {
namespace {

std::uint32_t gnu_hash(const std::string& name) {
    std::uint32_t hash = 5381;
    for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
    return hash;
}

}  // namespace

LibrarySymbols::LibrarySymbols(void* handle) {
    link_map* map = nullptr;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || !map) return;
    const std::uint32_t* table = nullptr;
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        // NOLINTBEGIN(performance-no-int-to-ptr): the loader has put addresses there
        if (entry->d_tag == DT_SYMTAB)
            symbols_ = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_STRTAB) names_ = reinterpret_cast<const char*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_GNU_HASH)
            table = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr);
        // NOLINTEND(performance-no-int-to-ptr)
    }
    if (!table || !symbols_ || !names_) return;
    bucket_count_ = table[0];
    first_symbol_ = table[1];
    bloom_words_ = table[2];
    bloom_shift_ = table[3];
    bloom_ = reinterpret_cast<const ElfW(Addr)*>(table + 4);
    buckets_ = reinterpret_cast<const std::uint32_t*>(bloom_ + bloom_words_);
    chain_ = buckets_ + bucket_count_;
}

const ElfW(Sym) * LibrarySymbols::find(const std::string& name) const {
    if (bucket_count_ == 0 || bloom_words_ == 0) return nullptr;
    constexpr std::uint32_t bits = 8 * sizeof(ElfW(Addr));
    const std::uint32_t hash = gnu_hash(name);
    const ElfW(Addr) word = bloom_[hash / bits % bloom_words_];
    if (((word >> (hash % bits)) & (word >> ((hash >> bloom_shift_) % bits)) & 1) == 0)
        return nullptr;
    std::uint32_t index = buckets_[hash % bucket_count_];
    if (index < first_symbol_) return nullptr;
    for (;; ++index) {
        const std::uint32_t other = chain_[index - first_symbol_];
        if ((other | 1) == (hash | 1) && name == names_ + symbols_[index].st_name)
            return &symbols_[index];
        if (other & 1) return nullptr;  // the end of the chain
    }
}

std::size_t LibrarySymbols::size_of(const std::string& name) const {
    const ElfW(Sym)* symbol = find(name);
    return symbol && symbol->st_shndx != SHN_UNDEF ? symbol->st_size : 0;
}

}  // namespace xcpp_session
