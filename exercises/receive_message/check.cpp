// receive_message and send_message: what is sent comes back as it was, message by message.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

struct Pair {
    ReceiveMessage::Send send;
    ReceiveMessage::Receive receive;
};

constexpr const char* borders =
    "A pipe has no borders between messages: send the length first, and read as many bytes as it "
    "says.";
constexpr const char* waits =
    "A message was sent, and receive_message waits for more: both sides must agree on how many "
    "bytes the length has, sizeof size.";
constexpr const char* absurd =
    "Is the length read before the bytes? And both sides must agree on how many bytes it has, "
    "sizeof size.";

void require_same(IsolatedCheck& check, const std::string& got, const std::string& sent) {
    const bool reads_on = got.size() > sent.size() && got.compare(0, sent.size(), sent) == 0;
    const bool cut_at_zero = got == sent.substr(0, sent.find('\0')) && got != sent;
    check.require(got == sent, "one message: " + difference_of(got, sent),
                  got == sent + '\0'
                      ? "The length is message.size(): no zero at the end is counted."
                  : got.empty() ? "The string that is returned is empty: it needs room for the "
                                  "bytes before they are read, std::string message(size, '\\0')."
                  : reads_on    ? "It reads on into the next message. " + std::string(borders)
                  : cut_at_zero ? "A zero is a byte like any other: use message.size(), not a "
                                  "text that ends at the first zero."
                                : borders);
}

void one_by_one(IsolatedCheck& check, const Pair& answer) {
    const CheckPipe pipe;
    for (const std::string& sent : {std::string("hello"), std::string(), std::string("a\0b", 3),
                                    std::string("x"), bytes_of(5, 3000)}) {
        check.step("send_message of " + count_of(sent.size(), "byte"),
                   "There is room in the pipe, and it does not return.");
        answer.send(pipe.writing(), sent);
        check.step("receive_message after a message of " + count_of(sent.size(), "byte"),
                   sent.empty() ? "An empty message is one, too: its length, 0, is sent." : waits,
                   absurd);
        require_same(check, answer.receive(pipe.reading()), sent);
    }
}

// An int works for every message that a check can send: the bytes in the pipe tell.
void length_of_any_size(IsolatedCheck& check, const Pair& answer) {
    const CheckPipe pipe;
    const std::string sent = bytes_of(3, 300);
    check.step("send_message of 300 bytes", "There is room in the pipe.");
    answer.send(pipe.writing(), sent);
    int written = 0, number = 0;
    ioctl(pipe.reading(), FIONREAD, &written);
    std::string bytes(static_cast<std::size_t>(written), '\0');
    const bool all = read(pipe.reading(), bytes.data(), bytes.size()) == written;
    if (all && bytes.size() >= sizeof number) std::memcpy(&number, bytes.data(), sizeof number);
    check.require(bytes.size() != sent.size() + sizeof number || number != 300,
                  "the length is sent as a number of 4 bytes, such as an int.",
                  "An int ends at 2,147,483,647, and a message may be longer. A std::size_t holds "
                  "every length: const std::size_t size = message.size();");
}

void several(IsolatedCheck& check, const Pair& answer) {
    const CheckPipe pipe;
    std::vector<std::string> sent;
    for (int i = 0; i < 6; ++i) sent.push_back(bytes_of(i, 200 * static_cast<std::size_t>(i) + 1));
    check.step("six calls of send_message", "There is room in the pipe.");
    for (const std::string& message : sent) answer.send(pipe.writing(), message);
    for (const std::string& message : sent) {
        check.step("receive_message of one of six messages", waits);
        require_same(check, answer.receive(pipe.reading()), message);
    }
}

void large(IsolatedCheck& check, const Pair& answer) {
    const CheckPipe pipe;
    const std::string sent = bytes_of(7, 1000003);
    check.step("send_message of 1000003 bytes", "");
    Actor writer(check, "the writer", [&] {
        disturb_by_signals();
        answer.send(pipe.writing(), sent);
    });
    pause(60);  // the pipe is full, and signals end the write that waits
    check.step("receive_message of 1000003 bytes",
               "Use write_all and read_all: one write or one read moves a part of such a message.",
               "Where is it kept? Such a message does not fit on the stack.");
    require_same(check, answer.receive(pipe.reading()), sent);
    writer.finish(check, "The whole message came, and send_message does not return.",
                  "send_message crashed.");
}

void early_end(IsolatedCheck& check, const Pair& answer) {
    CheckPipe pipe;
    pipe.close_writing();
    check.step("receive_message from a pipe that its writers have closed",
               "read_all throws at the end of the stream; is it used for the length?");
    bool reported = false;
    try {
        answer.receive(pipe.reading());
    } catch (const NotFilledIn&) {
        throw;
    } catch (const std::exception&) {
        reported = true;
    }
    check.require(reported, "it returned a message, and none was sent.",
                  "Let what read_all throws pass.");
}

}  // namespace

ReceiveMessage::ReceiveMessage()
    : Exercise(text_of<ReceiveMessage>(
          "receive_message",
          {"receive_message", "void send_message(int fd, const std::string& message)",
           "send_message writes the length of a message, a std::size_t, and then its bytes; "
           "receive_message reads both and\n"
           "returns the message.",
           "three and four lines",
           "const std::size_t size = message.size(); its bytes begin at &size, and there are "
           "sizeof size of them. std::string message(size, '\\0') has room for a message."})) {}

void ReceiveMessage::check(Send send, Receive receive) const {
    notebook::ExerciseText of_send = text();
    of_send.name = "send_message";
    Judge(of_send).look_at(send);
    Judge judge(text());
    judge.look_at(receive);
    const Pair answer{send, receive};
    const auto play = [&](const char* what, void (*scene)(IsolatedCheck&, const Pair&)) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { scene(isolated, answer); });
    };
    play("one message after another", one_by_one);
    play("the bytes of a length", length_of_any_size);
    play("six messages in the pipe", several);
    play("a message that is larger than the pipe", large);
    play("no message, and the writers have gone", early_end);
    judge.pass();
}

}  // namespace lanes::exercises
