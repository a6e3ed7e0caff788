#include "race_advice.hpp"

#include "gpu/simulator/object/loops.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace lanes::gpu::simulator {

std::string line_of_text(const std::string& text, int line) {
    std::istringstream in(text);
    std::string found;
    for (int i = 0; i < line; ++i)
        if (!std::getline(in, found)) return "";
    return found;
}

std::string guard_advice(const CheckerContext& context, int line) {
    // Two comparisons with bounds that have names: x < 0 || y < 0 is no guard of this kind.
    static const std::regex guard(
        R"(\bif\s*\(\s*[^()<>|&=]*(<|>=)\s*[A-Za-z_][^()<>|&]*(&&|\|\|)[^()<>|&=]*(<|>=)\s*[A-Za-z_][^()<>|&]*\)(.*))");
    for (int above = line; above > std::max(0, line - 8); --above) {
        std::string text = line_of_text(context.program_text, above);
        text = text.substr(0, text.find("//"));
        std::smatch found;
        if (!std::regex_search(text, found, guard) || found[1] != found[3]) {
            if (text.find("__global__") != std::string::npos) break;
            continue;
        }
        const std::string next =
            found[4].str() + " " + line_of_text(context.program_text, above + 1);
        const bool leaves = has_word(next, "return") || has_word(next, "continue");
        if (leaves && found[1] == ">=" && found[2] == "&&")
            return "Line " + std::to_string(above) +
                   " lets a thread go only if both comparisons hold. One that is outside in "
                   "one direction has no element either: write || in place of &&.";
        if (!leaves && found[1] == "<" && found[2] == "||")
            return "Line " + std::to_string(above) +
                   " lets a thread in if one of the two comparisons holds. It has an element only "
                   "if both hold: write && in place of ||.";
    }
    return "";
}

