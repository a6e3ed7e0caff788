#include "code_lines.hpp"

#include "session/base/cell_names.hpp"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
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
    // section -> one of its functions that the JIT can look up by name. Places in local functions
    // are counted from its beginning.
    std::map<std::uint64_t, Anchor> anchors;
    std::map<std::uint64_t, std::set<std::uint64_t>>
        borders;  // section -> where functions begin, and where they have ended
};

// The object comes from our own compiler: reading it cannot fail.
Symbols symbols_of(const llvm::object::ELFObjectFileBase& object) {
    Symbols found;
    for (const llvm::object::ELFSymbolRef& symbol : object.symbols()) {
        const auto section = llvm::cantFail(symbol.getSection());
        if (llvm::cantFail(symbol.getType()) != llvm::object::SymbolRef::ST_Function ||
            section == object.section_end())
            continue;
        const std::uint64_t address = llvm::cantFail(symbol.getAddress());
        found.borders[section->getIndex()].insert({address, address + symbol.getSize()});
        if (llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Global)
            found.anchors.try_emplace(section->getIndex(),
                                      Anchor{llvm::cantFail(symbol.getName()).str(), address});
    }
    return found;
}

int cell_of_path(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return cell_of_file_name(slash == std::string::npos ? path : path.substr(slash + 1));
}

// Code of a header that was inlined into a cell gets the line of the cell that it was called from.
// A cell's own rows, those in `of_cells`, stay. Sections are compared as well as addresses (LLVM
// 19's getInliningInfoForAddress does not): in an object file each of them begins at 0.
void mark_inlined(const llvm::DWARFDie& die, const llvm::DWARFDebugLine::LineTable& table,
                  const ObjectPlaces& of_cells, ObjectPlaces& places) {
    using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
    for (const llvm::DWARFDie& child : die.children()) {
        const auto line =
            static_cast<int>(llvm::dwarf::toUnsigned(child.find(llvm::dwarf::DW_AT_call_line), 0));
        std::string name;
        const bool inlined =
            child.getTag() == llvm::dwarf::DW_TAG_inlined_subroutine && line != 0 &&
            table.getFileNameByIndex(
                llvm::dwarf::toUnsigned(child.find(llvm::dwarf::DW_AT_call_file), 0), "",
                Kind::RawValue, name);
        if (const int cell = inlined ? cell_of_path(name) : 0; cell != 0) {
            for (const auto& range : llvm::cantFail(child.getAddressRanges())) {
                const auto end = places.lower_bound({range.SectionIndex, range.HighPC});
                for (auto at = places.lower_bound({range.SectionIndex, range.LowPC}); at != end;
                     ++at)
                    if (of_cells.count(at->first) == 0) at->second = {cell, line};
            }
        }
        mark_inlined(child, table, of_cells, places);  // the innermost call counts
    }
}

}  // namespace

ObjectPlaces read_places(const llvm::object::ObjectFile& object, ObjectPlaces places) {
    ObjectPlaces of_cells;  // of several rows for one instruction that of a cell counts
    const auto context = llvm::DWARFContext::create(object);
    for (const auto& unit : context->compile_units()) {
        const auto* table = context->getLineTableForUnit(unit.get());
        if (!table) continue;
        std::unordered_map<std::uint64_t, int> cells;  // by file number
        for (const auto& row : table->Rows) {
            if (row.EndSequence || row.Line == 0) continue;  // line 0: the compiler's own
            auto [cell, fresh] = cells.try_emplace(row.File, 0);
            if (fresh) {
                std::string name;
                if (table->getFileNameByIndex(
                        row.File, "", llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue, name))
                    cell->second = cell_of_path(name);
            }
            const LineOfCell place{cell->second, static_cast<int>(row.Line)};
            const std::pair<std::uint64_t, std::uint64_t> address{row.Address.SectionIndex,
                                                                  row.Address.Address};
            places.try_emplace(address, place);
            if (place.cell != 0) of_cells[address] = place;
        }
        mark_inlined(unit->getUnitDIE(false), *table, of_cells, places);
    }
    for (const auto& [address, place] : of_cells) places[address] = place;
    return places;
}

std::vector<ObjectLine> read_object_lines(llvm::MemoryBufferRef buffer) {
    std::vector<ObjectLine> lines;
    const auto object = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(buffer));
    const Symbols symbols = symbols_of(llvm::cast<llvm::object::ELFObjectFileBase>(*object));
    ObjectPlaces marks;
    for (const auto& [section, borders] : symbols.borders)
        for (const std::uint64_t address : borders)
            marks[{section, address}] = {ObjectLine::border, 0};
    for (const auto& [address, place] : read_places(*object, std::move(marks)))
        if (const auto anchor = symbols.anchors.find(address.first);
            anchor != symbols.anchors.end())
            lines.push_back({anchor->second.function,
                             static_cast<std::int64_t>(address.second - anchor->second.begin),
                             place.cell, place.line});
    return lines;
}

}  // namespace xcpp_session
