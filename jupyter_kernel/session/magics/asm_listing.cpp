#include "asm_listing.hpp"

#include "session/base/cell_names.hpp"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace xcpp_session {
namespace {

std::string line_of(const std::map<int, std::string>& sources, int cell, int line) {
    const auto source = sources.find(cell);
    if (source == sources.end()) return {};
    llvm::StringRef rest = source->second;
    for (int i = 1; i < line; ++i) rest = rest.split('\n').second;
    return rest.split('\n').first.rtrim().str();
}

}  // namespace

std::string asm_listing(const std::vector<FunctionCode>& functions,
                        const std::map<int, std::string>& sources) {
    constexpr std::size_t digits = 6;
    std::string text;
    for (const FunctionCode& function : functions) {
        text += (text.empty() ? "" : "\n") + function.name + "\n";
        int cell = 0, line = 0;
        for (const Instruction& one : function.instructions) {
            if (one.cell != 0 && (one.cell != cell || one.line != line)) {
                cell = one.cell;
                line = one.line;
                text += cell_file_name(cell) + ":" + std::to_string(line) + "  " +
                        line_of(sources, cell, line) + "\n";
            }
            const std::string offset = llvm::utohexstr(one.offset, true);
            text += std::string(digits - std::min(digits, offset.size()), ' ') + offset + "  " +
                    one.text + (one.refers_to.empty() ? "" : "  <" + one.refers_to + ">") + "\n";
        }
    }
    return text;
}

}  // namespace xcpp_session
