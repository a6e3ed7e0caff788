// read_all: bytes that come in pieces, signals, and a writer that leaves early.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <unistd.h>

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Answer = ReadAll::Answer;

constexpr const char* pieces =
    "A read returns what is there, which may be less than was asked for. Go on until size bytes "
    "are there, behind those that came before.";
constexpr const char* waits =
    "All bytes were written, and it still waits: each read asks for the bytes that are left, not "
    "for size again.";

constexpr char untouched = '\x7f';

std::string got_from(Answer answer, int fd, std::size_t size) {
    std::string bytes(size + 16, untouched);  // what is behind the end must stay
    answer(fd, bytes.data(), size);
    return bytes;
}

void require_same(IsolatedCheck& check, const std::string& got, const std::string& sent) {
    const std::string bytes = got.substr(0, sent.size());
    check.require(bytes == sent, difference_of(bytes, sent),
                  bytes.size() > 8 && bytes.back() == untouched
                      ? pieces
                      : std::string(pieces) + " In C++, data + n needs a char* data.");
    check.require(got.substr(sent.size()) == std::string(16, untouched),
                  "it has written behind the end of data.",
                  "Ask for the bytes that are left, not for size again.");
}

void at_once(IsolatedCheck& check, Answer answer) {
    const CheckPipe pipe;
    const std::string sent = bytes_of(1, 5), next = bytes_of(2, 5);
    check.require(write(pipe.writing(), (sent + next).data(), 10) == 10, "the pipe took no bytes.");
    check.step("read_all of 5 bytes; 10 are in the pipe", waits);
    require_same(check, got_from(answer, pipe.reading(), 5), sent);
    check.step("read_all of the next 5 bytes",
               "The next 5 bytes were in the pipe: has the first "
               "call taken more than it was asked for?");
    require_same(check, got_from(answer, pipe.reading(), 5), next);
}

void in_pieces(IsolatedCheck& check, Answer answer, bool disturbed) {
    const CheckPipe pipe;
    const std::vector<std::string> parts{bytes_of(1, 3), bytes_of(2, 40), bytes_of(3, 1),
                                         bytes_of(4, 3000)};
    std::string sent;
    for (const std::string& part : parts) sent += part;
    check.step("read_all of bytes that come in pieces", "");
    const Actor writer(check, "the writer", [&] {
        for (const std::string& part : parts) {
            pause(30);
            if (write(pipe.writing(), part.data(), part.size()) < 0) break;
        }
        pause(5000);
    });
    if (disturbed) disturb_by_signals();
    check.step("read_all of bytes that come in four pieces", waits,
               disturbed ? "-1 with errno == EINTR is no error: a signal ended the wait. "
                           "check_result(done) lets it pass and throws for everything else."
                         : "Each read writes behind the bytes that came before, and no further "
                           "than size.");
    require_same(check, got_from(answer, pipe.reading(), sent.size()), sent);
}

void nothing(IsolatedCheck& check, Answer answer) {
    const CheckPipe pipe;
    check.step("read_all of 0 bytes from an empty pipe",
               "There is nothing to read: return at once.");
    answer(pipe.reading(), nullptr, 0);
}

// An error, and the end of the stream, must be reported.
void throws(IsolatedCheck& check, Answer answer, int fd, const std::string& when,
            const std::string& words) {
    check.step("read_all " + when, words, "");
    bool reported = false;
    try {
        got_from(answer, fd, 20);
    } catch (const NotFilledIn&) {
        throw;
    } catch (const std::exception&) {
        reported = true;
    }
    check.require(reported, "it returned as if all bytes had come, " + when + ".", words);
}

void early_end(IsolatedCheck& check, Answer answer) {
    CheckPipe pipe;
    check.require(write(pipe.writing(), "hello", 5) == 5, "the pipe took no bytes.");
    pipe.close_writing();
    throws(check, answer, pipe.reading(), "of 20 bytes; 5 came, then the writer closed its end",
           "read returns 0 at the end of the stream: no more bytes will ever come. Throw "
           "std::runtime_error then.");
}

}  // namespace

ReadAll::ReadAll()
    : Exercise(text_of<ReadAll>(
          "read_all",
          "Reads size bytes from the file descriptor fd to the memory at data. A read may return "
          "fewer bytes than asked for,\n"
          "and a signal may end it: then it goes on. The end of the stream and errors throw.",
          "six lines",
          "As write_all. read returns 0 if the writers have closed their end: throw "
          "std::runtime_error(\"…\").")) {}

void ReadAll::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const auto play = [&](const char* what, const auto& scene) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { scene(isolated); });
    };
    play("all bytes are there", [&](IsolatedCheck& c) { at_once(c, answer); });
    play("bytes come in pieces", [&](IsolatedCheck& c) { in_pieces(c, answer, false); });
    play("0 bytes", [&](IsolatedCheck& c) { nothing(c, answer); });
    play("signals come while it waits", [&](IsolatedCheck& c) { in_pieces(c, answer, true); });
    play("the writer leaves early", [&](IsolatedCheck& c) { early_end(c, answer); });
    play("no such file descriptor", [&](IsolatedCheck& c) {
        throws(c, answer, -1, "from the file descriptor -1",
               "read returns -1 then: check_result(done) throws.");
    });
    judge.pass();
}

}  // namespace lanes::exercises
