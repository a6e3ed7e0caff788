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

// Every name that is declared with __shared__. `__shared__ float a[4], b[4][8];` declares a and b.
std::map<std::string, Declared> declared_names(const std::vector<Token>& tokens) {
    std::map<std::string, Declared> names;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
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

}  // namespace

bool has_dynamic_shared(const ProgramText& program) {
    for (const auto& [name, declared] :
         declared_names(preprocess(program.text, program.flags).tokens))
        if (declared.dynamic) return true;
    return false;
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

void describe_shared(const ProgramText& program, std::vector<Region>& regions) {
    const auto names = declared_names(preprocess(program.text, program.flags).tokens);
    for (auto& region : regions) {
        auto found = names.find(region.name);
        if (region.name.empty())
            for (auto it = names.begin(); it != names.end(); ++it)
                if (it->second.dynamic) found = it;
        if (found == names.end()) continue;
        region.name = found->first;
        if (found->second.tag.bytes > 0) region.element_bytes = found->second.tag.bytes;
        region.is_float = found->second.tag.kind == TypeTag::Kind::floating;
    }
    for (auto& region : regions) {
        if (region.name.empty()) region.name = "dynamic shared memory";
        if (region.element_bytes == 1 && region.bytes % 4 == 0 &&
            names.find(region.name) == names.end())
            region.element_bytes = 4;
    }
}

}  // namespace lanes::gpu::simulator
