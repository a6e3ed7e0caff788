// A part of a check that may hang, crash or start processes: it runs in a process of its own,
// and the session waits no longer than a deadline. Whatever the check has started ends with it.
#pragma once

#include "judge.hpp"

#include "lanes/base/timer.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "lanes/parallel/process.hpp"

#include <functional>
#include <string>

namespace lanes::notebook {

class IsolatedCheck {
public:
    static constexpr double deadline =
        5;  // seconds without a word, after which a step counts as hung

    explicit IsolatedCheck(PipeQueue<std::string>& reports) : reports_(reports) {}

    // To be told before anything of the answer is called: what is done, and what to say where it
    // never comes back or ends in an exception or a crash.
    void step(const std::string& what, const std::string& if_it_hangs,
              const std::string& if_it_dies = {});
    void alive();  // in a long step, as often as one likes: on a busy machine it may take longer
                   // than the deadline

    void require(bool is_right, const std::string& what, const std::string& words = {}) {
        if (!is_right) fail(what, words);
    }
    [[noreturn]] void fail(const std::string& what, const std::string& words = {});

    // Runs what belongs to the answer; an exception is told, and ends the process.
    void run(const std::function<void()>& work, const std::string& who = {});

private:
    PipeQueue<std::string>& reports_;
    Timer since_;  // the last word
};

// A further process of the check.
class Actor : public Process {
public:
    Actor(IsolatedCheck& check, std::string name, std::function<void()> work)
        : Process(std::move(name)), check_(check), work_(std::move(work)) {
        start();
    }
    void run() override { check_.run(work_, name()); }

    void finish(IsolatedCheck& check, const std::string& if_it_hangs,
                const std::string& if_it_dies);  // waits for it as a step

private:
    IsolatedCheck& check_;
    std::function<void()> work_;
};

void run_isolated(Judge& judge, const std::function<void(IsolatedCheck&)>& check);

}  // namespace lanes::notebook
