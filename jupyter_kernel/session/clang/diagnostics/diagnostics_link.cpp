// What the JIT says about symbols that it cannot find.
#include "diagnostics.hpp"
#include "diagnostics_picture.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>

namespace xcpp_session {
namespace {

std::vector<std::string> missing_symbols(llvm::StringRef text) {
    std::vector<std::string> symbols;
    const llvm::StringRef list = text.split("Symbols not found: [").second.split(']').first;
    for (const llvm::StringRef name : llvm::split(list, ','))
        if (!name.trim().empty()) symbols.push_back(name.trim().str());
    return symbols;
}

std::string demangled(const std::string& symbol) {
    return without_generated_names(llvm::demangle(symbol));
}

struct KnownLibrary {
    const char* prefix;
    const char* library;
};

constexpr KnownLibrary known_libraries[] = {
    {"cblas_", "libopenblas"}, {"LAPACKE_", "libopenblas"}, {"openblas_", "libopenblas"},
    {"omp_", "libomp"},        {"__kmpc_", "libomp"},       {"nvrtc", "libnvrtc"},
    {"cuda", "libcudart"},     {"png_", "libpng"}};

// Symbols of a class whose virtual functions are not all defined.
bool is_of_virtual_functions(llvm::StringRef name) {
    return name.starts_with("vtable for ") || name.starts_with("typeinfo for ");
}

std::string advice(llvm::StringRef symbol, const std::string& name) {
    for (const KnownLibrary& known : known_libraries)
        if (symbol.starts_with(known.prefix))
            return std::string("it is in a library that is not loaded: #pragma cling load(\"") +
                   known.library + "\")";
    if (is_of_virtual_functions(name))
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
        llvm::StringRef variable = symbol;
        const bool is_thread_local = variable.consume_front("__emutls_v.");
        const std::string name =
            demangled(variable.str()) + (is_thread_local ? " (thread_local)" : "");
        const std::string what =
            is_of_virtual_functions(name)
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
