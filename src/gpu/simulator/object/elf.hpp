// What a shared object says of itself: sections and symbols, the hidden ones too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::gpu::simulator {

struct ElfSection {
    std::string name;
    std::uint64_t address = 0;  // relative to where the object is loaded
    std::uint64_t bytes = 0;
    std::string_view content;  // points into the object; empty for .bss
    bool executable = false;
};

struct ElfSymbol {
    std::string name;           // mangled
    std::uint64_t address = 0;  // relative to where the object is loaded; 0 where it is not defined
    std::uint64_t bytes = 0;
    const ElfSection* section = nullptr;  // none where it is not defined
    bool is_variable = false;
    bool hidden = false;
    bool is_read_only() const {
        return section && (section->name.rfind(".rodata", 0) == 0 ||
                           section->name.rfind(".data.rel.ro", 0) == 0);
    }
};

class Elf {
public:
    explicit Elf(std::string_view object);  // 64 bits, this machine's byte order; throws Error for
                                            // anything else. object must outlive it.
    const std::vector<ElfSection>& sections() const { return sections_; }
    const std::vector<ElfSymbol>& symbols() const { return symbols_; }
    const ElfSection* section(std::string_view name) const;

private:
    std::vector<ElfSection> sections_;
    std::vector<ElfSymbol> symbols_;
};

std::string demangled(const std::string& name);

}  // namespace lanes::gpu::simulator
