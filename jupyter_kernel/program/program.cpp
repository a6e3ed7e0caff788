#include "xcpp/program.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <typeinfo>

#include <cxxabi.h>

namespace xcpp::program {
namespace {

const char* notebook_name = "notebook";
int last_cell = 0;  // whose statements were run last

std::string name_of_current_exception() {
    const auto* type = abi::__cxa_current_exception_type();
    if (!type) return "an unknown exception";
    int status = 0;
    char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    std::string name = readable ? readable : type->name();
    std::free(readable);
    return name;
}

void report(const std::string& where) {
    std::string words;
    try {
        throw;
    } catch (const std::exception& error) {
        words = std::string(": ") + error.what();
    } catch (...) {
        words.clear();
    }
    std::cout << std::flush;
    std::fflush(stdout);
    std::fprintf(stderr, "%s, %s: %s%s\n", notebook_name, where.c_str(),
                 name_of_current_exception().c_str(), words.c_str());
}

[[noreturn]] void on_terminate() {
    if (std::current_exception())
        report(last_cell == 0 ? "before the first statement"
                              : "after the statements of code cell " + std::to_string(last_cell));
    else
        std::fprintf(stderr, "%s: std::terminate was called\n", notebook_name);
    std::_Exit(1);
}

}  // namespace

bool start(const char* notebook) {
    notebook_name = notebook;
    std::set_terminate(on_terminate);
    return true;
}

bool run(int cell, void (*statements)()) {
    last_cell = cell;
    try {
        statements();
    } catch (...) {
        report("code cell " + std::to_string(cell));
        std::exit(1);
    }
    return true;
}

int end() {
    std::cout << std::flush;
    return std::cout ? 0 : 1;
}

}  // namespace xcpp::program
