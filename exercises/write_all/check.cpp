// write_all: with a reader that is slow, and signals that end a write early.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>

namespace lanes::exercises {

namespace {

using notebook::Actor;
using notebook::IsolatedCheck;
using notebook::Judge;

using Answer = WriteAll::Answer;

constexpr const char* pieces =
    "write returns how many bytes it has taken. Go on behind those: next += done, with as many "
    "bytes less.";
constexpr const char* only_signal =
    "-1 with errno == EINTR is no error: a signal ended the wait. check_result(done) lets it pass "
    "and throws for everything else; then try again.";

// Whether the first bytes come once more where others should: they also recur in what is sent.
bool begins_again(const std::string& got, const std::string& sent) {
    const std::string first = sent.substr(0, 64);
    const std::size_t both = std::min(got.size(), sent.size());
    const auto differs = static_cast<std::size_t>(
        std::mismatch(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(both), sent.begin())
            .first -
        got.begin());
    for (std::size_t at = differs - std::min(differs, first.size()); at <= differs; ++at)
        if (at > 0 && got.compare(at, first.size(), first) == 0 &&
            sent.compare(at, first.size(), first) != 0)
            return true;
    return false;
}

// Reads until the writer has closed its end, at most `most` bytes.
std::string drained(int fd, std::size_t most, bool slowly) {
    std::string all, some(60000, '\0');
    while (all.size() < most) {
        if (slowly) pause(10);
        const ssize_t done = read(fd, some.data(), some.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) break;
        all.append(some, 0, static_cast<std::size_t>(done));
    }
    return all;
}

void written(IsolatedCheck& check, Answer answer, std::size_t size, bool disturbed) {
    CheckPipe pipe;
    const std::string sent = bytes_of(3, size);
    const std::string what = "write_all of " + count_of(size, "byte");
    check.step(what, "", disturbed ? only_signal : "");
    Actor writer(check, "the writer", [&] {
        pipe.close_reading();
        if (disturbed) disturb_by_signals();
        answer(pipe.writing(), sent.data(), sent.size());
    });
    pipe.close_writing();
    const std::string got = drained(pipe.reading(), size + 100000, disturbed);
    writer.finish(check, disturbed ? only_signal : "All bytes are in the pipe: return then.",
                  disturbed ? only_signal
                            : "Does it read past the end of data? Each write gets the bytes that "
                              "are left.");
    const bool is_longer = got.size() > size;
    const bool again = size > 4096 && begins_again(got, sent);
    check.require(got == sent, difference_of(got, sent),
                  again ? "The beginning came twice. " + std::string(pieces)
                  : is_longer && disturbed
                      ? "-1 is no number of bytes: move on only by what write returns above 0."
                  : is_longer ? "More was written than asked for: the last writes must be shorter."
                              : pieces);
}

void nothing(IsolatedCheck& check, Answer answer) {
    const CheckPipe pipe;
    check.step("write_all of 0 bytes", "There is nothing to write: return at once.");
    answer(pipe.writing(), nullptr, 0);
}

// An error must be reported.
void throws(IsolatedCheck& check, Answer answer, int fd, const std::string& when) {
    check.step("write_all " + when,
               "It calls write forever. An error (-1) must throw: check_result(done) does.");
    bool reported = false;
    try {
        answer(fd, "hello", 5);
    } catch (const NotFilledIn&) {
        throw;
    } catch (const std::exception&) {
        reported = true;
    }
    check.require(reported, "it returned as if all were written, " + when + ".",
                  "write returns -1 then: check_result(done) throws.");
}

void no_reader(IsolatedCheck& check, Answer answer) {
    disturb_by_signals();
    CheckPipe pipe;
    pipe.close_reading();
    throws(check, answer, pipe.writing(), "to a pipe that nobody can read");
}

}  // namespace

WriteAll::WriteAll()
    : Exercise(text_of<WriteAll>(
          "write_all",
          "Writes size bytes, which begin at data, to the file descriptor fd. A write may take "
          "fewer bytes than it is given,\n"
          "and a signal may end it: then it goes on with the rest. An error throws.",
          "five lines",
          "A pointer to the next byte and the number of bytes that are left; both change by what "
          "write returns, if that is above 0.")) {}

void WriteAll::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const auto play = [&](const char* what, const auto& scene) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { scene(isolated); });
    };
    play("five bytes", [&](IsolatedCheck& c) { written(c, answer, 5, false); });
    play("more bytes than a pipe holds",
         [&](IsolatedCheck& c) { written(c, answer, 500009, false); });
    play("0 bytes", [&](IsolatedCheck& c) { nothing(c, answer); });
    play("signals come while it waits for room",
         [&](IsolatedCheck& c) { written(c, answer, 400013, true); });
    play("no such file descriptor",
         [&](IsolatedCheck& c) { throws(c, answer, -1, "to the file descriptor -1"); });
    play("nobody can read", [&](IsolatedCheck& c) { no_reader(c, answer); });
    judge.pass();
}

}  // namespace lanes::exercises
