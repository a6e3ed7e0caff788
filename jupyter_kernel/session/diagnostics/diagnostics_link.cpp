// What the JIT says about symbols that it cannot find.
#include "diagnostics.hpp"
#include "diagnostics_picture.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace xcpp_session {
namespace {

std::vector<std::string> missing_symbols(std::string_view text) {
    std::vector<std::string> symbols;
    const std::size_t at = text.find("Symbols not found: [");
    if (at == std::string_view::npos) return symbols;
    std::string_view list = text.substr(at + 20);
    list = list.substr(0, list.find(']'));
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        std::string_view name = list.substr(0, end);
        while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        if (!name.empty()) symbols.emplace_back(name);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return symbols;
}

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    return without_generated_names(status == 0 && text ? text.get() : symbol);
}

struct KnownLibrary {
    const char* prefix;
    const char* library;
};

constexpr KnownLibrary known_libraries[] = {
    {"cblas_", "libopenblas"}, {"LAPACKE_", "libopenblas"}, {"openblas_", "libopenblas"},
    {"omp_", "libomp"},        {"__kmpc_", "libomp"},       {"nvrtc", "libnvrtc"},
    {"cuda", "libcudart"},     {"png_", "libpng"}};

std::string advice(const std::string& symbol, const std::string& name) {
    for (const KnownLibrary& known : known_libraries)
        if (symbol.rfind(known.prefix, 0) == 0)
            return std::string("it is in a library that is not loaded: #pragma cling load(\"") +
                   known.library + "\")";
    if (name.rfind("vtable for ", 0) == 0 || name.rfind("typeinfo for ", 0) == 0)
        return "a virtual function of " + name.substr(name.find(" for ") + 5) +
               " has no body; define all of them (or = 0) in the cell of the class.";
    return "run a cell that defines it, or load the library that holds it: #pragma cling "
           "load(\"libname\")";
}

}  // namespace

CompileReport render_link_error(std::string_view text) {
    CompileReport report;
    const std::vector<std::string> symbols = missing_symbols(text);
    if (symbols.empty()) {
        report.evalue = without_generated_names(std::string(text.substr(0, text.find('\n'))));
        report.traceback = {headline({}, Level::error, without_generated_names(std::string(text)))};
        return report;
    }
    for (const std::string& symbol : symbols) {
        std::string name = demangled(symbol);
        constexpr std::string_view emulated = "__emutls_v.";
        const bool thread_local_variable = symbol.compare(0, emulated.size(), emulated) == 0;
        if (thread_local_variable)
            name = demangled(symbol.substr(emulated.size())) + " (thread_local)";
        const std::string what =
            name.rfind("vtable for ", 0) == 0 || name.rfind("typeinfo for ", 0) == 0
                ? name.substr(name.find(" for ") + 5) +
                      " has virtual functions that are declared but nowhere defined"
                : name + " is declared but nowhere defined";
        if (report.evalue.empty()) report.evalue = what;
        report.traceback.push_back(headline({}, Level::error, what));
        report.traceback.push_back(hint_line(advice(symbol, name)));
    }
    if (symbols.size() > 1)
        report.evalue += " (and " + std::to_string(symbols.size() - 1) + " more)";
    return report;
}

}  // namespace xcpp_session
