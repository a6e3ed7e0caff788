#include "unsupported.hpp"

#include "gpu/source/diagnostics.hpp"
#include "gpu/source/lexer.hpp"
#include "gpu/source/preprocessor.hpp"

#include "lanes/gpu/program.hpp"

#include <set>
#include <vector>

namespace lanes::gpu::simulator {

namespace {

struct Unsupported {
    const char* prefix;  // of an identifier
    const char* sentence;
};

constexpr Unsupported all[] = {
    {"tex1D", "textures are not on the simulator. Read the image through a pointer."},
    {"tex2D", "textures are not on the simulator. Read the image through a pointer."},
    {"tex3D", "textures are not on the simulator. Read the volume through a pointer."},
    {"cudaTextureObject_t", "textures are not on the simulator. Read the image through a pointer."},
    {"cudaSurfaceObject_t", "surfaces are not on the simulator. Write through a pointer."},
    {"surf1D", "surfaces are not on the simulator. Write through a pointer."},
    {"surf2D", "surfaces are not on the simulator. Write through a pointer."},
    {"surf3D", "surfaces are not on the simulator. Write through a pointer."},
    {"texture", "textures are not on the simulator. Read the image through a pointer."},
    {"nvcuda",
     "wmma (tensor cores) is not on the simulator. Write the product with fma, or run this CUDA "
     "kernel on a GPU."},
    {"wmma",
     "wmma (tensor cores) is not on the simulator. Write the product with fma, or run this CUDA "
     "kernel on a GPU."},
    {"__nv_bfloat16",
     "bfloat16 is not on the simulator. Use float or half, or run this CUDA kernel on a GPU."},
    {"asm",
     "inline PTX is not on the simulator. Use the function of CUDA C++ that does the same, or run "
     "this CUDA kernel on a GPU."},
    {"__pipeline",
     "asynchronous copies are not on the simulator. Copy with plain assignments and "
     "__syncthreads()."},
    {"curand",
     "curand is not on the simulator. Give random numbers in a buffer, or write a small generator "
     "in the CUDA kernel."},
    {"__managed__", "managed memory is not on the simulator. Pass a Buffer."},
    {"__cluster_dims__", "clusters of blocks are not on the simulator. Use blocks alone."},
    {"this_cluster", "clusters of blocks are not on the simulator. Use blocks alone."},
    {"cluster_group", "clusters of blocks are not on the simulator. Use blocks alone."},
    {"__nv_fp8", "8-bit floats are not on the simulator. Use float or half."},
    {"memcpy_async",
     "asynchronous copies are not on the simulator. Copy with plain assignments and "
     "__syncthreads()."},
    {"thrust",
     "Thrust is not on the simulator. Write the CUDA kernel itself, or run this program on a GPU."},
    {"cub",
     "CUB is not on the simulator. Write the step itself with shared memory and warp functions, or "
     "run this program on a GPU."},
    {"cuda",
     "cuda:: (libcu++) is not on the simulator. Use CUDA C++ itself: __syncthreads(), atomicAdd() "
     "and the like, or run this program on a GPU."},
    {"cudaLaunchDevice",
     "a CUDA kernel that launches another one is not on the simulator. Launch both from the "
     "host."},
    {"malloc",
     "an allocation inside a CUDA kernel is not on the simulator. Pass a Buffer that is large "
     "enough."},
    {"free",
     "an allocation inside a CUDA kernel is not on the simulator. Pass a Buffer that is large "
     "enough."},
    {"cudaMalloc", "the text of a Program holds device code only. Use Buffer in the C++ cell."},
    {"cudaMemcpy",
     "the text of a Program holds device code only. Use Buffer::upload and Buffer::download in the "
     "C++ cell."},
    {"cudaFree",
     "the text of a Program holds device code only. A Buffer frees its memory by itself."},
    {"cudaDeviceSynchronize",
     "the text of a Program holds device code only; launch() waits for the CUDA kernel."},
    {"__shfl",
     "warp functions without a mask are gone from CUDA. Add _sync and the mask of the lanes that "
     "take part: __shfl_sync(0xffffffff, value, lane)."},
    {"__shfl_up",
     "warp functions without a mask are gone from CUDA. Add _sync and the mask of the lanes that "
     "take part: __shfl_up_sync(0xffffffff, value, 1)."},
    {"__shfl_down",
     "warp functions without a mask are gone from CUDA. Add _sync and the mask of the lanes that "
     "take part: __shfl_down_sync(0xffffffff, value, 1)."},
    {"__shfl_xor",
     "warp functions without a mask are gone from CUDA. Add _sync and the mask of the lanes that "
     "take part: __shfl_xor_sync(0xffffffff, value, 1)."},
    {"__ballot",
     "warp functions without a mask are gone from CUDA. Add _sync and the mask of the lanes that "
     "take part: __ballot_sync(0xffffffff, condition)."},
    {"__any",
     "warp functions without a mask are gone from CUDA. Add _sync and the mask of the lanes that "
     "take part: __any_sync(0xffffffff, condition)."},
    {"__all",
     "warp functions without a mask are gone from CUDA. Add _sync and the mask of the lanes that "
     "take part: __all_sync(0xffffffff, condition)."},
    {"rand",
     "the host's random numbers are not there for device code. Give them in a Buffer, or write a "
     "small generator (xorshift) in the CUDA kernel."},
    {"std",
     "the standard library is not there for device code. Use CUDA's functions and plain arrays."},
};

bool is_one(const std::string& word, const Unsupported& item) {
    const std::string prefix = item.prefix;
    static const std::set<std::string> whole = {
        "asm",          "free",         "malloc",        "std",       "wmma",
        "__shfl",       "texture",      "thrust",        "cub",       "cuda",
        "memcpy_async", "this_cluster", "cluster_group", "__shfl_up", "__shfl_down",
        "__shfl_xor",   "__ballot",     "__any",         "__all",     "rand"};
    return whole.count(prefix) ? word == prefix : word.rfind(prefix, 0) == 0;
}

// Names of variables: `const int free = …` is not an allocation.
std::set<std::string> variables_of(const std::vector<Token>& tokens) {
    static const std::set<std::string> no_types = {"return",   "else",     "case",     "goto",
                                                   "const",    "static",   "inline",   "extern",
                                                   "volatile", "typename", "constexpr"};
    std::set<std::string> names;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const Token& before = tokens[i - 1];
        if (tokens[i].is_identifier() && before.is_identifier() &&
            tokens[i].text.rfind("__", 0) != 0 && before.text.rfind("__", 0) != 0 &&
            no_types.count(before.text) == 0)
            names.insert(tokens[i].text);
    }
    return names;
}

}  // namespace

