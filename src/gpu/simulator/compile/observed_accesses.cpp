#include "observed_accesses.hpp"

#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace lanes::gpu::simulator {

namespace {

bool contains(const std::string& line, const char* word) {
    return line.find(word) != std::string::npos;
}

// "%struct.float4", "%struct.__half2" and the like: reading one is one instruction of a GPU.
bool is_vector(const std::string& type) {
    static const std::regex vector(
        R"(%struct\.((u?char|u?short|u?int|u?long|u?longlong|float|double)[24]|__half2?))");
    return std::regex_match(type, vector);
}

// One function of the text: what is known of its values.
struct Values {
    std::set<std::string> locals;  // addresses of local variables
    std::map<std::string, std::string>
        types;  // of local variables, and of what a pointer points to

    // Local variables, and constants that the compiler made to initialise them.
    bool is_local(const std::string& value) const {
        return locals.count(value) || value.rfind("@__const.", 0) == 0;
    }
    bool points_to_vector(const std::string& value) const {
        const auto found = types.find(value);
        return found != types.end() && is_vector(found->second);
    }

    void look_at(const std::string& line) {
        static const std::regex local(R"(^\s*(%[\w.]+) = alloca ([^,]+).*)"),
            element(
                R"(^\s*(%[\w.]+) = getelementptr (?:inbounds )?(?:nuw )?([^,]+), ptr [^,]+, i\d+ [^,]+(?:, !dbg.*)?$)");
        std::smatch found;
        if (line.rfind("define ", 0) == 0) {
            locals.clear();
            types.clear();
        } else if (contains(line, " = alloca ") && std::regex_match(line, found, local)) {
            locals.insert(found[1]);
            types[found[1]] = found[2];
        } else if (contains(line, " = getelementptr ") && std::regex_match(line, found, element)) {
            types[found[1]] = found[2];
        }
    }
};

// A hook that copies or fills memory, as other instructions; the line itself if it must stay.
std::string without_copy(const std::string& line, const Values& values) {
    static const std::regex copy(
        R"(^\s*(%[\w.]+) = call ptr @__tsan_mem(cpy|move)\(ptr (\S+), ptr (\S+), i64 (\d+)\)(.*)$)"),
        fill(R"(^\s*(%[\w.]+) = call ptr @__tsan_memset\(ptr (\S+), i32 (\d+), i64 (\d+)\)(.*)$)");
    std::smatch found;
    // The call has a result; values without a name are numbered without gaps.
    const auto as_result = [](const std::string& result, const std::string& address) {
        return "  " + result + " = getelementptr i8, ptr " + address + ", i64 0\n";
    };
    if (std::regex_match(line, found, copy)) {
        const std::string to = found[3], from = found[4], bytes = found[5], place = found[6];
        const bool local_to = values.is_local(to), local_from = values.is_local(from),
                   vector = values.points_to_vector(to) || values.points_to_vector(from);
        const auto size = std::stoul(bytes);
        const bool one_access = vector && (size == 2 || size == 4 || size == 8 || size == 16);
        if (!(local_to && local_from) && !one_access) return line + "\n";
        std::string result = as_result(found[1], to);
        if (!local_from)
            result += "  call void @__tsan_read" + bytes + "(ptr " + from + ")" + place + "\n";
        if (!local_to)
            result += "  call void @__tsan_write" + bytes + "(ptr " + to + ")" + place + "\n";
        return result + "  call void @llvm.memmove.p0.p0.i64(ptr " + to + ", ptr " + from +
               ", i64 " + bytes + ", i1 false)" + place + "\n";
    }
    if (std::regex_match(line, found, fill) && values.is_local(found[2])) {
        const std::string to = found[2];
        return as_result(found[1], to) + "  call void @llvm.memset.p0.i64(ptr " + to + ", i8 " +
               std::to_string(std::stoi(found[3]) % 256) + ", i64 " + found[4].str() +
               ", i1 false)" + found[5].str() + "\n";
    }
    return line + "\n";
}

// threadIdx, blockIdx, blockDim, gridDim: constants to the text (prelude/words.inc). clang knows it
// of their first component only.
bool is_hook_of_built_in(const std::string& line) {
    if (!contains(line, "call void @__tsan_read")) return false;
    for (const char* name :
         {"@lanes_thread_idx_", "@lanes_block_idx_", "@lanes_block_dim_", "@lanes_grid_dim_"})
        if (contains(line, name)) return true;
    return false;
}

// Attributes of functions. Without optimisation clang marks all of them as not to be inlined. Only
// those of the prelude need it: they are not instrumented, and their return addresses are places in
// the text. Their branches are not counted either.
std::string for_second_step(std::string attributes) {
    if (!contains(attributes, " sanitize_thread"))
        return attributes.replace(attributes.find('{'), 1, "{ nosanitize_coverage");
    const std::size_t word = attributes.find(" noinline");
    return word == std::string::npos ? attributes : attributes.erase(word, 9);
}

// #pragma unroll: a copy of the loop's body would be another instruction to the counters.
std::string without_unrolling(const std::string& metadata) {
    static const std::regex unroll(R"x(!"llvm\.loop\.unroll\.(enable|full|count)"(, i32 \d+)?)x");
    return std::regex_replace(metadata, unroll, "!\"llvm.loop.unroll.disable\"");
}

}  // namespace

std::string with_memory_hooks_only(const std::string& bitcode) {
    std::istringstream lines(bitcode);
    std::string result;
    result.reserve(bitcode.size());
    Values values;
    bool declares_move = false, declares_fill = false;
    for (std::string line; std::getline(lines, line);) {
        values.look_at(line);
        if (is_hook_of_built_in(line)) continue;
        declares_move = declares_move || contains(line, "declare void @llvm.memmove.p0.p0.i64(");
        declares_fill = declares_fill || contains(line, "declare void @llvm.memset.p0.i64(");
        if (contains(line, " = call ptr @__tsan_mem"))
            result += without_copy(line, values);
        else if (contains(line, "!\"llvm.loop.unroll."))
            result += without_unrolling(line) + "\n";
        else if (line.rfind("attributes #", 0) == 0)
            result += for_second_step(line) + "\n";
        else
            result += line + "\n";
    }
    if (!declares_move)
        result += "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1 immarg)\n";
    if (!declares_fill) result += "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)\n";
    return result;
}

}  // namespace lanes::gpu::simulator
