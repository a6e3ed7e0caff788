#include "nothing_written.hpp"

#include "gpu/source/preprocessor.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {
namespace {

// The tokens between the braces of a __global__ function.
std::vector<Token> body_of(const CheckerContext& context) {
    std::string name = context.entry_name.substr(0, context.entry_name.find('<'));
    name = name.substr(name.rfind(':') + 1);
    const std::vector<Token> tokens =
        preprocess(context.program_text, context.program_flags).tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!tokens[i].is_identifier() || tokens[i].text != name || !tokens[i + 1].is("("))
            continue;
        std::size_t at = i + 1;
        const auto skip = [&](const char* open, const char* close) {
            for (int depth = 0; at < tokens.size(); ++at) {
                depth += tokens[at].is(open) ? 1 : tokens[at].is(close) ? -1 : 0;
                if (depth == 0) return;
            }
        };
        skip("(", ")");
        ++at;
        if (at >= tokens.size() || !tokens[at].is("{")) continue;
        const std::size_t first = at + 1;
        skip("{", "}");
        return {tokens.begin() + static_cast<std::ptrdiff_t>(first),
                tokens.begin() + static_cast<std::ptrdiff_t>(std::min(at, tokens.size()))};
    }
    return {};
}

// The line in which the body names it, preferably with a subscript; 0 if it never does.
int line_of(const std::vector<Token>& body, const std::string& name) {
    int line = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (!body[i].is_identifier() || body[i].text != name) continue;
        if (i + 1 < body.size() && body[i + 1].is("[")) return body[i].line;
        if (line == 0) line = body[i].line;
    }
    return line;
}

bool may_stop_itself(const std::vector<Token>& body) {
    return std::any_of(body.begin(), body.end(),
                       [](const Token& token) { return token.is("assert") || token.is("__trap"); });
}

}  // namespace

NothingWritten nothing_written(const std::vector<Region>& regions, const CheckerContext& context,
                               const AccessCheck& check) {
    NothingWritten result;
    std::vector<Region> outputs;
    for (const Region& region : regions)
        if (region.kind == Region::Kind::global && !region.read_only && region.bytes > 0 &&
            !check.is_written(region))
            outputs.push_back(region);
    const bool wrote = check.writes_anything();
    if (outputs.empty()) return result;
    const auto untouched = [&](const Region& region) {
        return region.holding == Holding::nothing && !check.read(region).any;
    };
    if (wrote)
        outputs.erase(std::remove_if(outputs.begin(), outputs.end(),
                                     [&](const Region& region) { return !untouched(region); }),
                      outputs.end());
    if (outputs.empty()) return result;

    const std::vector<Token> body = body_of(context);
    outputs.erase(
        std::remove_if(outputs.begin(), outputs.end(),
                       [&](const Region& region) { return line_of(body, region.name) == 0; }),
        outputs.end());
    if (outputs.empty()) return result;
    if (wrote) {
        for (const Region& region : outputs)
            result.hints.push_back(
                "no thread wrote to " + region.name +
                ", which holds nothing. Look at the conditions around it, unless that was meant.");
        return result;
    }

    const auto& scalars = context.arguments.scalars;
    const auto positive = [](const ScalarArgument& scalar) { return scalar.value > 0; };
    if (!scalars.empty() && std::none_of(scalars.begin(), scalars.end(), positive)) return result;
    if ((context.has_printed && context.has_printed()) || may_stop_itself(body)) return result;
    const bool explained =
        context.arguments.has_structs || !std::all_of(scalars.begin(), scalars.end(), positive);
    const bool empty = std::all_of(outputs.begin(), outputs.end(), [](const Region& region) {
        return region.holding == Holding::nothing;
    });
    if (!explained && (empty || !check.touches_anything())) {
        RawFinding finding;
        finding.kind = FindingKind::untouched_elements;
        finding.region = outputs.front();
        finding.first.line = line_of(body, outputs.front().name);
        finding.first.write = true;
        finding.untouched = outputs.front().bytes / outputs.front().element_bytes;
        finding.nothing_written = true;
        finding.nothing_touched = !check.touches_anything();
        result.findings.push_back(finding);
        return result;
    }
    result.hints.push_back(
        "no thread wrote anything, " + outputs.front().name +
        " is as it was. Look at the guard and the conditions, unless that was meant.");
    return result;
}

}  // namespace lanes::gpu::simulator
