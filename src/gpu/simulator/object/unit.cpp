#include "unit.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {

namespace {

// "void tile<16>(float*)::s" -> function "tile", variable "s"; "max_v1::s" likewise.
struct LocalName {
    std::string function, variable;
    std::string instance;  // the function with its template arguments, without blanks: "tile<16>"
};

std::string without_blanks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

// "void n::tile<16>(float*)" -> "tile<16>"
std::string instance_of(const std::string& function) {
    std::size_t first = 0, at = 0;
    int depth = 0;
    for (; at < function.size(); ++at) {
        if (function[at] == '<') ++depth;
        if (function[at] == '>') --depth;
        if (depth == 0 && function[at] == '(') break;
        if (depth == 0 && (function[at] == ' ' || function[at] == ':')) first = at + 1;
    }
    return without_blanks(function.substr(first, at - first));
}

LocalName local_name(const std::string& mangled) {
    const std::string text = demangled(mangled);
    const std::size_t last = text.rfind("::");
    if (last == std::string::npos) return {"", text, ""};
    std::string function = text.substr(0, last);
    const std::string instance = instance_of(function);
    function.resize(std::min(function.find('('), function.size()));
    function.resize(std::min(function.find('<'), function.size()));
    const std::size_t start = function.find_last_of(": ");
    return {start == std::string::npos ? function : function.substr(start + 1),
            text.substr(last + 2), instance};
}

std::string base_name(const std::string& expression) {
    const std::string before = expression.substr(0, expression.find('<'));
    const std::size_t colons = before.rfind("::");
    return colons == std::string::npos ? before : before.substr(colons + 2);
}

}  // namespace

int Unit::number_of(const std::string& entry) const {
    const auto found = std::find(entries_.begin(), entries_.end(), entry);
    return found == entries_.end() ? -1 : static_cast<int>(found - entries_.begin());
}

const Library& Unit::copy(int worker) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto index = static_cast<std::size_t>(worker);
    if (copies_.size() <= index) {
        copies_.resize(index + 1);
        seen_versions.resize(index + 1);
    }
    if (!copies_[index]) copies_[index] = std::make_unique<Library>(object_);
    return *copies_[index];
}

std::vector<const ElfSymbol*> Unit::shared_symbols(const std::string& entry,
                                                   const std::vector<Signature>& signatures) const {
    std::vector<const ElfSymbol*> symbols;
    const std::string own = base_name(entry), own_instance = instance_of(entry);
    const auto is_another_instance = [&](const std::string& instance) {
        return instance != own_instance &&
               std::any_of(entries_.begin(), entries_.end(),
                           [&](const auto& other) { return instance_of(other) == instance; });
    };
    for (const auto& symbol : elf_.symbols()) {
        // A symbol of 0 bytes is a marker of the linker.
        if (!symbol.section || symbol.section->name != "lanes_shared" || !symbol.is_variable ||
            symbol.bytes == 0)
            continue;
        const LocalName name = local_name(symbol.name);
        const bool of_another =
            name.function == own
                ? is_another_instance(name.instance)
                : std::any_of(signatures.begin(), signatures.end(),
                              [&](const auto& other) { return other.name == name.function; });
        if (!of_another) symbols.push_back(&symbol);
    }
    std::sort(symbols.begin(), symbols.end(),
              [](const auto* a, const auto* b) { return a->address < b->address; });
    return symbols;
}

std::vector<Region> Unit::shared_arrays(const Library& copy, const std::string& entry,
                                        const std::vector<Signature>& signatures) const {
    std::vector<Region> regions;
    for (const auto* symbol : shared_symbols(entry, signatures)) {
        Region region;
        region.kind = Region::Kind::shared;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): where the loader put it
        region.first = reinterpret_cast<const unsigned char*>(copy.base() + symbol->address);
        region.bytes = symbol->bytes;
        region.element_bytes = symbol->bytes % 4 == 0 ? 4 : 1;
        region.name = local_name(symbol->name).variable;
        regions.push_back(region);
    }
    return regions;
}

std::size_t Unit::shared_bytes(const std::string& entry,
                               const std::vector<Signature>& signatures) const {
    std::size_t bytes = 0;
    for (const auto* symbol : shared_symbols(entry, signatures))
        bytes = (bytes + 15) / 16 * 16 + symbol->bytes;
    return bytes;
}

const ElfSymbol* Unit::find_variable(const Variable& variable) const {
    for (const auto& symbol : elf_.symbols())
        if (symbol.section && symbol.is_variable &&
            (symbol.name == variable.name || demangled(symbol.name) == variable.qualified_name()))
            return &symbol;
    return nullptr;
}

}  // namespace lanes::gpu::simulator
