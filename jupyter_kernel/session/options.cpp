#include "options.hpp"

#include "session/process/memory_limit.hpp"

#include "llvm/ADT/StringRef.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

namespace xcpp_session {
namespace {

std::uint64_t bytes_from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text && *text ? read_bytes(name, text) : otherwise;
}

// Seconds, stretched by XCPP_SLOW as the front stretches them.
double seconds_from_environment(const char* name, double otherwise) {
    const auto number = [](const char* variable, double value) {
        const char* text = std::getenv(variable);
        const double found = text ? std::strtod(text, nullptr) : 0;
        return found > 0 ? found : value;
    };
    return number(name, otherwise) * number("XCPP_SLOW", 1);
}

// Cells of a text file, divided by lines of three hyphens.
std::vector<std::string> read_cells(const std::string& file) {
    std::vector<std::string> cells(1);
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (line == "---")
            cells.emplace_back();
        else
            cells.back() += line + "\n";
    }
    if (cells.back().empty()) cells.pop_back();
    return cells;
}

std::vector<std::string> read_words(const std::string& file) {
    std::vector<std::string> words;
    std::ifstream stream(file);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

const std::string standard_option = "-std=";

bool is_standard(const std::string& argument) {
    return argument.compare(0, standard_option.size(), standard_option) == 0;
}

void read_config(const std::string& file, SessionOptions& session,
                 std::vector<std::string>& arguments) {
    InterpreterOptions& options = session.interpreter;
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("--config: cannot read " + file);
    const auto config = nlohmann::json::parse(stream, nullptr, false);
    if (!config.is_object())
        throw std::runtime_error("--config: " + file + " holds no JSON object");
    const auto list = [&](const char* key) {
        std::vector<std::string> texts;
        if (config.contains(key)) texts = config.at(key).get<std::vector<std::string>>();
        return texts;
    };
    arguments = list("arguments");
    for (const auto& folder : list("includes")) arguments.push_back("-I" + folder);
    options.libraries = list("libraries");
    options.instantiations = list("instantiations");
    options.pch = config.value("pch", "");
    options.pch_header = config.value("pch_header", "");
    session.hints = config.value("hints", "");
    session.analysis = config.value("analysis", "");
    session.first_templates = read_words(config.value("first_templates", ""));
    session.first_cells = read_cells(config.value("first_cells", ""));
}

}  // namespace

std::uint64_t read_bytes(const std::string& name, const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const std::string unit = llvm::StringRef(end).upper();
    const std::size_t power = unit.empty() ? 0 : std::string_view(" KMGT").find(unit);
    if (end == text.c_str() || number < 0 || unit.size() > 1 || power == std::string_view::npos)
        throw std::runtime_error(
            name + "=" + text +
            ": not a size. Write bytes, or a number with K, M or G, such as 8G.");
    return static_cast<std::uint64_t>(std::ldexp(number, static_cast<int>(10 * power)));
}

SessionOptions read_options(int argc, char** argv) {
    SessionOptions options;
    std::vector<std::string> configured, further;
    std::string config;
    bool no_first_cells = false;
    const std::map<std::string, int*> descriptors = {{"--channel", &options.channel},
                                                     {"--page", &options.page}};
    const std::map<std::string, std::string*> texts = {
        {"--config", &config},
        {"--program", &options.program},
        {"-o", &options.program_file},
        {"--no-pch", &options.interpreter.pch_problem},
        {"--no-headers", &options.interpreter.header_problem}};
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 >= argc) throw std::runtime_error(word + ": its value is missing");
            return argv[++i];
        };
        if (const auto descriptor = descriptors.find(word); descriptor != descriptors.end())
            *descriptor->second = std::stoi(value());
        else if (const auto text = texts.find(word); text != texts.end())
            *text->second = value();
        else if (word == "--no-first-cells")
            no_first_cells = true;
        else if (word == "--prepare")
            options.prepare = true;
        else
            further.push_back(word);
    }
    if (config.empty()) {  // a kernelspec of the plain form: what was built beside us
        const auto program = std::filesystem::read_symlink("/proc/self/exe");
        const std::string beside = program.parent_path().parent_path() / "xcpp17.json";
        if (access(beside.c_str(), R_OK) == 0) config = beside;
    }
    if (!config.empty()) read_config(config, options, configured);
    const InterpreterOptions& interpreter = options.interpreter;
    options.again =
        no_first_cells || !interpreter.pch_problem.empty() || !interpreter.header_problem.empty();
    if (no_first_cells || !interpreter.header_problem.empty()) options.first_cells.clear();
    if (options.program.empty() && !options.prepare && (options.channel < 0 || options.page < 0))
        throw std::runtime_error("xcpp17-session is started by xcpp17, with --channel and --page");
    options.interpreter.arguments = std::move(configured);
    // The kernelspec names a standard, and so does the configuration, which was precompiled for it.
    for (const auto& word : further) {
        auto& arguments = options.interpreter.arguments;
        const auto configured_standard =
            std::find_if(arguments.begin(), arguments.end(), is_standard);
        if (!is_standard(word) || configured_standard == arguments.end()) {
            arguments.push_back(word);
        } else if (*configured_standard != word) {
            *configured_standard = word;
            options.standard = word.substr(standard_option.size());
        }
    }
    const char* compile_only = std::getenv("XCPP_COMPILE_ONLY");
    options.interpreter.compile_only = compile_only && *compile_only;
    options.memory = bytes_from_environment("XCPP_MEMORY", memory_limit() / 2);
    options.copy_limit = bytes_from_environment("XCPP_COPY_LIMIT", memory_limit() / 5 * 2);
    options.compile_seconds = seconds_from_environment("XCPP_COMPILE_TIMEOUT", 120);
    return options;
}

}  // namespace xcpp_session
