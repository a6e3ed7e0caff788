#include "story.hpp"

#include "lanes/base/not_filled_in.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <typeinfo>
#include <vector>

namespace lanes::notebook {

namespace {

// What a story reports: a kind and up to three texts.
enum Kind : char { stepped = 's', lives = 'l', failed = 'f', threw = 't', not_filled_in = 'n', done = 'd' };
constexpr char mark = '\x1f';

std::string report(Kind kind, const std::string& a = {}, const std::string& b = {}, const std::string& c = {}) {
    return std::string(1, kind) + mark + a + mark + b + mark + c;
}

std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == mark)
            parts.emplace_back();
        else
            parts.back() += c;
    parts.resize(4);
    return parts;
}

std::string type_of(const std::exception& error) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), std::free);
    return status == 0 ? name.get() : "an exception";
}

struct Ended {};  // thrown to leave a story that has said how it ends

class Teller : public Process {
public:
    Teller(PipeQueue<std::string>& reports, const std::function<void(Story&)>& story) : Process("the process of the check"), reports_(reports), story_(story) {}
    void run() override {
        Story story(reports_);
        story.run([&] {
            story_(story);
            reports_.put(report(done));
        });
    }

private:
    PipeQueue<std::string>& reports_;
    const std::function<void(Story&)>& story_;
};

}  // namespace

void Story::step(const std::string& what, const std::string& if_it_hangs, const std::string& if_it_dies) {
    reports_.put(report(stepped, what, if_it_hangs, if_it_dies));
}

void Story::alive() {
    if (since_.seconds() < 0.2) return;
    reports_.put(report(lives));
    since_.restart();
}

void Story::fail(const std::string& what, const std::string& words) {
    reports_.put(report(failed, what, words));
    throw Ended{};
}

void Story::run(const std::function<void()>& work) {
    try {
        work();
    } catch (const Ended&) {
        return;
    } catch (const NotFilledIn& error) {
        reports_.put(report(not_filled_in, error.what()));
    } catch (const std::length_error& error) {  // its text names functions of the standard library
        reports_.put(report(threw, type_of(error), "a std::string of an absurd length"));
    } catch (const std::exception& error) {
        reports_.put(report(threw, type_of(error), error.what()));
    }
}

void Actor::finish(Story& story, const std::string& if_it_hangs, const std::string& if_it_dies) {
    story.step(name() + " is waited for", if_it_hangs, if_it_dies);
    join();
    if (exit_code() != 0) story.fail(ending() + ".", if_it_dies);
}

void tell(Judge& judge, const std::function<void(Story&)>& story) {
    PipeQueue<std::string> reports;
    Teller teller(reports, story);
    teller.start();
    std::vector<std::string> step(4);
    const std::function<void()> nothing = [] {};
    for (Timer since;;) {
        auto told = reports.get_for(0.05, &nothing);
        if (!told && !teller.alive()) {
            told = reports.get_for(0, &nothing);  // its last words
            if (!told) judge.fail(step[1] + ": " + teller.ending() + ".", step[3]);
        }
        if (!told) {
            if (since.seconds() > Story::deadline) judge.fail(step[1] + ": it does not come back.", step[2]);
            continue;
        }
        since.restart();
        const std::vector<std::string> parts = parts_of(*told);
        switch (parts[0][0]) {
            case stepped:
                step = parts;
                break;
            case failed:
                judge.fail(parts[1], parts[2]);
            case threw:
                judge.fail(step[1] + ": " + parts[1] + "\n" + parts[2], step[3]);
            case not_filled_in:
                judge.call([&] { throw NotFilledIn(parts[1]); });
                break;
            case done:
                return;
            default:
                break;
        }
    }
}

}  // namespace lanes::notebook
