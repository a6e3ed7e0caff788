#include "isolated_check.hpp"

#include "lanes/base/not_filled_in.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <ext/stdio_sync_filebuf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <typeinfo>
#include <vector>

namespace lanes::notebook {

namespace {

// What a check reports: a kind and up to three texts.
enum Kind : char {
    stepped = 's',
    lives = 'l',
    failed = 'f',
    threw = 't',
    not_filled_in = 'n',
    done = 'd'
};
constexpr char mark = '\x1f';

std::string report(Kind kind, const std::string& a = {}, const std::string& b = {},
                   const std::string& c = {}) {
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
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), std::free);
    return status == 0 ? name.get() : "an exception";
}

// libc writes about a corrupted heap to descriptor 2, and whether it does depends on the rest of
// the heap. That text is dropped, because the check reports the crash itself. What the answer
// prints through stderr, std::cerr and std::clog is still shown.
void drop_messages_of_libc() {
    const int seen = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3),
              nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    std::FILE* file = seen < 0 ? nullptr : fdopen(seen, "w");
    if (!file || nothing < 0 || dup2(nothing, STDERR_FILENO) < 0) return;
    std::setvbuf(file, nullptr, _IONBF, 0);
    stderr = file;  // glibc allows it
    static __gnu_cxx::stdio_sync_filebuf<char> buffer(file);
    std::cerr.rdbuf(&buffer);
    std::clog.rdbuf(&buffer);
}

// For a check that waits: how a process ended that it has started, "a process that it started ended
// by signal 11 (Segmentation fault)".
std::string death_of_a_child(int pid) {
    const std::string process = "/proc/" + std::to_string(pid);
    std::ifstream children(process + "/task/" + std::to_string(pid) + "/children");
    for (int child = 0; children >> child;) {
        std::ifstream file("/proc/" + std::to_string(child) + "/stat");
        std::string text((std::istreambuf_iterator<char>(file)), {});
        text.erase(0, text.rfind(')') + 1);  // the name in front of it may hold anything
        std::istringstream fields(text);
        std::vector<std::string> words{std::istream_iterator<std::string>(fields), {}};
        if (words.size() < 50 || words[0] != "Z") continue;
        const int status = std::atoi(words[49].c_str());
        if (WIFSIGNALED(status))
            return "a process that it started ended by signal " + std::to_string(WTERMSIG(status)) +
                   " (" + strsignal(WTERMSIG(status)) + ")";
    }
    return "";
}

// Nobody may touch this memory. What is mapped later lies below it: an answer that writes past the
// end of its shared memory stops here, and does not reach the reports, which the check's own
// process reads.
class GuardedGap {
public:
    GuardedGap() : start_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
    ~GuardedGap() {
        if (start_ != MAP_FAILED) munmap(start_, bytes);
    }
    GuardedGap(const GuardedGap&) = delete;
    GuardedGap& operator=(const GuardedGap&) = delete;

    // Takes the holes above the gap, all of which are smaller: without this, what is mapped next
    // may lie in one of them, directly below other memory. Called in the process of the check.
    void fill_holes_above() const {
        for (std::size_t size = bytes / 2; size >= page; size /= 2)
            for (void* hole = nullptr;
                 (hole = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) !=
                 MAP_FAILED;)
                if (hole < start_) {  // no hole of this size is left
                    munmap(hole, size);
                    break;
                }
    }

private:
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t bytes = std::size_t{1} << 24;
    void* start_;
};

struct Ended {};  // thrown to leave a check that has reported its end

class CheckProcess : public Process {
public:
    CheckProcess(PipeQueue<std::string>& reports, const GuardedGap& gap,
                 const std::function<void(IsolatedCheck&)>& check)
        : Process("the process of the check"), reports_(reports), gap_(gap), check_(check) {}
    void run() override {
        drop_messages_of_libc();
        gap_.fill_holes_above();
        IsolatedCheck check(reports_);
        check.run([&] {
            check_(check);
            reports_.put(report(done));
        });
    }

private:
    PipeQueue<std::string>& reports_;
    const GuardedGap& gap_;
    const std::function<void(IsolatedCheck&)>& check_;
};

}  // namespace

void IsolatedCheck::step(const std::string& what, const std::string& if_it_hangs,
                         const std::string& if_it_dies) {
    reports_.put(report(stepped, what, if_it_hangs, if_it_dies));
}

void IsolatedCheck::alive() {
    if (since_.seconds() < 0.2) return;
    reports_.put(report(lives));
    since_.restart();
}

void IsolatedCheck::fail(const std::string& what, const std::string& words) {
    reports_.put(report(failed, what, words));
    throw Ended{};
}

void IsolatedCheck::run(const std::function<void()>& work, const std::string& name) {
    try {
        work();
    } catch (const Ended&) {
        return;
    } catch (const NotFilledIn& error) {
        reports_.put(report(not_filled_in, error.what()));
    } catch (const std::length_error& error) {
        const std::string text = error.what();  // the library's own names its functions
        const bool own = text.find("::") == std::string::npos;
        reports_.put(
            report(threw, type_of(error), own ? text : "a std::string of an absurd length", name));
    } catch (const std::exception& error) {
        reports_.put(report(threw, type_of(error), error.what(), name));
    } catch (...) {
        reports_.put(report(threw, "an exception that is no std::exception", "", name));
    }
}

void Actor::finish(IsolatedCheck& check, const std::string& if_it_hangs,
                   const std::string& if_it_dies) {
    check.step(name() + " is waited for", if_it_hangs, if_it_dies);
    join();
    if (exit_code() != 0) check.fail(exit_description() + ".", if_it_dies);
}

void run_isolated(Judge& judge, const std::function<void(IsolatedCheck&)>& check) {
    PipeQueue<std::string> reports;
    const GuardedGap gap;
    CheckProcess process(reports, gap, check);
    process.start();
    std::vector<std::string> step(4);
    const std::function<void()> nothing = [] {};
    for (Timer since;;) {
        auto received = reports.get_for(0.05, &nothing);
        if (!received && !process.alive()) {
            received = reports.get_for(0, &nothing);  // its last report
            if (!received) judge.fail(step[1] + ": " + process.exit_description() + ".", step[3]);
        }
        if (!received) {
            if (since.seconds() <= IsolatedCheck::deadline) continue;
            if (const std::string death = death_of_a_child(process.pid()); !death.empty())
                judge.fail(step[1] + ": " + death + ".", step[3]);
            judge.fail(step[1] + ": it does not come back.", step[2]);
        }
        since.restart();
        const std::vector<std::string> parts = parts_of(*received);
        switch (parts[0][0]) {
            case stepped:
                step = parts;
                break;
            case failed:
                judge.fail(parts[1], parts[2]);
            case threw:
                judge.fail((parts[3].empty() ? step[1] : step[1] + ", in " + parts[3]) + ": " +
                               parts[1] + "\n" + parts[2],
                           step[3]);
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