namespace {

std::string line_name(int line) { return "line " + std::to_string(line); }

bool has_barrier_between(const CheckerContext& context, int first, int last) {
    for (int line = first; line <= last; ++line)
        if (line_of_text(context.program_text, line).find("__syncthreads") != std::string::npos)
            return true;
    return false;
}

bool names_a_loop(const std::string& line) {
    for (const char* word : {"for", "while", "do"}) {
        const std::size_t at = line.find(word), length = std::string(word).size();
        if (at == std::string::npos ||
            (at > 0 &&
             (std::isalnum(static_cast<unsigned char>(line[at - 1])) || line[at - 1] == '_')))
            continue;
        const std::size_t after = line.find_first_not_of(' ', at + length);
        if (after != std::string::npos && (line[after] == '(' || line[after] == '{')) return true;
    }
    return false;
}

// Whether the statement continues on the next line: `for (…)` without a brace.
bool ends_open(const std::string& line) {
    const std::size_t last = line.find_last_not_of(" \t");
    return last != std::string::npos && line[last] == ')';
}

// Whether a loop begins on this line, on the line before without a brace, or around it. Looks only
// at lines and braces.
bool is_in_loop(const CheckerContext& context, int line) {
    if (names_a_loop(line_of_text(context.program_text, line))) return true;
    int depth = 0;
    for (int above = line - 1; above > 0; --above) {
        const std::string text = line_of_text(context.program_text, above);
        const int before = depth;
        for (auto c = text.rbegin(); c != text.rend(); ++c)
            depth += *c == '}' ? 1 : *c == '{' ? -1 : 0;
        if (depth < before && depth < 0) {
            if (names_a_loop(text)) return true;
            depth = 0;  // left one block: look at the enclosing one
        } else if (above == line - 1 && ends_open(text) && names_a_loop(text)) {
            return true;
        }
    }
    return false;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The position after the next occurrence of a name, searching from `from`; npos if there is none.
std::size_t after_name(const std::string& text, const std::string& name, std::size_t from = 0) {
    for (std::size_t at = text.find(name, from); at != std::string::npos && !name.empty();
         at = text.find(name, at + 1))
        if ((at == 0 || !is_word(text[at - 1])) &&
            (at + name.size() == text.size() || !is_word(text[at + name.size()])))
            return at + name.size();
    return std::string::npos;
}

// The position of the operator with which the line adds to the object; npos if it does not. `for
// (…; i += step) y[i] = 0` adds only to i.
std::size_t adding_operator(const std::string& line, const std::string& object) {
    const auto is_sign = [&](std::size_t at) {
        return at != std::string::npos &&
               (line.compare(at, 2, "+=") == 0 || line.compare(at, 2, "-=") == 0 ||
                line.compare(at, 2, "++") == 0 || line.compare(at, 2, "--") == 0);
    };
    bool named = false;
    for (std::size_t after = after_name(line, object); after != std::string::npos;
         after = after_name(line, object, after)) {
        named = true;
        const std::size_t name = after - object.size(),
                          before =
                              name > 0 ? line.find_last_not_of(" *(", name - 1) : std::string::npos;
        if (before != std::string::npos && before > 0 && is_sign(before - 1) && line[before] != '=')
            return before - 1;
        std::size_t end = after;
        for (int depth = 0; end < line.size() && (depth > 0 || line[end] == '['); ++end)
            depth += line[end] == '[' ? 1 : line[end] == ']' ? -1 : 0;
        if (const std::size_t sign = line.find_first_not_of(" )", end); is_sign(sign)) return sign;
    }
    for (std::size_t at = 0; !named && at + 1 < line.size(); ++at)  // through another name
        if (is_sign(at)) return at;
    return std::string::npos;
}

// Whether both sides belong to `y[k] += …` itself; a read on its right-hand side does not.
bool adds_to_one_element(const RawFinding& raw, const CheckerContext& context) {
    if (raw.first.line != raw.second.line) return false;
    const std::size_t sign =
        adding_operator(line_of_text(context.program_text, raw.first.line), raw.region.name);
    if (sign == std::string::npos) return false;
    const auto is_right_of_it = [&](const RawSide& side) {
        return !side.write && side.column > 0 && static_cast<std::size_t>(side.column) - 1 > sign;
    };
    return !is_right_of_it(raw.first) && !is_right_of_it(raw.second);
}

// Whether all threads use the same element in this line: *out, out[0], out[blockIdx.x].
bool is_one_for_all(const std::string& line, const std::string& name) {
    const std::size_t after = after_name(line, name);
    if (after == std::string::npos) return false;
    if (after == line.size() || line[after] != '[') return true;
    const std::string index = line.substr(after + 1, line.find(']', after) - after - 1);
    return index == "blockIdx.x" ||
           (!index.empty() && index.find_first_not_of("0123456789") == std::string::npos);
}

// Whether one side compares with the element and the other replaces it: `if (v > *out) *out = v`,
// `*out = max(*out, v)`.
bool keeps_the_largest(const RawFinding& raw, const CheckerContext& context) {
    const RawSide &write = raw.first.write ? raw.first : raw.second,
                  &read = raw.first.write ? raw.second : raw.first;
    if (read.write || write.line < read.line || write.line > read.line + 2) return false;
    const std::string compares = line_of_text(context.program_text, read.line),
                      writes = line_of_text(context.program_text, write.line);
    const auto has = [&](const char* what) { return compares.find(what) != std::string::npos; };
    if (!has("max(") && !has("min(") && !has("fmaxf(") && !has("fminf(") &&
        !((has("if") || has("?")) && (has("<") || has(">"))))
        return false;
    return is_one_for_all(compares, raw.region.name) && is_one_for_all(writes, raw.region.name);
}

// "tile[T + 2][T + 1]" if the text declares a shared array of several dimensions with this name;
// otherwise "".
std::string declared_with_rows(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find("__shared__"); at != std::string::npos;
         at = text.find("__shared__", at + 1)) {
        const std::size_t end = text.find(';', at), after = after_name(text, name, at);
        if (after >= end) continue;
        std::size_t last = after;
        int dimensions = 0;
        for (; last < end && text[last] == '['; ++dimensions) last = text.find(']', last) + 1;
        if (dimensions > 1) return name + text.substr(after, last - after);
    }
    return "";
}

std::string same_element_advice(const RawFinding& raw, const CheckerContext& context,
                                const LaunchConfig& config) {
    const bool between_blocks = raw.first.place.block_number != raw.second.place.block_number;
    const bool one_for_all =
        is_one_for_all(line_of_text(context.program_text, raw.first.line), raw.region.name);
    if (raw.region.kind == Region::Kind::global)
        if (const std::string guard = guard_advice(context, raw.first.line); !guard.empty())
            return guard;
    const std::string in = " in " + line_name(raw.first.line);
    const std::string rest =
        ": let one of them do it, give each its own element, or use an atomic operation.";
    if (raw.region.kind == Region::Kind::global && !one_for_all &&
        (config.grid.y > 1 || config.block.y > 1))
        return "Several threads write the same element" + in +
               ". Is the index row * columns + column, and are both guarded, if (row < rows && "
               "column < columns)? Otherwise use an atomic operation.";
    if (between_blocks && raw.region.kind == Region::Kind::global && !one_for_all)
        return "Threads of several blocks write the same element" + in +
               ". Does every thread have its own index, blockIdx.x * blockDim.x + threadIdx.x, and "
               "a loop over the grid its step, gridDim.x * blockDim.x? "
               "Otherwise use an atomic operation.";
    const std::string array = raw.region.kind == Region::Kind::shared
                                  ? declared_with_rows(context.program_text, raw.region.name)
                                  : "";
    if (!array.empty())
        return "Several threads write the same element" + in +
               ": does an index run beyond its row of " + array + "? Otherwise" + rest.substr(1);
    return "Several threads write the same element" + in + rest;
}

std::string mixed_advice(const RawFinding& raw, bool between_blocks) {
    const RawSide& plain = raw.first.atomic ? raw.second : raw.first;
    const RawSide& atomic = raw.first.atomic ? raw.first : raw.second;
    const std::string start = "The access in " + line_name(plain.line) + " is not atomic: ";
    const std::string name = raw.region.name.empty() ? "it" : raw.region.name;
    if (between_blocks && plain.write)
        return start + "give " + name +
               " its first value before the launch (Buffer::zeros), or use an atomic operation "
               "there too.";
    if (between_blocks)
        return start + "other blocks may still change " + name +
               " when it is read. Read it in a launch of its own, or use what the atomic operation "
               "itself gives back.";
    const std::string barrier = "put __syncthreads() between " +
                                line_name(std::min(plain.line, atomic.line)) + " and " +
                                line_name(std::max(plain.line, atomic.line));
    return start + barrier +
           (plain.write ? ", or use an atomic operation there too."
                        : ", or use what the atomic operation itself gives back.");
}

std::string between_blocks_advice(const RawFinding& raw, const CheckerContext& context) {
    const std::string name = raw.region.name.empty() ? "it" : raw.region.name;
    if (raw.first.write && raw.second.write)
        return "__syncthreads() does not order blocks: give each block elements of " + name +
               " of its own, combine by an atomic operation, or make two launches of it.";
    if (uses_result(context.program_text) || has_word(context.program_text, "volatile"))
        return "__syncthreads() does not order blocks. If an atomic operation or a volatile flag "
               "signals to the other block that the value is there, add __threadfence() before it, "
               "after " +
               line_name(raw.first.write ? raw.first.line : raw.second.line) + ".";
    return name +
           " is read by one block and written by another, and __syncthreads() does not order "
           "blocks: write the results to another buffer than " +
           name + ", or make two launches of it.";
}

}  // namespace

