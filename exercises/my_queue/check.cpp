// my_queue: the queue of assignment 2, checked with real writer processes.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Bytes = Queue<std::string>;
using Answer = MyQueue::Answer;

// The first bytes hold writer and number; from the ninth on no byte is 0: if these bytes are taken
// for a length, it is absurdly large, and that is noticed.
std::string message_of(int writer, int number, std::size_t size) {
    std::string message(std::max<std::size_t>(size, 8), '\0');
    for (std::size_t i = 8; i < message.size(); ++i)
        message[i] =
            static_cast<char>(1 + (i * 7 + i / 251 + static_cast<std::size_t>(writer) * 83 +
                                   static_cast<std::size_t>(number) * 29) %
                                      255);
    message[0] = static_cast<char>(1 + writer);
    for (int byte = 0; byte < 3; ++byte)
        message[1 + static_cast<std::size_t>(byte)] = static_cast<char>(number >> (8 * byte));
    return message;
}

int writer_of(const std::string& message) { return message.size() < 8 ? -1 : message[0] - 1; }

int number_of(const std::string& message) {
    int number = 0;
    for (int byte = 0; byte < 3; ++byte)
        number |= static_cast<unsigned char>(message[1 + static_cast<std::size_t>(byte)])
                  << (8 * byte);
    return number;
}

