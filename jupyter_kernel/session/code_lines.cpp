#include "code_lines.hpp"

#include "diagnostics.hpp"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ObjectFile.h"

#include <map>
#include <unordered_map>

namespace xcpp_session {
namespace {

struct Anchor {
    std::string function;
    std::uint64_t begin;
};

// section -> one of its functions that the JIT can look up by name. Local functions are told relative to it.
using Anchors = std::map<std::uint64_t, Anchor>;

Anchors anchors_of(const llvm::object::ObjectFile& object) {
    Anchors anchors;
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
        if (!(*flags & llvm::object::SymbolRef::SF_Global)) continue;
        anchors.try_emplace((*section)->getIndex(), Anchor{name->str(), *address});
    }
    return anchors;
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
    const Anchors anchors = anchors_of(**object);
    const auto context = llvm::DWARFContext::create(**object);
    for (const auto& unit : context->compile_units()) {
        const auto* table = context->getLineTableForUnit(unit.get());
        if (!table) continue;
        std::unordered_map<std::uint64_t, int> cells;  // by file number
        for (const auto& row : table->Rows) {
            if (row.EndSequence) continue;
            auto [cell, fresh] = cells.try_emplace(row.File, 0);
            if (fresh) {
                std::string name;
                if (table->getFileNameByIndex(row.File, "", llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue, name)) cell->second = cell_of_path(name);
            }
            int line = static_cast<int>(row.Line), of_cell = cell->second;
            if (of_cell == 0) cell_line_of_inlined(*context, row.Address, of_cell, line);
            const auto anchor = anchors.find(row.Address.SectionIndex);
            if (anchor == anchors.end() || row.Line == 0) continue;  // line 0: the compiler's own
            lines.push_back({anchor->second.function, static_cast<std::int64_t>(row.Address.Address - anchor->second.begin), of_cell, line});
        }
    }
    return lines;
}

}  // namespace xcpp_session