bool has_word(const std::string& text, const std::string& word) {
    return after_name(text, word) != std::string::npos;
}

// Without std::regex: this runs on the small stack of a CUDA thread.
bool assigns_constant(const std::string& line) {
    const std::string operators = "=!<>+-*/%&|^";
    for (std::size_t at = line.find('='); at != std::string::npos; at = line.find('=', at + 1)) {
        if (at == 0 || operators.find(line[at - 1]) != std::string::npos) continue;
        const std::size_t first = line.find_first_not_of(" -", at + 1);
        if (first == std::string::npos) continue;
        std::size_t end = first;
        bool lower = false;
        for (; end < line.size() && (is_word(line[end]) || line[end] == '.'); ++end)
            lower = lower || std::islower(static_cast<unsigned char>(line[end]));
        const std::string value = line.substr(first, end - first);
        const bool constant =
            !value.empty() && (std::isdigit(static_cast<unsigned char>(value[0])) ||
                               value == "true" || value == "false" || !lower);
        const std::size_t next = line.find_first_not_of(' ', end);
        if (constant && next != std::string::npos && line[next] == ';') return true;
    }
    return false;
}

bool uses_result(const std::string& line) {
    const std::string operation = "atomic";
    for (std::size_t at = line.find(operation); at != std::string::npos;
         at = line.find(operation, at + 1)) {
        const std::size_t before = at ? line.find_last_not_of(" \n\t", at - 1) : std::string::npos;
        if (before == std::string::npos || (is_word(line[at - 1]))) continue;
        if (std::string("=([,+-*/%!<>&|?:").find(line[before]) != std::string::npos) return true;
        if (before >= 5 && line.compare(before - 5, 6, "return") == 0) return true;
    }
    return false;
}

