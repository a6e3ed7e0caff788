#include "exception_text.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

namespace lanes::parallel {

std::string exception_text() {
    try {
        throw;
    } catch (const std::exception& error) {
        int failed = 0;
        const std::unique_ptr<char, void (*)(void*)> name(
            abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &failed), std::free);
        return (name ? std::string(name.get()) + ": " : "") + error.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

}  // namespace lanes::parallel
