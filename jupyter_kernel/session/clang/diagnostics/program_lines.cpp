#include "program_lines.hpp"

#include "session/base/cell_names.hpp"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"

#include <filesystem>

namespace xcpp_session {

std::vector<CellLine> lines_of_cells(const std::string& program,
                                     const std::vector<std::uint64_t>& frames) {
    constexpr std::size_t most = 8;
    llvm::symbolize::LLVMSymbolizer symbolizer;
    std::vector<CellLine> lines;
    for (std::size_t i = 0; i < frames.size() && lines.size() < most; ++i) {
        // a return address is that of the instruction after the call
        const std::uint64_t address = frames[i] - (i == 0 ? 0 : 1);
        auto found = symbolizer.symbolizeInlinedCode(
            program, {address, llvm::object::SectionedAddress::UndefSection});
        if (!found) {
            llvm::consumeError(found.takeError());
            continue;
        }
        for (std::uint32_t k = 0; k < found->getNumberOfFrames(); ++k) {
            const llvm::DILineInfo& info = found->getFrame(k);
            const int cell =
                cell_of_file_name(std::filesystem::path(info.FileName).filename().string());
            const bool repeated =
                !lines.empty() && lines.back().cell == cell && lines.back().line == info.Line;
            if (cell > 0 && !repeated) lines.push_back({cell, info.Line});
        }
    }
    return lines;
}

}  // namespace xcpp_session
