// How far a long loop is: a bar with rate and rest of time, below the cell while it runs. Where
// nobody looks on (in_ci()) and where the output is no terminal, one line of plain text at the end,
// without times.
//
//   lanes::Progress progress("training", batches);
//   for (…) { …; progress.advance(); }
//
// A press on interrupt ends the loop: advance() and at() throw lanes::Error. Introduced in the
// notebook 01_mlp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lanes {

// May be advanced from several threads; what is thrown is thrown in the thread that made it.
class Progress {
public:
    explicit Progress(const std::string& name, std::size_t total);
    ~Progress();  // closes the bar, as the end of the cell does: done, stopped by an exception, or
                  // where the loop ended
    Progress(Progress&&) noexcept;
    Progress& operator=(Progress&&) noexcept;

    void advance(std::size_t steps = 1);
    void at(std::size_t step);                // steps done so far
    void done(const std::string& text = "");  // closes the bar; the text stands behind it

private:
    class State;
    class OpenBars;
    std::unique_ptr<State> state_;
};

}  // namespace lanes