std::string race_advice(const RawFinding& raw, const CheckerContext& context,
                        const LaunchConfig& config) {
    const int first = std::min(raw.first.line, raw.second.line),
              last = std::max(raw.first.line, raw.second.line);
    const bool between_blocks = raw.first.place.block_number != raw.second.place.block_number;
    const bool same_warp = !between_blocks && raw.first.place.thread_number / 32 ==
                                                  raw.second.place.thread_number / 32;
    const std::string name = raw.region.name.empty() ? "it" : raw.region.name;
    const std::string element = raw.region.name.empty() ? "it" : raw.region.name + "[...]";
    if (raw.first.atomic != raw.second.atomic) return mixed_advice(raw, between_blocks);
    if (adds_to_one_element(raw, context)) {
        // y[i] += … of two blocks: more often a wrong index than a sum.
        const bool own_index =
            between_blocks && raw.region.kind == Region::Kind::global &&
            !is_one_for_all(line_of_text(context.program_text, first), raw.region.name);
        return "Several threads add to the same element: use atomicAdd(&" + element + ", ...) in " +
               line_name(first) +
               (own_index ? ". Or should each thread have its own elements? Then its first index "
                            "is blockIdx.x * blockDim.x + threadIdx.x, and the step of a loop over "
                            "the grid is gridDim.x * blockDim.x."
                          : ".");
    }
    if (keeps_the_largest(raw, context))
        return "Several threads compare with the same element and replace it: use atomicMax or "
               "atomicMin" +
               std::string(raw.region.is_float
                               ? ", which exist for integers only: for float a loop "
                                 "around atomicCAS, or one result per block first."
                               : "(&" + element + ", ...) in " + line_name(last) + ".");
    if (first == last && raw.first.write && raw.second.write)
        return same_element_advice(raw, context, config);
    if (between_blocks && config.cooperative && first != last)
        return "__syncthreads() does not order blocks. This launch is cooperative: put sync() of "
               "this_grid() between " +
               line_name(first) + " and " + line_name(last) + ".";
    if (between_blocks || raw.blocks_race_too) return between_blocks_advice(raw, context);
    if (first != last && raw.first.write && raw.second.write &&
        raw.region.kind == Region::Kind::global)
        return "Two threads write the same element, in " + line_name(first) + " and in " +
               line_name(last) +
               ": let one of them leave it out, by an if. If the later value is to stay, put "
               "__syncthreads() between the lines.";
    const std::string barrier =
        same_warp ? "__syncthreads(), or __syncwarp() where all of them are in one warp,"
                  : "__syncthreads()";
    if (first == last && is_in_loop(context, first))
        return "Put " + barrier + " between what writes " + element + " and what reads it in " +
               line_name(first) + ": at the end of each turn of the loop.";
    if (first == last)
        return line_name(first).replace(0, 1, "L") + " reads " + name +
               " and writes it: keep what is read in a variable, then " + barrier +
               " and only then write. Another array for the results will do as well.";
    if (has_barrier_between(context, first, last) &&
        (!same_warp || are_in_one_loop(context.program_text, first, last)))
        return "Add " + barrier + " after " + line_name(last) + ", before the loop comes back to " +
               line_name(first) + ".";
    return "Add " + barrier + " between " + line_name(first) + " and " + line_name(last) + ".";
}

}  // namespace lanes::gpu::simulator
