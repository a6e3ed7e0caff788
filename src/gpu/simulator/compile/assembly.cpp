#include "assembly.hpp"

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
// Returns the line as it would have been with the section; "" for any other line.
std::string common_as_shared(const std::string& line, std::string& name, bool checked) {
    if (!starts(line, ".comm")) return {};
    std::string words = line.substr(6);
    for (char& c : words)
        if (c == ',') c = ' ';
    std::istringstream parts(words);
    std::string bytes, alignment = "16";
    parts >> name >> bytes >> alignment;
    // The only variables inside functions are shared ones.
    if (name.rfind("_ZZ", 0) != 0) return {};
    return "\t.pushsection lanes_shared,\"aw\"\n\t.balign " + alignment + "\n\t.type " + name +
           ", @object\n\t.size " + name + ", " + bytes + "\n" + name + ":\n\t.zero " + bytes +
           "\n" + (checked ? "\t.zero 64\n" : "") + "\t.popsection\n";
}

}  // namespace

std::string with_gaps_and_names(const std::string& assembly, bool checked) {
    std::istringstream lines(assembly);
    std::string result;
    std::set<std::string> hidden, defined;
    bool in_shared = false, object_open = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line[0] != '\t' && line[0] != ' ' && line[0] != '#') {
            if (const auto colon = line.find(':'); colon != std::string::npos) {
                defined.insert(line.substr(0, colon));
                object_open = in_shared;
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
                in_shared = line.find("lanes_shared") != std::string::npos &&
                            line.find("lanes_shared") < line.find(',');
            if (starts(line, ".hidden")) {
                std::istringstream words(line);
                std::string directive, name;
                words >> directive >> name;
                hidden.insert(name);
            }
            std::string name;
            if (const std::string shared = common_as_shared(line, name, checked); !shared.empty()) {
                defined.insert(name);
                result += shared;
                continue;
            }
        }
        result += line;
        result += '\n';
    }
    for (const auto& name : hidden)
        if (defined.count(name) == 0 && name.rfind("lanes_", 0) != 0 &&
            name.rfind("__sanitizer", 0) != 0 && name.rfind("__start_", 0) != 0 &&
            name.rfind("__stop_", 0) != 0)
            result.append("\t.globl ")
                .append(name)
                .append("\n\t.set ")
                .append(name)
                .append(", lanes_dynamic_shared\n");
    if (checked) result += built_in_variables;
    return result;
}

}  // namespace lanes::gpu::simulator
