#include "lanes/notebook/progress.hpp"

#include "notebook/front_end.hpp"
#include "notebook/text.hpp"

#include "base/text.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <iostream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace lanes {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_updates(100);

// How it is shown: a display that is updated, a line of a terminal that is overwritten, or one line
// at the end.
enum class Way { display, terminal, last_line };

Way way_here() {
    if (is_unattended()) return Way::last_line;
    if (notebook::is_rich()) return Way::display;
    return isatty(STDOUT_FILENO) ? Way::terminal : Way::last_line;
}

std::string time_text(double seconds) {
    const auto whole = static_cast<long>(std::lround(seconds));
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

const char* ending(bool failed) {
    if (!failed) return "";
    return notebook::is_interrupted() ? "interrupted" : "stopped";
}

std::string rate_text(double rate) {
    char text[32];
    std::snprintf(text, sizeof text, rate < 10 ? "%.1f" : "%.0f", rate);
    return std::string(text) + " a second";
}

}  // namespace

// Variables of a cell outlive it, but their bars end with the cell.
class Progress::OpenBars {
public:
    static OpenBars& the() {
        static OpenBars bars;
        return bars;
    }

    void add(State* state) {
        const std::lock_guard<std::mutex> guard(lock_);
        if (states_.empty() && notebook::front_end().on_cell_end)
            notebook::front_end().on_cell_end(on_cell_end, nullptr);
        states_.push_back(state);
    }

    void remove(State* state) {
        const std::lock_guard<std::mutex> guard(lock_);
        states_.erase(std::remove(states_.begin(), states_.end(), state), states_.end());
    }

private:
    static void on_cell_end(int failed, void*);

    std::mutex lock_;
    std::vector<State*> states_;  // made by this cell
};

class Progress::State {
public:
    State(std::string name, std::size_t total)
        : name_(std::move(name)),
          total_(total),
          way_(way_here()),
          maker_(std::this_thread::get_id()),
          exceptions_(std::uncaught_exceptions()) {
        if (way_ == Way::display) id_ = notebook::new_display_id();
        show(false);
        OpenBars::the().add(this);
    }

    ~State() {
        OpenBars::the().remove(this);
        if (closed_) return;
        try {
            close(ending(std::uncaught_exceptions() > exceptions_));
        } catch (...) {  // NOLINT(bugprone-empty-catch): a bar that cannot be shown is no reason to
                         // end the program
        }
    }

    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void to(std::size_t step) {
        done_ = step;
        moved();
    }

    void by(std::size_t steps) {
        done_ += steps;
        moved();
    }

    void close(const std::string& text) {
        const std::lock_guard<std::mutex> guard(lock_);
        if (std::exchange(closed_, true)) return;
        last_words_ = text;
        show(true);
    }

private:
    void moved() {
        if (std::this_thread::get_id() == maker_ && notebook::is_interrupted()) {
            close("interrupted");
            throw Error("Progress: '" + name_ + "' was interrupted " + place());
        }
        if (way_ == Way::last_line) return;
        const Clock::rep now = Clock::now().time_since_epoch().count();
        if (now < next_.load(std::memory_order_relaxed) && done_ < total_) return;
        const std::unique_lock<std::mutex> guard(lock_, std::try_to_lock);
        if (guard.owns_lock() && !closed_) show(false);
    }

    std::string place() const {
        return "at " + std::to_string(done_) + " of " + std::to_string(total_) + ".";
    }

    double part() const {
        return total_ == 0
                   ? 1
                   : std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    }

    // "training: 40 of 100, 12 a second, 5 s left"; without times if outputs are compared.
    std::string line(bool closing) const {
        std::string text = name_ + ": " + std::to_string(done_) + " of " + std::to_string(total_);
        const double seconds = std::chrono::duration<double>(Clock::now() - start_).count(),
                     done = static_cast<double>(done_);
        if (way_ != Way::last_line && closing) text += " in " + time_text(seconds);
        if (way_ != Way::last_line && !closing && done_ > 0 && seconds > 0.5) {
            text += ", " + rate_text(done / seconds);
            if (done_ < total_)
                text += ", " + time_text(seconds * (static_cast<double>(total_) - done) / done) +
                        " left";
        }
        return last_words_.empty() ? text : text + ", " + last_words_;
    }

    std::string html(const std::string& line) const {
        return "<progress value=\"" + std::to_string(std::lround(part() * 1000)) +
               "\" max=\"1000\"></progress> " + escaped(line);
    }

    void show(bool closing) {
        next_ = (Clock::now() + between_updates).time_since_epoch().count();
        const std::string text = line(closing);
        if (way_ == Way::display) {
            notebook::Bundle bundle;
            bundle.text = text;
            bundle.html = html(text);
            notebook::publish(bundle, id_, std::exchange(shown_, true));
        } else if (way_ == Way::terminal) {
            constexpr std::size_t width = 30;
            const auto full = static_cast<std::size_t>(part() * width);
            std::cout << "\r\x1b[K[" << std::string(full, '#') << std::string(width - full, '.')
                      << "] " << text << (closing ? "\n" : "") << std::flush;
        } else if (closing) {
            std::cout << text << '\n' << std::flush;
        }
    }

    const std::string name_;
    const std::size_t total_;
    const Way way_;
    const std::thread::id maker_;
    const int exceptions_;
    const Clock::time_point start_ = Clock::now();
    std::string id_, last_words_;
    std::atomic<std::size_t> done_{0};
    std::atomic<Clock::rep> next_{0};
    std::mutex lock_;
    bool closed_ = false, shown_ = false;
};

void Progress::OpenBars::on_cell_end(int failed, void*) {
    OpenBars& bars = the();
    const std::lock_guard<std::mutex> guard(bars.lock_);
    for (State* state : bars.states_) state->close(ending(failed != 0));
    bars.states_.clear();
}

Progress::Progress(const std::string& name, std::size_t total)
    : state_(std::make_unique<State>(name, total)) {}
Progress::~Progress() = default;
Progress::Progress(Progress&&) noexcept = default;
Progress& Progress::operator=(Progress&&) noexcept = default;

void Progress::advance(std::size_t steps) { state_->by(steps); }
void Progress::at(std::size_t step) { state_->to(step); }
void Progress::done(const std::string& text) { state_->close(text); }

}  // namespace lanes
