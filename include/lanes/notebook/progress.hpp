// Shows how far a long loop is: a bar with the rate and the remaining time, below the cell while it
// runs. If nobody watches (is_unattended()), or the output is not a terminal, one line of text at
// the end, without times.
//
//   const std::size_t batches = 100;
//   lanes::Progress progress("training", batches);
//   for (std::size_t i = 0; i < batches; ++i) progress.advance();
//
// The interrupt button ends the loop: advance() and at() throw lanes::Error. Introduced in the
// notebook 01a_training.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lanes {

// May be advanced from several threads. Only the thread that made it throws.
class Progress {
public:
    explicit Progress(const std::string& name, std::size_t total);
    ~Progress();  // closes the bar, as the end of the cell does
    Progress(Progress&&) noexcept;
    Progress& operator=(Progress&&) noexcept;

    void advance(std::size_t steps = 1);
    void at(std::size_t step);                // steps done so far
    void done(const std::string& text = "");  // closes the bar; the text follows it

private:
    class State;
    class OpenBars;
    std::unique_ptr<State> state_;
};

}  // namespace lanes
