#include "elf.hpp"

#include "lanes/base/error.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace lanes::gpu::simulator {

namespace {

[[noreturn]] void broken() {
    throw Error(
        "simulator: the compiler's shared object cannot be read. Delete the cache (LANES_CACHE) "
        "and try again.");
}

template <class T>
T at(std::string_view object, std::uint64_t offset) {
    if (offset > object.size() || object.size() - offset < sizeof(T)) broken();
    T value;
    std::memcpy(&value, object.data() + offset, sizeof value);
    return value;
}

std::string string_at(std::string_view strings, std::uint64_t offset) {
    if (offset >= strings.size()) return "";
    return {strings.data() + offset, strnlen(strings.data() + offset, strings.size() - offset)};
}

}  // namespace

Elf::Elf(std::string_view object) {
    const auto header = at<Elf64_Ehdr>(object, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
        broken();
    std::vector<Elf64_Shdr> headers;
    headers.reserve(header.e_shnum);
    for (unsigned i = 0; i < header.e_shnum; ++i)
        headers.push_back(
            at<Elf64_Shdr>(object, header.e_shoff + std::uint64_t(i) * sizeof(Elf64_Shdr)));
    const auto content = [&](const Elf64_Shdr& section) -> std::string_view {
        if (section.sh_type == SHT_NOBITS) return {};
        if (section.sh_offset > object.size() ||
            object.size() - section.sh_offset < section.sh_size)
            broken();
        return object.substr(section.sh_offset, section.sh_size);
    };
    if (header.e_shstrndx >= headers.size()) broken();
    const std::string_view names = content(headers[header.e_shstrndx]);
    sections_.reserve(headers.size());
    for (const auto& section : headers)
        sections_.push_back({string_at(names, section.sh_name), section.sh_addr, section.sh_size,
                             content(section), (section.sh_flags & SHF_EXECINSTR) != 0});
    for (const auto& table : headers) {
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= headers.size()) continue;
        const std::string_view symbols = content(table), strings = content(headers[table.sh_link]);
        std::string file;  // its local symbols follow it
        for (std::uint64_t offset = sizeof(Elf64_Sym); offset + sizeof(Elf64_Sym) <= symbols.size();
             offset += sizeof(Elf64_Sym)) {
            const auto symbol = at<Elf64_Sym>(symbols, offset);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FILE)
                file = string_at(strings, symbol.st_name);
            const bool local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL,
                       defined = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < sections_.size();
            symbols_.push_back({string_at(strings, symbol.st_name), symbol.st_value, symbol.st_size,
                                defined ? &sections_[symbol.st_shndx] : nullptr,
                                ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT,
                                ELF64_ST_VISIBILITY(symbol.st_other) == STV_HIDDEN,
                                local ? file : std::string()});
        }
    }
}

std::string demangled(const std::string& name) {
    if (name.compare(0, 2, "_Z") != 0) return name;  // "c" would become "char"
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? text.get() : name;
}

}  // namespace lanes::gpu::simulator
