// ring: eight slots between a writer and a reader process.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Answer = RingOfSlots::Answer;
using Ring = std::shared_ptr<Slots>;

constexpr std::size_t slots = 8;
constexpr const char* not_shared =
    "A forked process has a copy of all memory that is not shared. The slots come from mmap with "
    "MAP_SHARED, and the numbers\nthat both sides read lie in shared memory, too: "
    "shared_counter().";

constexpr const char* crashed =
    "Is the memory of the slots 8 * slot_size bytes long, and is the number of a slot taken % 8? "
    "Both "
    "counters must\nexist: shared_counter()";

Ring made(IsolatedCheck& check, Answer answer, std::size_t slot_size) {
    check.step("a ring is made", "It has nothing to wait for.",
               "Did mmap fail? It needs the size of all eight slots.");
    Ring ring = answer(slot_size);
    check.require(ring != nullptr, "ring gives an empty pointer.",
                  "return std::make_shared<Ring>(slot_size);");
    return ring;
}

// Returns where the slot is.
const char* put(IsolatedCheck& check, Slots& ring, int number, std::size_t size) {
    check.step("claim number " + std::to_string(number + 1),
               "A slot is free, and claim waits: published - released is the number of filled "
               "slots, and there are eight.",
               crashed);
    const std::string message = bytes_of(number, size);
    char* const to = ring.claim();
    check.require(to != nullptr, "claim gives a null pointer.");
    check.step("the slot is filled", "",
               "The slot is no memory that may be written: slot i begins i % 8 slots behind the "
               "first, each slot_size bytes long.");
    std::memcpy(to, message.data(), size);
    check.step("publish", "publish waits for nothing.", "publish crashed.");
    ring.publish();
    return to;
}

void take(IsolatedCheck& check, Slots& ring, int number, std::size_t size,
          const std::string& more_words = {}) {
    check.step("front for message " + std::to_string(number + 1),
               "A slot is filled, and front waits for one. Does publish count it?", crashed);
    const char* const from = ring.front();
    check.require(from != nullptr, "front gives a null pointer.");
    const std::string got(from, size), expected = bytes_of(number, size);
    if (got != expected) {
        std::string words = "The reader takes slot released % 8, the writer slot published % 8.";
        for (int other = 0; other < number + 12; ++other)
            if (other != number && got == bytes_of(other, size))
                words = "It is message " + std::to_string(other + 1) + ". " + words;
        check.fail("message " + std::to_string(number + 1) + " of " + count_of(size, "byte") +
                       " came out as something else.",
                   words +
                       "\nDo slots overlap? Each begins slot_size bytes behind the one "
                       "before." +
                       more_words);
    }
    check.step("release", "release waits for nothing.", "release crashed.");
    ring.release();
}

// claim and front only look: a counter that they increase, too, counts each message twice.
void looking_twice(IsolatedCheck& check, Answer answer) {
    const Ring ring = made(check, answer, 100);
    const auto same = [&](const char* what, const char* counts, const auto& call) {
        check.step(std::string(what) + " is called twice", "Neither call has to wait.", crashed);
        check.require(call() == call(),
                      std::string(what) + " was called twice, nothing was " + counts +
                          " between the calls, and it gives two addresses.",
                      std::string("It counts nothing: is there a ++ in ") + what +
                          "? ++*published stands in publish alone, ++*released in release alone.");
    };
    same("claim", "published", [&] { return ring->claim(); });
    put(check, *ring, 0, 100);
    put(check, *ring, 1, 100);
    same("front", "released", [&] { return ring->front(); });
}

void one_process(IsolatedCheck& check, Answer answer) {
    const Ring ring = made(check, answer, 100);
    std::set<const char*> places;
    for (int i = 0; i < 20; ++i) {  // wraps around twice
        places.insert(put(check, *ring, i, 100));
        check.require(places.size() <= slots,
                      "claim has given nine different addresses, and there are eight slots.",
                      "The number of the slot is published % 8.");
        take(check, *ring, i, 100);
    }
}

void eight_filled(IsolatedCheck& check, Answer answer) {
    const Ring ring = made(check, answer, 300);
    std::vector<const char*> places;
    for (int i = 0; i < static_cast<int>(slots); ++i) {
        check.step("claim number " + std::to_string(i + 1),
                   "There are eight slots, fewer are filled, and claim waits.");
        places.push_back(ring->claim());
        put(check, *ring, i, 300);
    }
    std::vector<const char*> sorted = places;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i)
        check.require(sorted[i] - sorted[i - 1] >= 300, "two of the eight slots overlap.",
                      "Slot i begins i * slot_size bytes behind the first.");
    for (int i = 0; i < static_cast<int>(slots); ++i) {
        check.step("front", "Eight slots are filled.");
        const char* const from = ring->front();
        check.require(from == places[static_cast<std::size_t>(i)],
                      "front gives another address than claim gave for message " +
                          std::to_string(i + 1) + ".",
                      "Nothing is copied: the reader looks at the slot that the writer filled, "
                      "oldest first.");
        take(check, *ring, i, 300);
    }
}