std::string unsupported_words(const std::string& text, const std::string& name) {
    std::string said;
    std::set<std::string> sentences;
    const auto say = [&](const Token& token, const std::string& what, const char* sentence) {
        if (sentences.insert(sentence).second)
            said += name + ":" + std::to_string(token.line) + ": " + what + ": " + sentence + "\n";
    };
    const std::vector<Token> tokens = tokenize(text);
    const std::set<std::string> variables = variables_of(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.is_identifier() && variables.count(token.text) == 0)
            for (const auto& item : all)
                if (is_one(token.text, item)) say(token, token.text, item.sentence);
        // `<<<` may be one token or several.
        const bool arrows = token.is("<<<") ||
                            (i + 2 < tokens.size() && token.is("<") && tokens[i + 1].is("<") &&
                             tokens[i + 2].is("<")) ||
                            (i + 1 < tokens.size() && token.is("<<") && tokens[i + 1].is("<"));
        if (arrows)
            say(token, "<<<…>>>",
                "a launch does not belong into the text of a Program, and CUDA kernels that launch "
                "others are not on the simulator. Use launch() in the C++ "
                "cell.");
    }
    return said;
}

namespace {

[[noreturn]] void refuse_line(const ProgramText& program, int line, const std::string& message) {
    throw CudaCompileError(
        "Program: " + program.name + " does not compile for the simulator, 1 error.\n" +
            show_errors(program.name, program.text, {{program.name, line, 0, message}}),
        message);
}

// The name of a __global__ function, and whether void precedes it. `from` is the first token of the
// declaration.
struct Declared {
    std::size_t name = 0;
    bool is_void = false;
};

Declared declared(const std::vector<Token>& tokens, std::size_t from) {
    Declared found{from, false};
    for (std::size_t at = from; at < tokens.size() && !tokens[at].is("{") && !tokens[at].is(";");
         ++at) {
        // The parameter list of a template may contain anything.
        found.is_void = found.is_void || tokens[at].is("void") || tokens[at].is("auto") ||
                        tokens[at].is("template");
        if (at + 1 < tokens.size() && tokens[at].is_identifier() && tokens[at + 1].is("(") &&
            tokens[at].text.rfind("__", 0) != 0) {
            found.name = at;
            break;
        }
    }
    return found;
}

void refuse_references(const ProgramText& program, const std::vector<Token>& tokens,
                       std::size_t name) {
    int depth = 0;
    for (std::size_t at = name + 1; at < tokens.size(); ++at) {
        if (tokens[at].is("(")) ++depth;
        if (tokens[at].is(")") && --depth == 0) return;
        if (depth == 1 && (tokens[at].is("&") || tokens[at].is("&&")) && at + 1 < tokens.size() &&
            tokens[at + 1].is_identifier())
            refuse_line(program, tokens[at].line,
                        "the parameter " + tokens[at + 1].text + " of " + tokens[name].text +
                            " is a reference, which cannot reach from the host to a GPU. Take a "
                            "value, or a pointer and pass a Buffer");
    }
}

// Refuses a __shared__ variable with an initial value: on a GPU nothing could set it before a block
// begins.
void refuse_shared_values(const ProgramText& program, const std::vector<Token>& tokens,
                          std::size_t from) {
    std::size_t name = from;
    int depth = 0;
    for (std::size_t at = from + 1; at < tokens.size() && !(depth == 0 && tokens[at].is(";"));
         ++at) {
        if (tokens[at].is("struct") || tokens[at].is("union") || tokens[at].is("class")) return;
        if (tokens[at].is("[") || tokens[at].is("(")) ++depth;
        if (tokens[at].is("]") || tokens[at].is(")")) --depth;
        if (depth == 0 && tokens[at].is_identifier()) name = at;
        if (depth == 0 && (tokens[at].is("=") || tokens[at].is("{")))
            refuse_line(program, tokens[name].line,
                        "the __shared__ variable " + tokens[name].text +
                            " cannot be given a value where it is declared: let threads set it, "
                            "then __syncthreads()");
    }
}

}  // namespace