void pause(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::string count(std::size_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string difference(const std::string& got, const std::string& put) {
    if (got.size() != put.size())
        return "a message of " + count(put.size(), "byte") + " was put, and " +
               count(got.size(), "byte") + " came.";
    const auto at = std::mismatch(got.begin(), got.end(), put.begin()).first - got.begin();
    return "a message of " + count(put.size(), "byte") +
           " was put; what came differs from it at byte " + std::to_string(at) + ".";
}

void require_length(IsolatedCheck& check, const Bytes& queue, std::size_t expected,
                    const std::string& when, const std::string& words) {
    check.step("length is asked for",
               "length waits for nothing and needs no lock: it reads the counter.",
               "Is the message that get gave before a whole one? A std::string itself holds only "
               "the address of its bytes, and these must go\n"
               "through the pipe.");
    const std::size_t got = queue.length();
    check.require(got == expected,
                  "length is " + std::to_string(got) + " " + when + ", expected " +
                      std::to_string(expected) + ".",
                  words);
    check.require(queue.empty() == (expected == 0),
                  std::string("empty is ") + (expected == 0 ? "false " : "true ") + when + ".",
                  "empty is length() == 0.");
}

constexpr const char* not_down =
    "get must count down once for each message, as put counts up once.";
constexpr const char* not_whole =
    "Send the length of a message, then all its bytes: message.size() of them. A zero is a byte "
    "like any other.";

// What may have happened to a message on its way.
std::string words_for(const std::string& got, const std::string& put) {
    if (got.size() > put.size() && got.compare(0, put.size(), put) == 0)
        return "get reads on into what follows the message: it must read as many bytes as the "
               "length says.";
    return not_whole;
}

// --- The cases

void one_by_one(IsolatedCheck& check, Bytes& queue) {
    const std::vector<std::string> messages{
        "hello", message_of(1, 0, 100), "", std::string("a\0b", 3), "x", message_of(1, 258, 5000)};
    for (std::size_t i = 0; i < messages.size(); ++i) {
        check.step("put of " + count(messages[i].size(), "byte"),
                   i == 0 ? "Is the lock taken twice? Or does put wait for a reader, though there "
                            "is room in the pipe?"
                          : "The first put came back, this one does not: put must give the lock "
                            "back at its end.",
                   "Does the constructor make the lock and the counter? A std::shared_ptr that was "
                   "given nothing is empty.");
        queue.put(messages[i]);
        check.step("get after a put of " + count(messages[i].size(), "byte"),
                   messages[i].empty()
                       ? "An empty message is one, too: its length, 0, must be sent and counted "
                         "like any other."
                       : "A message is there, and get waits: does put send all of it?",
                   "get reads what put has written: first the length, then as many bytes.");
        const std::string got = queue.get();
        check.require(got == messages[i], difference(got, messages[i]),
                      words_for(got, messages[i]));
        require_length(check, queue, 0, "after " + count(i + 1, "put") + " and as many gets",
                       not_down);
    }
}

void three_at_once(IsolatedCheck& check, Bytes& queue) {
    const std::vector<std::string> messages{message_of(1, 0, 200), message_of(1, 1, 200),
                                            message_of(1, 2, 200)};
    for (std::size_t i = 0; i < 3; ++i) {
        check.step("put number " + std::to_string(i + 1),
                   "put must not wait for a reader while there is room in the pipe.");
        queue.put(messages[i]);
        require_length(check, queue, i + 1, "after " + count(i + 1, "put"),
                       "put counts each message once, when it is written.");
    }
    for (std::size_t i = 0; i < 3; ++i) {
        check.step("get number " + std::to_string(i + 1) + " after three puts",
                   "Three messages were put, and get waits.");
        const std::string got = queue.get();
        const auto other = std::find(messages.begin(), messages.end(), got) - messages.begin();
        check.require(got == messages[i] || other == 3,
                      "message " + std::to_string(other + 1) + " came in place of message " +
                          std::to_string(i + 1) + ".",
                      "Is one buffer used for all messages? It is written again while the message "
                      "before is still on its way.\n"
                      "The bytes themselves must go through the pipe.");
        check.require(got == messages[i], difference(got, messages[i]),
                      words_for(got, messages[i]));
        require_length(check, queue, 2 - i, "after three puts and " + count(i + 1, "get"),
                       not_down);
    }
}

void other_writer(IsolatedCheck& check, Bytes& queue) {
    check.step("put in another process", "", "put crashed in another process.");
    Actor writer(check, "a writer", [&] {
        for (int i = 0; i < 3; ++i) queue.put(message_of(2, i, 3000));
    });
    writer.finish(check,
                  "put in another process does not come back, though there is room in the pipe.",
                  "put crashed in another process.");
    require_length(check, queue, 3, "after three puts of a writer process that has ended",
                   queue.length() == 0 ? "Each process counts for itself. The counter must be one "
                                         "that processes share: shared_counter()."
                                       : "");
    for (int i = 0; i < 3; ++i) {
        check.step("get of what a writer process has put",
                   "Three messages were put, and get waits.",
                   "An address means nothing in another process: the bytes themselves must go "
                   "through the pipe.");
        const std::string got = queue.get(), expected = message_of(2, i, 3000);
        check.require(got == expected, difference(got, expected),
                      "An address means nothing in another process: the bytes themselves must go "
                      "through the pipe.");
    }
    require_length(check, queue, 0, "after three puts of a writer process and three gets",
                   not_down);
}

void get_first(IsolatedCheck& check, Bytes& queue) {
    PipeQueue<std::string> heard;
    check.step("get in an empty queue", "", "get crashed.");
    Actor reader(check, "a reader", [&] {
        heard.put("now");
        heard.put(queue.get());
    });
    heard.get();
    pause(50);
    check.require(!heard.get_for(0), "get came back before anything was put.",
                  "get waits until a message is there. Reading from a pipe waits by itself.");
    require_length(check, queue, 0, "while get waits in an empty queue",
                   "get counts a message once it has it, not before.");
    const std::string message = message_of(3, 1, 500);
    Actor writer(check, "a writer", [&] { queue.put(message); });
    writer.finish(check,
                  "get waits, and so does put: get holds what put needs. There is one reader, so "
                  "get needs no lock;\n"
                  "a get that takes the writers' lock and waits keeps all of them out.",
                  "put crashed in another process.");
    check.step("get, after a message was put",
               "A message was put while get waited, and get goes on waiting.");
    const std::string got = heard.get();
    check.require(got == message, difference(got, message), not_whole);
    reader.finish(check, "", "get crashed.");
}

constexpr const char* below_zero =
    "The counter was below 0 for a moment: get can have a message before put has counted it. Let "
    "length give 0 then:\n"
    "std::max(0L, …). And get counts down whatever the counter says.";

constexpr const char* lost =
    "Some counts are lost: get counts down while writers count up, and get holds no lock. Who "
    "reads the counter and then\n"
    "writes it writes over what others have counted in between; --*count of a std::atomic is one "
    "step.";

// The message about a length that should be 0: below it, if a sign is missing, or above, if a
// message was not subtracted or its count was overwritten.
std::string words_for_length(std::size_t length, std::size_t messages) {
    return length > messages ? below_zero : below_zero + std::string("\nOr else: ") + lost;
}

// For the moment in which a message is in the pipe and not yet counted: reader and writer share one
// core, and the writer runs only while the reader sleeps. So the last byte of a message wakes the
// reader, and get returns before the writer has left write. Ends with the process of this case.
void stay_on_one_core() {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    int core = 0;
    while (core + 1 < CPU_SETSIZE && !CPU_ISSET(core, &allowed)) ++core;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void run_only_while_others_sleep() {
    const sched_param none{};
    sched_setscheduler(0, SCHED_IDLE, &none);
}

void quick_reader(IsolatedCheck& check, Bytes& queue) {
    constexpr int most_messages = 100;
    constexpr double most_seconds = 2;  // on a busy machine the writer seldom runs
    stay_on_one_core();
    const Timer timer;
    PipeQueue<int> turns;  // the reader has read length; 1: the writer continues
    check.step("get of one message after another", "Messages were put, and get waits.",
               "put or get crashed.");
    Actor writer(check, "a writer", [&] {
        run_only_while_others_sleep();
        int i = 0;
        do queue.put(message_of(0, i++, 40));
        while (turns.get() == 1);
    });
    bool go_on = true;
    for (int i = 0; go_on; ++i) {
        const std::string got = queue.get();
        const std::size_t length = queue.length();
        go_on = i + 1 < most_messages && timer.seconds() < most_seconds;
        turns.put(go_on ? 1 : 0);
        check.alive();
        check.require(got == message_of(0, i, 40), difference(got, message_of(0, i, 40)),
                      not_whole);
        check.require(
            length == 0,
            "length is " + std::to_string(length) + " after a get, and nothing else was put.",
            words_for_length(length, most_messages));
    }
    writer.finish(check, "All its messages have come, and put does not come back.",
                  "put crashed in another process.");
    require_length(check, queue, 0, "after all messages were got",
                   words_for_length(queue.length(), most_messages));
}

// A signal ends a write early: it returns how much it has written so far, as it may at any time.
void interrupt_writes() {
    struct sigaction go_on{};
    go_on.sa_handler = [](int) {};
    go_on.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &go_on, nullptr);
    const itimerval often{{0, 20000}, {0, 20000}};
    setitimer(ITIMER_REAL, &often, nullptr);
}

void larger_than_the_pipe(IsolatedCheck& check, Bytes& queue) {
    PipeQueue<std::string> heard;
    const std::string message = message_of(4, 1, 3000017);
    check.step("put of a message of 3000017 bytes", "",
               "Where does put keep it? Such a message does not fit on the stack, nor into an "
               "array of fixed size.");
    Actor writer(check, "a writer", [&] {
        interrupt_writes();
        heard.put("now");
        queue.put(message);
        heard.put("done");
    });
    heard.get();
    pause(100);
    const bool is_written = heard.get_for(0).has_value();
    require_length(
        check, queue, is_written ? 1 : 0,
        is_written ? "after one put" : "while a message of 3000017 bytes is being written",
        is_written ? "put counts each message once, when it is written."
                   : "The first bytes are in the pipe, and the writer waits for room: that is no "
                     "message yet.\n"
                     "put counts after the last byte, not before the first.");
    check.step("get of a message that is larger than the pipe",
               "get waits, and so does the writer: the pipe is full, and only get makes room in "
               "it.\nget must read at once, and never wait for a length.",
               "Where does put keep the message? It does not fit on the stack, nor into an array "
               "of fixed size. A message comes in several reads.");
    const std::string got = queue.get();
    check.require(got == message, difference(got, message),
                  is_written ? "put came back before anybody had read, and a pipe holds 64 kB: it "
                               "has sent a part. Is the length a std::size_t?"
                             : "A read gives what is in the pipe, a write takes what has room: "
                               "both go on until all bytes are through.");
    writer.finish(check, "get has the whole message, and put does not come back.",
                  "put crashed in another process.");
    require_length(check, queue, 0, "after one put and one get", not_down);
}

constexpr const char* mixed =
    "Bytes of several messages are mixed. Up to PIPE_BUF (4096) bytes go into a pipe at once, "
    "longer messages in pieces:\n"
    "put must hold the lock from the first byte to the last, and it must be one lock that all "
    "processes share.";

// Reads all that the writers put, each of them `each` messages in order.
void read_all(IsolatedCheck& check, Bytes& queue, int writers, int each, std::size_t size,
              const std::string& words) {
    std::vector<int> next(static_cast<std::size_t>(writers), 0);
    const int all = writers * each;
    check.step("get while " + std::to_string(writers) + " writers put",
               "Does get wait for the writers' lock? Who holds it may be waiting for get to make "
               "room in the pipe: get needs no lock. Or else:\n" +
                   words,
               words);
    for (int i = 0; i < all; ++i) {
        const std::string got = queue.get();
        check.alive();
        const int writer = writer_of(got);
        const bool known = writer >= 0 && writer < writers && number_of(got) < each &&
                           got == message_of(writer, number_of(got), size);
        check.require(known,
                      "a message that nobody has put: " + count(got.size(), "byte") +
                          ", expected " + std::to_string(size) + ".",
                      words);
        int& expected = next[static_cast<std::size_t>(writer)];
        check.require(number_of(got) == expected,
                      "writer " + std::to_string(writer + 1) + ": message " +
                          std::to_string(number_of(got) + 1) + " came, expected " +
                          std::to_string(expected + 1) + ".",
                      number_of(got) < expected ? "A message came twice." : "A message is lost.");
        ++expected;
    }
}

void many_writers(IsolatedCheck& check, Bytes& queue, int each, std::size_t size) {
    constexpr int writers = 4;
    check.step("four writers put", "", "put crashed in another process.");
    std::vector<std::unique_ptr<Actor>> actors;
    actors.reserve(writers);
    for (int writer = 0; writer < writers; ++writer)
        actors.push_back(std::make_unique<Actor>(check, "writer " + std::to_string(writer + 1),
                                                 [&queue, writer, each, size] {
                                                     for (int i = 0; i < each; ++i)
                                                         queue.put(message_of(writer, i, size));
                                                 }));
    read_all(check, queue, writers, each, size, mixed);
    for (auto& actor : actors)
        actor->finish(check, "All its messages have come, and put does not come back.", mixed);
    require_length(check, queue, 0, "after all messages of four writers were got", lost);
    check.step("one more put", "put must not wait for a reader while there is room in the pipe.");
    queue.put("one more");
    require_length(check, queue, 1,
                   "after all messages of four writers were got, and one more was put", lost);
}

void large_messages(IsolatedCheck& check, Bytes& queue) { many_writers(check, queue, 6, 300001); }
void small_messages(IsolatedCheck& check, Bytes& queue) { many_writers(check, queue, 5000, 20); }

}  // namespace

MyQueue::MyQueue()
    : Exercise(text_of<MyQueue>("my_queue",
                                "Makes a queue of yours, MyQueue, for any number of writer "
                                "processes and one reader. put sends a message of any length,\n"
                                "get waits for one and gives it, length counts the messages that "
                                "are written completely and not yet read.",
                                "two or three lines per method",
                                "Writers exclude each other from the first byte of a message to "
                                "its last, and count it then. The reader is alone.")) {}

void MyQueue::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const auto play = [&](const char* what, void (*check)(IsolatedCheck&, Bytes&)) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) {
            isolated.step("the queue is made", "", "Its constructor crashed.");
            const std::shared_ptr<Bytes> queue = answer();
            isolated.require(queue != nullptr, "my_queue gives an empty pointer.",
                             "return std::make_shared<MyQueue>();");
            if (check != one_by_one)
                require_length(
                    isolated, *queue, 0, "in a new queue",
                    "The counter starts at 0, and each queue has its own: nothing static.");
            check(isolated, *queue);
        });
    };
    play("one process, one message after another", one_by_one);
    play("three messages before the first is read", three_at_once);
    play("a writer in another process", other_writer);
    play("get before put", get_first);
    play("one message after another, of a writer that is slow", quick_reader);
    play("a message that is larger than the pipe", larger_than_the_pipe);
    play("four writers, large messages", large_messages);
    play("four writers, many small messages", small_messages);
    judge.require_single_steps();
    judge.pass();
}

}  // namespace lanes::exercises
