#include "prelude.hpp"

#include "gpu/simulator/memory/cell.hpp"

#include "gpu/source/signature.hpp"

#include <cctype>

namespace lanes::gpu::simulator {

namespace {

// Each piece is a raw string, so that #include embeds it in the library.
const char* const types =
#include "prelude/types.inc"
    ;
const char* const words =
#include "prelude/words.inc"
    ;
const char* const synchronisation =
#include "prelude/synchronisation.inc"
    ;
const char* const atomics =
#include "prelude/atomics.inc"
    ;
const char* const mathematics =
#include "prelude/math.inc"
    ;
const char* const memory =
#include "prelude/memory.inc"
    ;
const char* const entry_points =
#include "prelude/entries.inc"
    ;

#define LANES_RUNTIME(...) #__VA_ARGS__
const char* const runtime =
#include "gpu/simulator/interface/runtime.inc"
    ;
#undef LANES_RUNTIME

#define LANES_HOOK_TABLE(...) #__VA_ARGS__
const char* const hook_table =
#include "gpu/simulator/interface/hook_table.inc"
    ;
#undef LANES_HOOK_TABLE

std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') text += '\\';
        text += c == '\n' ? ' ' : c;
    }
    return text + '"';
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The position after a comment, string or character literal that starts at i; i if none does.
std::size_t behind_what_is_no_code(const std::string& text, std::size_t i) {
    const auto until = [&](const std::string& end, std::size_t from) {
        const std::size_t found = text.find(end, from);
        return found == std::string::npos ? text.size() : found + end.size();
    };
    if (text.compare(i, 2, "//") == 0) return until("\n", i);
    if (text.compare(i, 2, "/*") == 0) return until("*/", i + 2);
    if (text.compare(i, 2, "R\"") == 0) {
        const std::size_t open = text.find('(', i);
        return open == std::string::npos
                   ? text.size()
                   : until(")" + text.substr(i + 2, open - i - 2) + "\"", open);
    }
    if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
        std::size_t end = i + 1;
        while (end < text.size() && text[end] != text[i] && text[end] != '\n')
            end += text[end] == '\\' ? 2 : 1;
        return end + 1 < text.size() ? end + 1 : text.size();
    }
    return i;
}

bool names_a_function(const std::string& piece, const std::string& name) {
    for (std::size_t at = piece.find(name); at != std::string::npos;
         at = piece.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        // name##f( is part of a macro
        if ((at == 0 || (!is_word(piece[at - 1]) && piece[at - 1] != '#')) && end < piece.size() &&
            piece[end] == '(')
            return true;
    }
    return false;
}

// For a CUDA kernel named like a CUDA function, such as `max` or `log`: a cast that selects it by
// its parameters.
std::string disambiguated(const std::string& entry, const std::vector<Signature>& signatures) {
    bool known = false;
    for (const char* piece : {words, mathematics, synchronisation, atomics, memory})
        known = known || names_a_function(piece, entry);
    const auto signature = known ? find_signature(signatures, entry) : std::nullopt;
    if (!signature || signature->is_template) return entry;
    std::string types;
    for (const Parameter& parameter : signature->parameters)
        types += (types.empty() ? "" : ", ") + parameter.declaration;
    return "static_cast<void (*)(" + types + ")>(" + entry + ")";
}

}  // namespace

const char* const prelude_name = "CUDA dialect";

std::string with_dynamic_shared(const std::string& text) {
    const std::string shared = "__shared__", dynamic = "__dshared_";
    std::string result = text;
    bool declared_extern = false, declared_shared = false;
    std::size_t declared_static = std::string::npos;
    const auto blank_static = [&] {
        result.replace(declared_static, 6, 6, ' ');
    };  // the macro __shared__ contains `static`, and g++ accepts it only once
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t behind = behind_what_is_no_code(text, i); behind != i) {
            i = behind;
        } else if (is_word(text[i])) {
            std::size_t end = i;
            while (end < text.size() && is_word(text[end])) ++end;
            const std::string word = text.substr(i, end - i);
            if (word == "extern") declared_extern = true;
            if (word == "static") declared_static = i;
            if (word == shared) declared_shared = true;
            if ((word == "static" || word == shared) && declared_shared &&
                declared_static != std::string::npos)
                blank_static();
            if (word == shared && declared_extern) result.replace(i, shared.size(), dynamic);
            i = end;
        } else {
            if (text[i] == ';' || text[i] == '{' || text[i] == '}')
                declared_extern = declared_shared = false, declared_static = std::string::npos;
            ++i;
        }
    }
    return result;
}

std::string translation_unit(const std::string& text, const std::string& name,
                             const std::vector<std::string>& entries, int architecture,
                             UnitKind kind) {
    const bool checked = kind == UnitKind::checked, as_cuda = kind == UnitKind::as_cuda;
    std::string unit;
    if (checked) unit += "#define LANES_CHECKED 1\n";
    if (as_cuda) unit += "#define LANES_AS_CUDA 1\n#pragma clang force_cuda_host_device begin\n";
    unit += "#define __CUDA_ARCH__ " + std::to_string(architecture) + "0\n# 1 " +
            quoted(prelude_name) + "\n";
    unit += runtime;
    unit += '\n';
    if (checked)
        unit += std::string(hook_table) + "\n#define LANES_THREAD_SHIFT " +
                std::to_string(cell::thread_shift) + "\n";
    for (const char* piece : {types, words, mathematics, synchronisation, atomics, memory})
        unit += piece;
    if (as_cuda) unit += "#pragma clang force_cuda_host_device end\n";
    unit += "#line 1 " + quoted(name) + "\n";
    unit += text;
    unit += "\n#line 1 " + quoted(std::string(prelude_name) + ", entries") + "\n";
    if (!as_cuda) unit += entry_points;
    const std::vector<Signature> signatures =
        read_signatures(text, {"--gpu-architecture=sm_" + std::to_string(architecture)});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        // Errors in an entry are reported at the line that the student wrote.
        if (const auto signature = find_signature(signatures, entries[i]))
            unit += "#line " + std::to_string(signature->line) + " " + quoted(name) + "\n";
        const std::string number = std::to_string(i), entry = disambiguated(entries[i], signatures);
        unit.append(as_cuda ? "static auto* lanes_entry_" : "LANES_ENTRY(").append(number);
        unit.append(as_cuda ? " = " : ", ").append(entry).append(as_cuda ? ";\n" : ")\n");
    }
    return unit;
}

}  // namespace lanes::gpu::simulator
