// Reads the sections and symbols of a shared object, including the hidden ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::gpu::simulator {

struct ElfSection {
    std::string name;
    std::uint64_t address = 0;  // relative to the load address
    std::uint64_t bytes = 0;
    std::string_view content;  // points into the object; empty for .bss
    bool executable = false;
};

struct ElfSymbol {
    std::string name;           // mangled
    std::uint64_t address = 0;  // relative to the load address; 0 if it is not defined
    std::uint64_t bytes = 0;
    const ElfSection* section = nullptr;  // null if it is not defined
    bool is_variable = false;
    bool hidden = false;
    std::string file;  // of a local symbol: the source that it comes from; "" if not known
    bool is_read_only() const {
        return section && (section->name.rfind(".rodata", 0) == 0 ||
                           section->name.rfind(".data.rel.ro", 0) == 0);
    }
};

class Elf {
public:
    // 64 bits, this machine's byte order; throws Error for anything else. object must outlive it.
    explicit Elf(std::string_view object);
    const std::vector<ElfSection>& sections() const { return sections_; }
    const std::vector<ElfSymbol>& symbols() const { return symbols_; }

private:
    std::vector<ElfSection> sections_;
    std::vector<ElfSymbol> symbols_;
};

std::string demangled(const std::string& name);

}  // namespace lanes::gpu::simulator