void refuse_what_is_no_cuda(const ProgramText& program) {
    const std::vector<Token> tokens = preprocess(program.text, program.flags).tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        // new (place) T allocates nothing.
        if (tokens[i].is("new") && i + 1 < tokens.size() && tokens[i + 1].is_identifier() &&
            !(i > 0 && tokens[i - 1].is("operator")))
            refuse_line(program, tokens[i].line,
                        "new: an allocation inside a CUDA kernel is not on the simulator. Pass a "
                        "Buffer that is large enough");
        if (tokens[i].is("delete") && i > 0 && !tokens[i - 1].is("=") &&
            !tokens[i - 1].is("operator"))
            refuse_line(program, tokens[i].line,
                        "delete: memory cannot be freed inside a CUDA kernel on the simulator, and "
                        "not be allocated there. Pass a Buffer that is large enough");
        if (tokens[i].is("thread_local"))
            refuse_line(program, tokens[i].line,
                        "thread_local is not there for device code: a local variable already "
                        "belongs to its thread alone");
        if (tokens[i].is("__shared__")) refuse_shared_values(program, tokens, i);
        if (tokens[i].is("__syncthreads") && i + 1 < tokens.size() && tokens[i + 1].is(";"))
            refuse_line(program, tokens[i].line,
                        "__syncthreads without parentheses does nothing. Write __syncthreads()");
        if (!tokens[i].is("__global__")) continue;
        const auto begins = [&](std::size_t at) {
            return at == 0 || tokens[at - 1].is(";") || tokens[at - 1].is("}") ||
                   tokens[at - 1].is("{");
        };
        std::size_t first = i;
        while (!begins(first)) --first;
        const Declared function = declared(tokens, first);
        if (function.name == first) continue;
        if (!function.is_void)
            refuse_line(
                program, tokens[function.name].line,
                "a __global__ function returns void, and " + tokens[function.name].text +
                    " does not. Write __global__ void, and let it write its results into a Buffer");
        refuse_references(program, tokens, function.name);
    }
}

}  // namespace lanes::gpu::simulator
