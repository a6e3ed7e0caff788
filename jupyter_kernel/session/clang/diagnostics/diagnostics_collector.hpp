// Takes what clang says about a cell and keeps it as findings. Needs clang's headers, and no RTTI.
#pragma once

#include "diagnostics.hpp"

#include <clang/Basic/Diagnostic.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
}

namespace xcpp_session {

struct ParserLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Install with compiler.getDiagnostics().setClient(&collector, /*ShouldOwnClient=*/false). Must
// live as long as the compiler.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
    // Where we edited a line of the cell, the compiler's columns differ from the user's: maps the
    // compiler's to the user's.
    std::function<unsigned(unsigned line, unsigned column)> map_column;

    // clang 19's parser loops for ever once it has lost a closing bracket of ours and runs into the
    // end of the input: every round it complains about the file "<<< inputs >>>". Called at the
    // second such complaint, and when clang says "too many errors". It must not return; an
    // exception passes through clang (its destructors are skipped: the compiler is good for nothing
    // afterwards). Without it ParserLost is thrown.
    std::function<void()> give_up;

    // Called after each error was noted: clang sometimes crashes soon after one, and then its words
    // are worth more than "the compiler crashed".
    std::function<void()> after_error;

    // Forgets what was found before. Places in cell `cell` that lie after the last line of
    // `cell_text` are drawn back to its last line.
    void begin(int cell, std::string cell_text);

    // What was found since begin(), notes attached to what they explain.
    std::vector<Finding> take();

    const std::vector<Finding>& findings() const { return findings_; }
    const std::string& cell_text() const { return cell_text_; }

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic& info) override;

private:
    SourcePlace place_of(const clang::SourceManager& sources, clang::SourceLocation location) const;
    struct Places {
        SourcePlace first, end;
    };
    Places places_of(const clang::SourceManager& sources,
                     const clang::CharSourceRange& range) const;
    SourcePlace end_of_cell() const;
    unsigned width_of(unsigned line) const;  // of the cell, in bytes
    void add_ranges(Finding& finding, const clang::Diagnostic& info) const;
    void add_redefined(Finding& finding, const clang::Diagnostic& info) const;
    void add_fixits(Finding& finding, const clang::Diagnostic& info) const;

    int cell_ = 0;
    std::string cell_text_;
    unsigned last_line_ = 1;  // of the cell, without blank lines after it
    unsigned at_end_of_input_ = 0;
    std::vector<Finding> findings_;
};

}  // namespace xcpp_session