void full(IsolatedCheck& check, Answer answer) {
    const Ring ring = made(check, answer, 50);
    PipeQueue<int> heard;
    check.step("a writer process fills nine slots", "", not_shared);
    Actor writer(check, "the writer", [&] {
        for (int i = 0; i < 9; ++i) {
            const std::string message = bytes_of(i, 50);
            std::memcpy(ring->claim(), message.data(), 50);
            ring->publish();
            heard.put(i);
        }
    });
    for (int i = 0; i < 8; ++i)
        check.require(heard.get_for(3).has_value(),
                      "a writer process could fill only " + count_of(std::size_t(i), "slot") + ".",
                      "There are eight: claim waits while published - released is 8.");
    check.require(!heard.get_for(0.08), "a writer filled nine slots, and nobody has read one.",
                  "The ninth would overwrite the first: claim waits while all eight are filled.");
    take(check, *ring, 0, 50, std::string("\nOr else: ") + not_shared);
    check.require(heard.get_for(3).has_value(), "a slot was released, and claim still waits.",
                  not_shared);
    for (int i = 1; i < 9; ++i) take(check, *ring, i, 50);
    writer.finish(check, "It has filled nine slots and does not return.", not_shared);
}

void empty(IsolatedCheck& check, Answer answer) {
    const Ring ring = made(check, answer, 50);
    PipeQueue<std::string> heard;
    check.step("a reader process waits in front", "", crashed);
    Actor reader(check, "the reader", [&] {
        heard.put(std::string(ring->front(), 50));
        ring->release();
    });
    check.require(!heard.get_for(0.08), "front returned, and nothing was published.",
                  "front waits while published and released are equal.");
    put(check, *ring, 3, 50);
    const auto got = heard.get_for(3);
    check.require(got.has_value(),
                  "a slot was published, and front still waits in another "
                  "process.",
                  not_shared);
    check.require(*got == bytes_of(3, 50), "the reader process sees other bytes.", not_shared);
    reader.finish(check, "It has its message and does not return.", "release crashed.");
}

void around(IsolatedCheck& check, Answer answer) {
    constexpr int messages = 1000;
    constexpr std::size_t size = 5000;
    const Ring ring = made(check, answer, size);
    check.step("a writer process publishes 1000 messages", "", "It crashed.");
    Actor writer(check, "the writer", [&] {
        for (int i = 0; i < messages; ++i) {
            const std::string message = bytes_of(i % 200, size);
            std::memcpy(ring->claim(), message.data(), size);
            ring->publish();
            check.alive();
        }
    });
    for (int i = 0; i < messages; ++i) {
        take(check, *ring, i % 200, size);
        check.alive();
    }
    writer.finish(check, "All messages came, and it does not return.", "It crashed.");
}

void two_rings(IsolatedCheck& check, Answer answer) {
    const Ring first = made(check, answer, 1), second = made(check, answer, 20000);
    put(check, *first, 1, 1);
    put(check, *second, 2, 20000);
    take(check, *first, 1, 1);
    take(check, *second, 2, 20000);
}

void given_back(IsolatedCheck& check, Answer answer) {
    made(check, answer, 100);
    const std::size_t before = shared_mappings();
    for (int i = 0; i < 60; ++i) made(check, answer, 100);
    const std::size_t left = shared_mappings() - before;
    check.require(left < 30,
                  "60 rings were made and forgotten, and " + std::to_string(left) +
                      " stretches of shared memory are still there.",
                  "munmap belongs into the function that std::shared_ptr calls at the end.");
}

}  // namespace

RingOfSlots::RingOfSlots()
    : Exercise(text_of<RingOfSlots>(
          "ring",
          "Makes a Ring: eight slots of slot_size bytes in shared memory. claim waits for a free "
          "slot, publish hands it over,\n"
          "front waits for the oldest one, release frees it. One writer process, one reader "
          "process; nothing is copied.",
          "twelve lines",
          "Two shared counters that only grow: published and released. Their difference is the "
          "number of filled slots; n % 8 is the slot of message n.")) {}

void RingOfSlots::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const auto play = [&](const char* what, void (*scene)(IsolatedCheck&, Answer)) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { scene(isolated, answer); });
    };
    play("two messages", looking_twice);
    play("one process, 20 messages", one_process);
    play("eight filled slots", eight_filled);
    play("all slots are filled", full);
    play("no slot is filled", empty);
    play("1000 messages from another process", around);
    play("two rings", two_rings);
    play("many rings, one after another", given_back);
    judge.pass();
}

}  // namespace lanes::exercises
