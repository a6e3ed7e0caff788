// many_readers: several readers share a queue.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "lanes/lesson/spare_queue.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Bytes = Queue<std::string>;
using Answer = ManyReaders::Answer;

constexpr const char* mixed =
    "Two readers were inside get at once: one took bytes of the other's message. get needs a lock "
    "for readers, from the length\nto the last byte, and it must be one lock that all processes "
    "share: shared_lock().";

void one_reader(IsolatedCheck& check, Bytes& queue) {
    for (int i = 0; i < 3; ++i) {
        check.step("put", "There is room in the pipe: does put still give its lock back?");
        queue.put(bytes_of(i, 100));
    }
    check.require(queue.length() == 3, "after three puts the length is " +
                                           std::to_string(queue.length()) + ", expected 3.");
    for (int i = 0; i < 3; ++i) {
        check.step("get",
                   "A message is there. Is the readers' lock taken twice, or never given "
                   "back?");
        const std::string got = queue.get(), put = bytes_of(i, 100);
        check.require(got == put, difference_of(got, put));
    }
    check.require(queue.length() == 0, "after three gets the length is " +
                                           std::to_string(queue.length()) + ", expected 0.");
}

// Readers wait in get; then a message is put.
void put_while_readers_wait(IsolatedCheck& check, Bytes& queue) {
    const auto got = spare::shared_counter();
    check.step("two readers wait in get", "", "get crashed.");
    std::vector<std::unique_ptr<Actor>> readers;
    for (int i = 0; i < 2; ++i)
        readers.push_back(std::make_unique<Actor>(check, "reader " + std::to_string(i + 1), [&] {
            const std::string message = queue.get();
            *got += message == bytes_of(9, 50) ? 1 : 0;
        }));
    pause(60);
    check.require(*got == 0, "get returned before anything was put.");
    Actor writer(check, "a writer", [&] {
        queue.put(bytes_of(9, 50));
        queue.put(bytes_of(9, 50));
    });
    writer.finish(check,
                  "A reader waits in get, and put waits, too: get holds what put needs. Readers "
                  "need a lock of their own.",
                  mixed);
    for (auto& reader : readers)
        reader->finish(check,
                       "Two messages were put, and a reader still waits: does get give its lock "
                       "back, and does it hold it from the length to the last byte?",
                       mixed);
    check.require(*got == 2,
                  "two messages were put, and " + count_of(std::size_t(*got), "reader") +
                      " got one as it was.",
                  mixed);
}

void many(IsolatedCheck& check, Bytes& queue, int readers, int each, std::size_t size) {
    const auto whole = spare::shared_counter();
    check.step(std::to_string(readers) + " readers", "", mixed);
    std::vector<std::unique_ptr<Actor>> actors;
    for (int i = 0; i < readers; ++i)
        actors.push_back(std::make_unique<Actor>(check, "reader " + std::to_string(i + 1), [&] {
            for (int n = 0; n < each; ++n) {
                const std::string message = queue.get();
                check.alive();
                const int number = message.empty() ? 0 : message[0] == bytes_of(1, 1)[0] ? 1 : 2;
                *whole += message == bytes_of(number, size) ? 1 : 0;
            }
        }));
    std::vector<std::unique_ptr<Actor>> writers;
    for (int i = 1; i <= 2; ++i)
        writers.push_back(std::make_unique<Actor>(check, "writer " + std::to_string(i), [&, i] {
            for (int n = 0; n < readers * each / 2; ++n) queue.put(bytes_of(i, size));
        }));
    for (auto& actor : actors) actor->finish(check, mixed, mixed);
    for (auto& actor : writers) actor->finish(check, mixed, mixed);
    check.require(*whole == readers * each,
                  "of " + std::to_string(readers * each) + " messages only " +
                      std::to_string(*whole) + " came whole.",
                  mixed);
    check.require(
        queue.length() == 0,
        "all messages were got, and the length is " + std::to_string(queue.length()) + ".",
        "get counts each message down once: MyQueue::get() does.");
}

void small(IsolatedCheck& check, Bytes& queue) { many(check, queue, 3, 400, 5000); }
void large(IsolatedCheck& check, Bytes& queue) { many(check, queue, 2, 8, 300001); }

}  // namespace

ManyReaders::ManyReaders()
    : Exercise(text_of<ManyReaders>(
          "many_readers",
          "Makes a ManyReaders: the queue MyQueue, in which any number of processes may call get.",
          "four lines",
          "A second lock, for readers alone. get takes it and then calls MyQueue::get().")) {}

void ManyReaders::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const auto play = [&](const char* what, void (*scene)(IsolatedCheck&, Bytes&)) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) {
            isolated.step("the queue is made", "", "Its constructor crashed.");
            const std::shared_ptr<Bytes> queue = answer();
            isolated.require(queue != nullptr, "many_readers gives an empty pointer.");
            scene(isolated, *queue);
        });
    };
    play("one reader", one_reader);
    play("two readers wait before anything is put", put_while_readers_wait);
    play("three readers, messages of 5000 bytes", small);
    play("two readers, messages larger than the pipe", large);
    judge.require_single_steps();
    judge.pass();
}

}  // namespace lanes::exercises
