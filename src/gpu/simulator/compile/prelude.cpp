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
        unit += as_cuda ? "static auto* lanes_entry_" + number + " = " + entry + ";\n"
                        : "LANES_ENTRY(" + number + ", " + entry + ")\n";
    }
    return unit;
}

const std::vector<HeaderFile>& header_files() {
    // The prelude already contains these functions. A C++ header also adds them to std::.
    static const char* const nothing = "#pragma once\n";
    static const char* const mathematics_c =
        "#pragma once\n#define INFINITY __builtin_inff()\n#define NAN "
        "__builtin_nanf(\"\")\n#define HUGE_VALF INFINITY\n#define HUGE_VAL __builtin_inf()\n"
        "#define M_PI 3.14159265358979323846\n#define M_PI_2 1.57079632679489661923\n#define M_E "
        "2.7182818284590452354\n#define M_SQRT2 "
        "1.41421356237309504880\n"
        "#define M_LN2 0.69314718055994530942\n";
    static const char* const mathematics_cpp =
        "#pragma once\n#include <math.h>\nnamespace std {\nusing ::abs; using ::fabs; using "
        "::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1; "
        "using ::log;\n"
        "using ::log2; using ::log10; using ::log1p; using ::pow; using ::sin; using ::cos; using "
        "::tan; using ::asin; using ::acos; using ::atan; using "
        "::atan2;\n"
        "using ::sinh; using ::cosh; using ::tanh; using ::floor; using ::ceil; using ::trunc; "
        "using ::round; using ::rint; using ::fmod; using ::fmin; using "
        "::fmax;\n"
        "using ::fma; using ::hypot; using ::erf; using ::erfc; using ::isnan; using ::isinf; "
        "using ::isfinite; using ::min; using ::max;\n}\n";
    static const char* const constants =
        "#pragma once\n#define CUDART_INF_F __builtin_inff()\n#define CUDART_NAN_F "
        "__builtin_nanf(\"\")\n#define CUDART_INF __builtin_inf()\n#define "
        "CUDART_NAN __builtin_nan(\"\")\n"
        "#define CUDART_PI_F 3.141592654f\n#define CUDART_PI 3.1415926535897931\n#define "
        "CUDART_MAX_NORMAL_F 3.402823466e+38f\n";
    static const std::vector<HeaderFile> all = {
        {"cuda_runtime.h", nothing},
        {"cuda_runtime_api.h", nothing},
        {"device_launch_parameters.h", nothing},
        {"cuda.h", nothing},
        {"vector_types.h", nothing},
        {"vector_functions.h", nothing},
        {"device_functions.h", nothing},
        {"sm_60_atomic_functions.h", nothing},
        {"device_atomic_functions.h", nothing},
        {"stdio.h", nothing},
        {"cstdio", "#pragma once\nnamespace std { using ::printf; }\n"},
        {"new", nothing},
        {"assert.h", nothing},
        {"cassert", nothing},
        {"math.h", mathematics_c},
        {"cmath", mathematics_cpp},
        {"math_constants.h", constants},
        {"cooperative_groups.h",
         "#error \"cooperative_groups: not on the simulator. Use __syncthreads(), __syncwarp() and "
         "the _sync warp functions.\"\n"},
        {"mma.h",
         "#error \"wmma (tensor cores): not on the simulator. Write the product with fma, or run "
         "this CUDA kernel on a GPU.\"\n"},
        {"cuda_fp16.h",
         "#error \"half precision: not on the simulator. Use float, or run this CUDA kernel on a "
         "GPU.\"\n"},
        {"cuda_bf16.h",
         "#error \"bfloat16: not on the simulator. Use float, or run this CUDA kernel on a "
         "GPU.\"\n"},
        {"cuda_fp8.h",
         "#error \"8-bit floats: not on the simulator. Use float, or run this CUDA kernel on a "
         "GPU.\"\n"},
        {"cuda_pipeline.h",
         "#error \"asynchronous copies: not on the simulator. Copy with plain assignments and "
         "__syncthreads().\"\n"},
        {"texture_fetch_functions.h",
         "#error \"textures: not on the simulator. Read the image through a pointer.\"\n"},
        {"curand_kernel.h",
         "#error \"curand: not on the simulator. Give random numbers in a buffer, or write a small "
         "generator (xorshift) in the CUDA kernel.\"\n"},
    };
    static const std::vector<HeaderFile> with_refused = [] {
        std::vector<HeaderFile> headers = all;
        for (const char* name :
             {"algorithm", "array",   "atomic",        "chrono",        "complex",
              "deque",     "fstream", "functional",    "iostream",      "list",
              "map",       "memory",  "mutex",         "numeric",       "queue",
              "random",    "set",     "sstream",       "stack",         "string",
              "thread",    "tuple",   "unordered_map", "unordered_set", "vector"})
            headers.push_back({name,
                               "#error \"the standard library's containers, algorithms and streams "
                               "are not there for device code. Use plain arrays, shared "
                               "memory, a Buffer, and CUDA's own functions.\"\n"});
        return headers;
    }();
    return with_refused;
}

}  // namespace lanes::gpu::simulator
