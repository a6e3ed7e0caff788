// A part of a check that may hang, crash or start processes. It runs in a process of its own, and
// the session waits no longer than a deadline. All processes that it has started end with it.
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
    static constexpr double deadline = 5;  // seconds without a report: then a step counts as hung

    explicit IsolatedCheck(PipeQueue<std::string>& reports) : reports_(reports) {}

    // To be called before the answer is called: what is done, and the advice to give if it never
    // returns, and if it throws or crashes.
    void step(const std::string& what, const std::string& if_it_hangs,
              const std::string& if_it_dies = {});
    // To be called again and again in a long step, which may take longer than the deadline.
    void alive();

    void require(bool is_right, const std::string& what, const std::string& words = {}) {
        if (!is_right) fail(what, words);
    }
    [[noreturn]] void fail(const std::string& what, const std::string& words = {});

    // Runs code of the answer. An exception is reported, and ends the process. name: of the
    // process.
    void run(const std::function<void()>& work, const std::string& name = {});

private:
    PipeQueue<std::string>& reports_;
    Timer since_;  // the last report of alive
};

// A further process of the check.
class Actor : public Process {
public:
    Actor(IsolatedCheck& check, std::string name, std::function<void()> work)
        : Process(std::move(name)), check_(check), work_(std::move(work)) {
        start();
    }
    void run() override { check_.run(work_, name()); }

    // Waits for its end; this is a step of the check.
    void finish(IsolatedCheck& check, const std::string& if_it_hangs,
                const std::string& if_it_dies);

private:
    IsolatedCheck& check_;
    std::function<void()> work_;
};

void run_isolated(Judge& judge, const std::function<void(IsolatedCheck&)>& check);

}  // namespace lanes::notebook
