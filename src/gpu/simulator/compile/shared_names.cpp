#include "shared_names.hpp"

#include "gpu/source/preprocessor.hpp"
#include "gpu/source/type_names.hpp"

#include <map>
#include <string>

namespace lanes::gpu::simulator {

namespace {

struct Declared {
    TypeTag tag;
    bool dynamic = false;
};

using Names = std::map<std::string, Declared>;

// Every name that is declared with __shared__ from token `begin` to `end`. `__shared__ float a[4],
// b[4][8];` declares a and b.
Names declared_names(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
    Names names;
    for (std::size_t i = begin; i < end; ++i) {
        if (!tokens[i].is("__shared__")) continue;
        bool dynamic = false;
        for (std::size_t before = i; before > 0; --before) {
            const Token& token = tokens[before - 1];
            if (token.is(";") || token.is("{") || token.is("}")) break;
            dynamic = dynamic || token.is("extern");
        }
        std::vector<Token> type;
        std::string last;
        bool in_type = true;
        int depth = 0;
        for (++i; i < tokens.size() && !tokens[i].is(";"); ++i) {
            const Token& token = tokens[i];
            if (token.is("(") || token.is("[") || token.is("<")) ++depth;
            const bool ends = depth <= 1 && (token.is("[") || token.is(",") || token.is("="));
            if (ends && depth == (token.is("[") ? 1 : 0) && !last.empty()) {
                if (in_type && !type.empty()) type.pop_back();
                in_type = false;
                names[last] = {tag_of_spelling(spelled(type, 0, type.size())), dynamic};
                last.clear();
            }
            if (token.is(")") || token.is("]") || token.is(">")) --depth;
            if (depth == 0 && token.is_identifier() && !token.is("const") &&
                !token.is("volatile") && !token.is("__align__") && !token.is("alignas")) {
                last = token.text;
                if (in_type) type.push_back(token);
            }
        }
        if (!last.empty()) {
            if (in_type && !type.empty()) type.pop_back();
            names[last] = {tag_of_spelling(spelled(type, 0, type.size())), dynamic};
        }
    }
    return names;
}

// The names that the body of this __global__ function declares.
Names names_in_body(const std::vector<Token>& tokens, const std::string& entry) {
    std::string name = entry.substr(0, entry.find('<'));
    name = name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
    bool global = false;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}")) global = false;
        global = global || tokens[i].is("__global__");
        if (!global || !tokens[i].is(name.c_str()) || !tokens[i + 1].is("(")) continue;
        while (i < tokens.size() && !tokens[i].is("{") && !tokens[i].is(";")) ++i;
        std::size_t end = i;
        for (int depth = 0; end < tokens.size(); ++end) {
            if (tokens[end].is("{")) ++depth;
            if (tokens[end].is("}")) --depth;
            if (depth <= 0) break;
        }
        if (end > i) return declared_names(tokens, i, end);
    }
    return {};
}

// What a message can say about all of these arrays, which begin at the same address.
struct Dynamic {
    int count = 0;
    std::string name;
    std::size_t element_bytes = 0;
    bool is_float = true;
};

Dynamic dynamic_of(const Names& names) {
    Dynamic all;
    for (const auto& [name, declared] : names) {
        if (!declared.dynamic) continue;
        all.element_bytes =
            all.count == 0 || all.element_bytes == declared.tag.bytes ? declared.tag.bytes : 0;
        all.is_float = all.is_float && declared.tag.kind == TypeTag::Kind::floating;
        all.name = all.count++ == 0 ? name : "dynamic shared memory";
    }
    return all;
}

}  // namespace

std::vector<std::string> dynamic_shared_names(const ProgramText& program) {
    const std::vector<Token> tokens = preprocess(program.text, program.flags).tokens;
    std::vector<std::string> dynamic;
    for (const auto& [name, declared] : declared_names(tokens, 0, tokens.size()))
        if (declared.dynamic) dynamic.push_back(name);
    return dynamic;
}

bool has_other_arrays(const ProgramText& program) {
    const std::vector<Token> tokens = preprocess(program.text, program.flags).tokens;
    const auto ends = [&](std::size_t i) {
        return tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}");
    };
    for (std::size_t first = 0; first < tokens.size(); ++first) {
        std::size_t last = first;
        int depth = 0;
        bool elsewhere = false, declares = false;
        for (; last < tokens.size() && !ends(last); ++last) {
            const Token& token = tokens[last];
            if (token.is("(") || token.is("[")) ++depth;
            // The last part of a for() has a closing bracket without an opening one.
            if ((token.is(")") || token.is("]")) && depth > 0) --depth;
            elsewhere = elsewhere || token.is("__shared__") || token.is("__constant__") ||
                        token.is("__device__") || token.is("return");
            // `float a[4]`, `int i = 0, a[4]`, `Pair<int> a[4]`
            const bool named = last > first && token.is_identifier() && last + 1 < tokens.size() &&
                               tokens[last + 1].is("[") && depth == 0;
            if (!named) continue;
            const Token& before = tokens[last - 1];
            declares = declares ||
                       (before.is_identifier() && !before.is("else") && !before.is("do")) ||
                       before.is(",") || (before.is(">") && tokens[first + 1].is("<"));
        }
        if (declares && !elsewhere) return true;
        first = last;
    }
    return false;
}

void describe_shared(const ProgramText& program, const std::string& entry,
                     std::vector<Region>& regions) {
    const std::vector<Token> tokens = preprocess(program.text, program.flags).tokens;
    const Names own = names_in_body(tokens, entry), all = declared_names(tokens, 0, tokens.size());
    const Dynamic in_body = dynamic_of(own),
                  dynamic = in_body.count > 0 ? in_body : dynamic_of(all);
    for (auto& region : regions) {
        if (region.name.empty()) {
            region.name = dynamic.count > 0 ? dynamic.name : "dynamic shared memory";
            region.element_bytes = dynamic.element_bytes > 0 ? dynamic.element_bytes
                                   : region.bytes % 4 == 0   ? 4
                                                             : 1;
            region.is_float = dynamic.count > 0 && dynamic.is_float;
            continue;
        }
        const Names& names = own.count(region.name) > 0 ? own : all;
        const auto found = names.find(region.name);
        if (found == names.end()) continue;
        if (found->second.tag.bytes > 0) region.element_bytes = found->second.tag.bytes;
        region.is_float = found->second.tag.kind == TypeTag::Kind::floating;
    }
}

}  // namespace lanes::gpu::simulator
