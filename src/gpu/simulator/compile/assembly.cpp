#include "assembly.hpp"

#include <cctype>
#include <set>
#include <sstream>

namespace lanes::gpu::simulator {

namespace {

constexpr const char* built_in_variables = R"(
	.data
	.p2align 4
	.globl lanes_indices
	.hidden lanes_built_in, lanes_thread_idx_, lanes_block_idx_, lanes_block_dim_, lanes_grid_dim_
	.globl lanes_built_in, lanes_thread_idx_, lanes_block_idx_, lanes_block_dim_, lanes_grid_dim_
	.type lanes_indices, @object
	.size lanes_indices, 48
lanes_indices:
lanes_built_in:
lanes_thread_idx_:
	.zero 12
lanes_block_idx_:
	.zero 12
lanes_block_dim_:
	.zero 12
lanes_grid_dim_:
	.zero 12
)";

bool starts(const std::string& line, const char* word) {
    return line.compare(1, std::string(word).size(), word) == 0;
}

// "       .comm   _ZZ…shared,512,32": g++ ignores the section of a __shared__ array in a template.
// In checked text a static variable, "       .comm   _ZL5table,40,4", gets a gap after it, too.
// Returns the line as it would have been with the section; "" for any other line.
std::string common_in_section(const std::string& line, std::string& name, bool checked) {
    if (!starts(line, ".comm")) return {};
    std::string words = line.substr(6);
    for (char& c : words)
        if (c == ',') c = ' ';
    std::istringstream parts(words);
    std::string bytes, alignment = "16";
    parts >> name >> bytes >> alignment;
    // The only variables inside functions are shared ones.
    const bool shared = name.rfind("_ZZ", 0) == 0;
    if (!shared && !(checked && name.rfind("_ZL", 0) == 0)) return {};
    // .globl, as .comm has it: on aarch64 binutils 2.40 gives all local symbols of a section one
    // entry of the global offset table, and two arrays would be one.
    return std::string("\t.pushsection ") +
           (shared ? "lanes_shared,\"aw\"" : ".bss,\"aw\",@nobits") + "\n\t.balign " + alignment +
           (shared ? "\n\t.globl " + name : "") + "\n\t.type " + name + ", @object\n\t.size " +
           name + ", " + bytes + "\n" + name + ":\n\t.zero " + bytes + "\n" +
           (checked ? "\t.zero 64\n" : "") + "\t.popsection\n";
}

bool in_symbol(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

// Adds the symbols of a line that mean a variable of this name, in any namespace: `s`, `_ZN1a1sE`.
// A name like a register's is found, too, in places where it is the register; this does no harm.
void find_symbols(const std::string& line, const std::string& name, std::set<std::string>& found) {
    const std::string mangled = std::to_string(name.size()) + name + "E";
    for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1)) {
        std::size_t first = at, last = at + name.size();
        while (first > 0 && in_symbol(line[first - 1])) --first;
        while (last < line.size() && in_symbol(line[last])) ++last;
        const std::string symbol = line.substr(first, last - first);
        const bool nested =
            symbol.rfind("_ZN", 0) == 0 && symbol.size() > mangled.size() &&
            symbol.compare(symbol.size() - mangled.size(), std::string::npos, mangled) == 0;
        if (symbol == name || nested) found.insert(symbol);
    }
}

}  // namespace

std::string with_gaps_and_names(const std::string& assembly, bool checked,
                                const std::vector<std::string>& dynamic_shared) {
    std::istringstream lines(assembly);
    std::string result;
    std::set<std::string> dynamic, defined;
    bool in_variables = false, object_open = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line[0] != '\t' && line[0] != ' ' && line[0] != '#') {
            if (const auto colon = line.find(':'); colon != std::string::npos) {
                defined.insert(line.substr(0, colon));
                object_open = in_variables;
            }
        } else if (line.size() > 1 && line[1] == '.') {
            const bool next =
                starts(line, ".section") || starts(line, ".text") || starts(line, ".data") ||
                starts(line, ".bss") || starts(line, ".type") || starts(line, ".p2align") ||
                starts(line, ".align") || starts(line, ".globl") || starts(line, ".weak");
            if (next && object_open && checked) result += "\t.zero 64\n";
            if (next) object_open = false;
            if (starts(line, ".section") || starts(line, ".text") || starts(line, ".data") ||
                starts(line, ".bss"))
                in_variables = starts(line, ".data") || starts(line, ".bss") ||
                               (line.find("lanes_shared") != std::string::npos &&
                                line.find("lanes_shared") < line.find(','));
            std::string name;
            if (const std::string shared = common_in_section(line, name, checked);
                !shared.empty()) {
                defined.insert(name);
                result += shared;
                continue;
            }
        }
        for (const std::string& name : dynamic_shared) find_symbols(line, name, dynamic);
        result += line;
        result += '\n';
    }
    for (const auto& name : dynamic)
        if (defined.count(name) == 0)
            result.append("\t.globl ")
                .append(name)
                .append("\n\t.hidden ")
                .append(name)
                .append("\n\t.set ")
                .append(name)
                .append(", lanes_dynamic_shared\n");
    if (checked) result += built_in_variables;
    return result;
}

}  // namespace lanes::gpu::simulator
