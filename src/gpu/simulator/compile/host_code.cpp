#include "host_code.hpp"

#include <regex>
#include <sstream>

namespace lanes::gpu::simulator {

namespace {

struct Use {
    CompileMessage place;  // file, line and column; the text is clang's
    bool judged = false;
};

std::string matched(const std::string& text, const char* pattern) {
    std::smatch found;
    return std::regex_search(text, found, std::regex(pattern)) ? found[1].str() : "";
}

// "plain" for "no matching function for call to 'plain'"
std::string function_of(const std::string& error) {
    if (const std::string name = matched(error, "for call to '([^']*)'"); !name.empty())
        return "the function " + name;
    if (const std::string name = matched(error, "reference to __host__ function '([^']*)'");
        !name.empty())
        return "the function " + name;
    if (const std::string type = matched(error, "constructor for initialization of '([^']*)'");
        !type.empty())
        return "the constructor of " + type;
    return "the operator";
}

std::string place_text(const CompileMessage& use, const std::string& file, int line) {
    return (file == use.file ? "" : file + ", ") + "line " + std::to_string(line);
}

std::string function_text(const CompileMessage& use, const std::string& file, int line) {
    return function_of(use.text) + " is called here, in code of the device, but " +
           place_text(use, file, line) +
           " declares it without __device__: it exists on the host only. Write __device__ before "
           "it, or __host__ __device__ if the host calls it, too";
}

std::string variable_text(const CompileMessage& use, const std::string& file, int line) {
    return "the variable " + matched(use.text, "'([^']*)'") +
           " is used here, in code of the device, but " + place_text(use, file, line) +
           " declares it without __device__: it exists on the host only. Write __device__ before "
           "it, __constant__ if only the host sets it, or pass its value as an argument";
}

// Mistakes that clang names completely.
std::string other_text(const std::string& error) {
    if (error.find("dynamic initialization is not supported") != std::string::npos)
        return "a __device__ or __constant__ variable can only be given a value that the compiler "
               "knows. Set it in a CUDA kernel, or from the host with "
               "Program::variable(name).upload(values)";
    if (error.find("not allowed on non-static local variables") != std::string::npos)
        return "__constant__ and __device__ variables are declared outside of all functions. Move "
               "it there; a variable of one thread needs neither word";
    return "";
}

}  // namespace

std::vector<CompileMessage> host_code_in_device_code(const std::string& log,
                                                     const std::set<std::string>& files) {
    static const std::regex message(R"(^(.*?):(\d+):(\d+): (error|note): (.*)$)");
    std::vector<CompileMessage> errors;
    std::set<std::pair<std::string, int>> reported;
    Use use;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (!std::regex_match(line, found, message)) continue;
        const std::string file = found[1], text = found[5];
        const int number = std::stoi(found[2]);
        if (found[4] == "error") {
            use = {{file, number, std::stoi(found[3]), text}, false};
            const std::string other = other_text(text);
            if (!other.empty() && files.count(file) > 0)
                errors.push_back({file, number, use.place.column, other});
            continue;
        }
        const auto says = [](const std::string& where, const char* part) {
            return where.find(part) != std::string::npos;
        };
        const bool function =
            says(text, "call to __host__ function from") ||
            (says(use.place.text, "reference to __host__ function") && says(text, "declared here"));
        const bool variable = says(text, "host variable declared here");
        if (use.judged || !(function || variable) || files.count(use.place.file) == 0) continue;
        use.judged = true;
        if (files.count(file) == 0 || !reported.insert({file, number}).second) continue;
        errors.push_back({use.place.file, use.place.line, use.place.column,
                          function ? function_text(use.place, file, number)
                                   : variable_text(use.place, file, number)});
    }
    return errors;
}

}  // namespace lanes::gpu::simulator
