#include "analysis_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace xcpp_session {

bool AnalysisLibrary::analyse(const xcpp::AnalysisInput& input, std::string& report) {
    if (!analyse_) {
        if (file_.empty())
            throw std::runtime_error(
                "no analysis is configured. Name a library under \"analysis\" in the file that "
                "--config gives (build/xcpp17.json in a checkout).");
        void* library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
        void* function = library ? dlsym(library, "xcpp_analyse") : nullptr;
        if (!function)
            throw std::runtime_error("the analysis " + file_ + " cannot be loaded: " + dlerror());
        analyse_ = reinterpret_cast<decltype(analyse_)>(function);
    }
    return analyse_(input, report);
}

}  // namespace xcpp_session
