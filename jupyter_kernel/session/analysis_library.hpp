// The library that the configuration names under "analysis" (see xcpp/analysis.hpp). Without it the
// session runs cells as always, and only questions about what they are made of have no answer.
#pragma once

#include "xcpp/analysis.hpp"

#include <string>

namespace xcpp_session {

class AnalysisLibrary {
public:
    explicit AnalysisLibrary(std::string file) : file_(std::move(file)) {}

    // As xcpp_analyse. The first call loads the library. Throws std::runtime_error if none is
    // configured, or if it cannot be loaded.
    bool analyse(const xcpp::AnalysisInput& input, std::string& report);

private:
    std::string file_;
    decltype(&xcpp_analyse) analyse_ = nullptr;
};

}  // namespace xcpp_session
