// shared_counter: a number that forked processes share.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Counter = std::shared_ptr<std::atomic<long>>;
using Answer = SharedCounter::Answer;

constexpr const char* hangs = "It has nothing to wait for.";
constexpr const char* dies =
    "Did mmap fail? It needs a size above 0 and PROT_READ | PROT_WRITE; MAP_ANONYMOUS needs -1 and "
    "0 as the last two arguments.";
constexpr const char* gone =
    "Its memory is gone, or may not be written: munmap belongs into the function that "
    "std::shared_ptr calls at the end, and mmap\n"
    "needs PROT_READ | PROT_WRITE.";

Counter made(IsolatedCheck& check, Answer answer) {
    check.step("a counter is made", hangs, dies);
    Counter counter = answer();
    check.require(counter != nullptr, "the pointer is empty.",
                  "Give a std::shared_ptr to the memory that mmap has given.");
    return counter;
}

std::string times(long n) { return std::to_string(n) + (n == 1 ? " time" : " times"); }

void alone(IsolatedCheck& check, Answer answer) {
    Counter counter = made(check, answer);
    const auto address = reinterpret_cast<std::uintptr_t>(counter.get());
    check.require(address % alignof(std::atomic<long>) == 0,
                  "the counter lies at an address that is no multiple of " +
                      std::to_string(alignof(std::atomic<long>)) + ".",
                  "Use the address as mmap gives it.");
    check.step("the counter is used", hangs, gone);
    check.require(*counter == 0,
                  "a new counter holds " + std::to_string(*counter) + ", expected 0.",
                  "It starts at 0.");
    ++*counter;
    check.require(*counter == 1,
                  "after ++ the counter holds " + std::to_string(*counter) + ", expected 1.");
    check.step(
        "the counter is forgotten", hangs,
        "Its memory comes from mmap, so it goes back by munmap, on the same address and with the "
        "same size. Without a function of\n"
        "yours as second argument std::shared_ptr calls delete, which is for what came from new.");
    counter.reset();
}

void other_process(IsolatedCheck& check, Answer answer) {
    const Counter counter = made(check, answer);
    Actor other(check, "another process", [&] { *counter += 1000; });
    other.finish(check, hangs, dies);
    const long seen = *counter;
    check.require(
        seen == 1000,
        "another process has counted to 1000, this one sees " + std::to_string(seen) + ".",
        "A forked process gets a copy of all memory that is not shared. std::make_shared, new and "
        "MAP_PRIVATE\n"
        "give memory of one process alone: ask mmap for MAP_SHARED | MAP_ANONYMOUS.");
}

void two_counters(IsolatedCheck& check, Answer answer) {
    const Counter first = made(check, answer), second = made(check, answer);
    *first = 7;
    check.require(*second == 0,
                  "there are two counters; 7 was written to the first, and the second holds " +
                      std::to_string(*second) + ".",
                  "Both are one. Ask the system for new memory in each call; nothing static.");
    *second = 9;
    check.require(*first == 7,
                  "there are two counters; 7 was written to the first, 9 to the second, and the "
                  "first holds " +
                      std::to_string(*first) + ".",
                  "They overlap.");
}

void many_processes(IsolatedCheck& check, Answer answer) {
    const Counter counter = made(check, answer);
    constexpr int actors = 4;
    constexpr long each = 20000;
    {
        std::vector<std::unique_ptr<Actor>> all;
        all.reserve(actors);
        for (int i = 0; i < actors; ++i)
            all.push_back(std::make_unique<Actor>(check, "process " + std::to_string(i + 1), [&] {
                for (long n = 0; n < each; ++n) ++*counter;
            }));
        for (auto& actor : all) actor->finish(check, hangs, dies);
    }
    check.require(*counter == actors * each, std::to_string(actors) + " processes have counted " +
                                                 times(each) + " each, and the counter holds " +
                                                 std::to_string(*counter) + ", expected " +
                                                 std::to_string(actors * each) + ".");
}

void given_back(IsolatedCheck& check, Answer answer) {
    made(check, answer);
    const std::size_t before = shared_mappings();
    for (int i = 0; i < 100; ++i) made(check, answer);
    const std::size_t left = shared_mappings() - before;
    check.require(left < 50,
                  "100 counters were made and forgotten, and " + std::to_string(left) +
                      " stretches of shared memory are still there.",
                  "Give std::shared_ptr a function of yours as its second argument that calls "
                  "munmap on the address, with the size that mmap\n"
                  "was given.");
    constexpr long many = 1100;
    std::vector<Counter> all;
    all.reserve(many);
    for (long i = 0; i < many; ++i) {
        all.push_back(made(check, answer));
        *all.back() = i;
    }
    for (long i = 0; i < many; ++i)
        check.require(
            *all[static_cast<std::size_t>(i)] == i,
            "there are " + std::to_string(many) +
                " counters, each was given its number, and counter " + std::to_string(i) +
                " holds " + std::to_string(*all[static_cast<std::size_t>(i)]) + ".",
            "Two of them are one. Ask the system for new memory in each call; nothing static.");
}

// What the answer needs of stack and heap is there before: only mmap fails.
void no_memory(IsolatedCheck& check, Answer answer) {
    constexpr const char* test =
        "If the system has no memory left, mmap returns MAP_FAILED, which is not nullptr:\n"
        "if (memory == MAP_FAILED) throw std::bad_alloc();";
    made(check, answer);
    touch_memory();
    check.step("a counter is made, and the system gives no memory", hangs, test);
    bool refused = false;
    {
        const NoNewMemory nothing_left;
        try {
            const Counter counter = answer();
            // The address must not be used, and its memory cannot go back.
            static_cast<void>(new Counter(counter));
        } catch (const std::exception&) {
            refused = true;
        }
    }
    check.require(refused, "the system gave no memory, and a counter was returned.", test);
}

}  // namespace

SharedCounter::SharedCounter()
    : Exercise(
          text_of<SharedCounter>("shared_counter",
                                 "Gives a counter that starts at 0 and that this process and all "
                                 "that are forked from it later share: what one of\n"
                                 "them adds, all of them see. Each call makes a new one. Its "
                                 "memory goes back to the system with its last owner.",
                                 "four lines",
                                 "mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | "
                                 "MAP_ANONYMOUS, -1, 0) gives zeros that forked processes share.\n"
                                 "std::shared_ptr takes the address and, as a second argument, a "
                                 "function that calls munmap on it.")) {}

void SharedCounter::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const auto play = [&](const char* what, void (*check)(IsolatedCheck&, Answer)) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { check(isolated, answer); });
    };
    play("one process", alone);
    play("another process counts", other_process);
    play("two counters", two_counters);
    play("four processes count at once", many_processes);
    play("many counters, one after another", given_back);
    play("no memory is left", no_memory);
    judge.pass();
}

}  // namespace lanes::exercises
