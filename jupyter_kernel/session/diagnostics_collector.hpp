// Takes what clang says about a cell and keeps it as findings. Needs clang's headers, and no RTTI.
#pragma once

#include "diagnostics.hpp"

#include <clang/Basic/Diagnostic.h>

#include <functional>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
}

namespace xcpp_session {

// Install with compiler.getDiagnostics().setClient(&collector, /*ShouldOwnClient=*/false). Lives as long as the compiler.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
    // Where we edited a line of the cell, the compiler's columns differ from the user's: maps the compiler's to the user's.
    std::function<unsigned(unsigned line, unsigned column)> map_column;

    // Forgets what was found before. Places in cell `cell` that lie behind the last line of `cell_text` are drawn back to its last line.
    void begin(int cell, std::string cell_text);

    // What was found since begin(), notes attached to what they explain.
    std::vector<Finding> take();

    const std::vector<Finding>& findings() const { return findings_; }

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

    // clang's errors are counted from one parse to the next; a parse that starts with some is a failed one.
    void clear() override;

private:
    SourcePlace place_of(const clang::SourceManager& sources, clang::SourceLocation location) const;

    int cell_ = 0;
    std::string cell_text_;
    unsigned cell_lines_ = 0;
    std::vector<Finding> findings_;
};

}  // namespace xcpp_session
