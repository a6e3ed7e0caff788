#include "streams.hpp"

#include "run_entry.hpp"
#include "session/process/interruption_points.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <streambuf>
#include <string>
#include <utility>

// Cells find this before the library's, which would take away the buffers that restore_streams()
// restores. It is asked for to print quicker; here every stream keeps its place beside printf and
// what children print.
bool std::ios_base::sync_with_stdio(bool) { return true; }

namespace xcpp_session {
namespace {

int kept_stdout = -1, kept_stderr = -1;

// One line at a time, of any length, asked for when it is needed.
class AskingBuffer : public std::streambuf {
public:
    void use(AskForLine ask) { ask_ = std::move(ask); }
    void end_cell() {
        setg(nullptr, nullptr, nullptr);
        has_asked_ = false;
    }

protected:
    int_type underflow() override {
        std::cout.flush();
        std::string line;
        // A cell that asks again may be one that reads until the end of its input.
        const char* prompt = std::exchange(has_asked_, true) ? "(^D ends the input) " : "";
        const int answer = ask_(prompt, line);
        if (answer == -2) throw_interrupted();
        if (answer != 0) throw_input_not_allowed();
        // Ctrl-D: jupyter_client's console sends the character. A browser cannot type it.
        if (line == "\x04" || line == "^D") return traits_type::eof();
        line_ = std::move(line) + '\n';
        setg(line_.data(), line_.data(), line_.data() + line_.size());
        return traits_type::to_int_type(line_.front());
    }

private:
    AskForLine ask_;
    std::string line_;
    bool has_asked_ = false;  // in this cell
};

AskingBuffer asking;

// Passes on what is printed, if the cell was not interrupted.
class InterruptibleBuffer : public std::streambuf {
public:
    explicit InterruptibleBuffer(std::ostream& stream) : stream_(stream), next_(stream.rdbuf()) {}

protected:
    int_type overflow(int_type character) override {
        stop_if_interrupted();
        if (traits_type::eq_int_type(character, traits_type::eof()))
            return traits_type::not_eof(character);
        return next_->sputc(traits_type::to_char_type(character));
    }

    std::streamsize xsputn(const char* text, std::streamsize size) override {
        stop_if_interrupted();
        return next_->sputn(text, size);
    }

    int sync() override { return next_->pubsync(); }

private:
    void stop_if_interrupted() {
        if (!must_stop()) return;
        stream_.exceptions(std::ios::badbit);  // else the stream swallows what is thrown here
        throw_interrupted();
    }

    std::ostream& stream_;
    std::streambuf* next_;  // as it was before the first cell
};

struct OwnStream {
    explicit OwnStream(std::ostream& own) : stream(own), buffer(own) {}
    std::ostream& stream;
    InterruptibleBuffer buffer;
};
OwnStream own_streams[] = {OwnStream(std::cout), OwnStream(std::cerr), OwnStream(std::clog)};

// High up, where a cell that closes or overwrites small numbers does not reach it, and closed in
// programs that it starts.
int keep_high(int fd) {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const int high = limit.rlim_cur > 900 ? 800 : static_cast<int>(limit.rlim_cur / 2);
    const int kept = fcntl(fd, F_DUPFD_CLOEXEC, high);
    return kept >= 0 ? kept : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

bool same_file(int a, int b) {
    struct stat first{}, second{};
    return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// Whatever the cell did to it: the FILE writes to descriptor fd again, fd leads to the front's
// pipe, and nothing is buffered.
void restore_file(std::FILE* file, int fd, int kept) {
    make_blocking(kept);
    std::fflush(file);
    clearerr(file);
    if (fileno(file) == fd && same_file(fd, kept)) return;
    if (fileno(file) < 0 &&
        !std::freopen(("/proc/self/fd/" + std::to_string(kept)).c_str(), "w", file))
        return;  // after fclose
    const int own = fileno(file);
    dup2(kept, fd);
    if (own != fd) {
        close(own);
        file->_fileno = fd;  // glibc has no other way to give a FILE its number back
    }
    std::setvbuf(file, nullptr, _IONBF, 0);
}

}  // namespace

void make_blocking(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) != 0) fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

void set_up_streams(AskForLine ask) {
    asking.use(std::move(ask));
    kept_stdout = keep_high(STDOUT_FILENO);
    kept_stderr = keep_high(STDERR_FILENO);
    // Unbuffered: text is seen while the cell runs, in order with what children write. The front
    // does not wake for each write.
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    std::setvbuf(stderr, nullptr, _IONBF, 0);
    for (auto& [stream, buffer] : own_streams) stream.rdbuf(&buffer);
    std::cin.rdbuf(&asking);
    std::cin.exceptions(std::ios::badbit);  // else the stream swallows what the buffer throws
}

void restore_streams() {
    for (auto& [stream, buffer] : own_streams) {
        if (stream.rdbuf() != &buffer) stream.rdbuf(&buffer);
        stream.exceptions(std::ios::goodbit);
        stream.clear();
    }
    std::cout.flush();
    std::cin.rdbuf(&asking);
    std::cin.exceptions(std::ios::goodbit);
    std::cin.clear();
    std::cin.exceptions(std::ios::badbit);
    asking.end_cell();
    if (kept_stdout >= 0) restore_file(stdout, STDOUT_FILENO, kept_stdout);
    if (kept_stderr >= 0) restore_file(stderr, STDERR_FILENO, kept_stderr);
    std::fflush(nullptr);
}

bool found_end_of_stdin() {
    const bool found = std::feof(stdin) != 0;
    std::clearerr(stdin);
    return found;
}

}  // namespace xcpp_session
