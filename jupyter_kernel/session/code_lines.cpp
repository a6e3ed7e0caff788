#include "code_lines.hpp"

#include "diagnostics.hpp"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"

#include <map>
#include <set>
#include <unordered_map>

namespace xcpp_session {
namespace {

struct Anchor {
    std::string function;
    std::uint64_t begin;
};

struct Symbols {
    // section -> one of its functions that the JIT can look up by name. Local functions are told relative to it.
    std::map<std::uint64_t, Anchor> anchors;
    std::map<std::uint64_t, std::set<std::uint64_t>> borders;  // section -> where functions begin, and where they have ended
};

Symbols symbols_of(const llvm::object::ObjectFile& object) {
    Symbols found;
    for (const auto& symbol : object.symbols()) {
        auto type = symbol.getType();
        auto flags = symbol.getFlags();
        auto section = symbol.getSection();
        auto name = symbol.getName();
        auto address = symbol.getAddress();
        const bool readable = bool(type) && bool(flags) && bool(section) && bool(name) && bool(address);
        if (!type) llvm::consumeError(type.takeError());
        if (!flags) llvm::consumeError(flags.takeError());
        if (!section) llvm::consumeError(section.takeError());
        if (!name) llvm::consumeError(name.takeError());
        if (!address) llvm::consumeError(address.takeError());
        if (!readable || *type != llvm::object::SymbolRef::ST_Function || *section == object.section_end()) continue;
        const std::uint64_t size = object.isELF() ? llvm::object::ELFSymbolRef(symbol).getSize() : 0;
        found.borders[(*section)->getIndex()].insert({*address, *address + size});
        if (*flags & llvm::object::SymbolRef::SF_Global) found.anchors.try_emplace((*section)->getIndex(), Anchor{name->str(), *address});
    }
    return found;
}

int cell_of_path(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return cell_of_file_name(slash == std::string::npos ? path : path.substr(slash + 1));
}

// Code of a header that was inlined into a cell: the line of the cell that it was called from.
void cell_line_of_inlined(llvm::DWARFContext& context, llvm::object::SectionedAddress address, int& cell, int& line) {
    using Kind = llvm::DILineInfoSpecifier;
    const auto frames = context.getInliningInfoForAddress(address, Kind(Kind::FileLineInfoKind::RawValue, Kind::FunctionNameKind::None));
    for (std::uint32_t i = 0; i < frames.getNumberOfFrames(); ++i) {
        const auto& frame = frames.getFrame(i);
        const int found = cell_of_path(frame.FileName);
        if (found == 0 || frame.Line == 0) continue;
        cell = found;
        line = static_cast<int>(frame.Line);
        return;
    }
}

}  // namespace

std::vector<ObjectLine> read_object_lines(llvm::MemoryBufferRef buffer) {
    std::vector<ObjectLine> lines;
    auto object = llvm::object::ObjectFile::createObjectFile(buffer);
    if (!object) {
        llvm::consumeError(object.takeError());
        return lines;
    }
    const Symbols symbols = symbols_of(**object);
    // By section and address: of several rows for one instruction that of a cell counts.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<int, int>> places;
    for (const auto& [section, borders] : symbols.borders)
        for (const std::uint64_t address : borders) places[{section, address}] = {ObjectLine::border, 0};
    const auto context = llvm::DWARFContext::create(**object);
    for (const auto& unit : context->compile_units()) {
        const auto* table = context->getLineTableForUnit(unit.get());
        if (!table) continue;
        std::unordered_map<std::uint64_t, int> cells;  // by file number
        for (const auto& row : table->Rows) {
            if (row.EndSequence || row.Line == 0) continue;  // line 0: the compiler's own
            auto [cell, fresh] = cells.try_emplace(row.File, 0);
            if (fresh) {
                std::string name;
                if (table->getFileNameByIndex(row.File, "", llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue, name)) cell->second = cell_of_path(name);
            }
            int line = static_cast<int>(row.Line), of_cell = cell->second;
            if (of_cell == 0) cell_line_of_inlined(*context, row.Address, of_cell, line);
            const auto place = places.try_emplace({row.Address.SectionIndex, row.Address.Address}, of_cell, line).first;
            if (of_cell != 0) place->second = {of_cell, line};
        }
    }
    for (const auto& [address, place] : places)
        if (const auto anchor = symbols.anchors.find(address.first); anchor != symbols.anchors.end())
            lines.push_back({anchor->second.function, static_cast<std::int64_t>(address.second - anchor->second.begin), place.first, place.second});
    return lines;
}

}  // namespace xcpp_session
