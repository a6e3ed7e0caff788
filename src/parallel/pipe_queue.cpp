#include "lanes/parallel/pipe_queue.hpp"

#include "checksum.hpp"
#include "lanes/base/error.hpp"
#include "robust_mutex.hpp"
#include "shared_memory.hpp"
#include "wait.hpp"
#include "worker_registry.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>

namespace lanes {

namespace {

using namespace parallel;

// Before each piece of a message in the pipe.
struct Header {
    std::uint32_t own_sum;  // checksum of the four members that follow: a reader that has lost its
                            // place recognises the next header by it
    std::uint32_t sum;      // checksum of the piece
    std::uint64_t number;   // of the message
    std::uint64_t total;    // bytes of the whole message
    std::uint64_t place;    // of this piece in the message, in bytes
};
constexpr std::size_t most_in_piece = PIPE_BUF - sizeof(Header);

std::size_t piece_size(const Header& header) {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(header.total - header.place, most_in_piece));
}

std::uint32_t sum_of(const Header& header) {
    const std::array<std::uint64_t, 4> fields{header.sum, header.number, header.total,
                                              header.place};
    return checksum(0, fields.data(), sizeof fields);
}

std::uint32_t sum_of_piece(const Header& header, const void* data) {
    return checksum(header.number, data, piece_size(header));
}

// Many pieces are written by one system call. If the pipe is full in the middle of it, the writer
// continues with the rest later. If it dies or is interrupted before that, a piece is cut off: the
// reader would wait for its end and mistake the next message for it. So the next writer first sends
// as many zeros as may be missing.
constexpr std::size_t most_pieces = 16;
constexpr std::array<unsigned char, PIPE_BUF> zeros{};

bool is_of_zeros(const Header& header) {
    return std::memcmp(&header, zeros.data(), sizeof header) == 0;
}

constexpr std::size_t buffer_size = 64 << 10;
constexpr int pipe_size = 1 << 20;

struct SharedState {
    RobustMutex writing;
    std::atomic<bool> cut{false};     // a large message was begun and not ended
    std::atomic<bool> closed{false};  // the process that made the queue has destroyed it
    std::atomic<bool> put_by_maker{false};
    // The number that the last put has taken, before it wrote anything: what a writer left in the
    // pipe that died before it could count its message has a number of its own.
    std::atomic<std::uint64_t> taken{0};

    // Number of the last message that was written completely. The reader reads it while writers
    // hold the lock.
    alignas(64) std::atomic<std::uint64_t> written{0};

    alignas(64) RobustMutex reading;
    std::atomic<std::uint64_t> read{0};  // number of the last message that get has returned
    std::atomic<std::uint64_t> torn{0};
    std::uint32_t begin = 0, end = 0;  // of what lies in the buffer; guarded by `reading`
    std::array<unsigned char, buffer_size> buffer;
};

}  // namespace

struct BytePipe::State {
    State() : shared("lanes-pipe"), maker(getpid()), started_before(count_workers().ever) {
        std::array<int, 2> ends{};
        LANES_REQUIRE(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0, "PipeQueue: no pipe (",
                      std::strerror(errno), "). Close files and queues that are no longer needed.");
        // The largest size that needs no privilege, instead of 64 kB: each time the pipe is full,
        // writers and reader must switch. If the system refuses, the queue still works.
        fcntl(ends[1], F_SETPIPE_SZ, pipe_size);
        read_end = ends[0];
        write_end = ends[1];
    }
    ~State() {
        if (getpid() == maker) shared->closed = true;
        close(read_end);
        close(write_end);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void write_small(const Header& header, const unsigned char* data, const Wait& wait);
    void write_large(Header header, const unsigned char* data, const Wait& wait);
    void write_all(iovec* parts, std::size_t count, const Wait& wait);
    void wait_for_room(ssize_t written, const Wait& wait) const;
    bool next_message(std::string& message);
    bool take(const Header& header, const unsigned char* data, std::string& message);
    void let_messages_gather();
    bool fill_buffer();
    void lose_place();
    void skip_zero();
    bool sleep(const Wait& wait);

    Shared<SharedState> shared;
    pid_t maker;
    std::size_t started_before;
    int read_end = -1, write_end = -1;
    // The message of which only some pieces have come. It is in this process's own memory: if the
    // reader dies, its successor counts the remaining pieces as a torn message.
    Header first_piece{};
    std::string pieces;
    bool lost = false;
    int patience = 1;
};

BytePipe::BytePipe() : state_(std::make_unique<State>()) {}
BytePipe::BytePipe(BytePipe&&) noexcept = default;
BytePipe& BytePipe::operator=(BytePipe&&) noexcept = default;
BytePipe::~BytePipe() = default;

// --- Writing

// To be called after a system call that has not written all bytes.
void BytePipe::State::wait_for_room(ssize_t written, const Wait& wait) const {
    LANES_REQUIRE(written > 0 || errno == EAGAIN || errno == EINTR,
                  "PipeQueue::put: writing failed (", std::strerror(errno), "). Make a new queue.");
    pollfd room{write_end, POLLOUT, 0};
    if (written > 0 || errno == EAGAIN) poll(&room, 1, static_cast<int>(poll_interval.count()));
    LANES_REQUIRE(!shared->closed,
                  "PipeQueue::put: the process that made the queue has destroyed it. End the "
                  "workers first.");
    wait.keep_waiting();
}

// One piece, completely or not at all: the system guarantees this for up to PIPE_BUF bytes.
void BytePipe::State::write_small(const Header& header, const unsigned char* data,
                                  const Wait& wait) {
    std::array<unsigned char, PIPE_BUF> piece;
    const std::size_t size = sizeof header + piece_size(header);
    std::memcpy(piece.data(), &header, sizeof header);
    std::memcpy(piece.data() + sizeof header, data, piece_size(header));
    for (ssize_t done = 0;
         (done = write(write_end, piece.data(), size)) != static_cast<ssize_t>(size);)
        wait_for_room(done, wait);
}

void BytePipe::State::write_all(iovec* parts, std::size_t count, const Wait& wait) {
    while (count > 0) {
        const ssize_t done = writev(write_end, parts, static_cast<int>(count));
        auto left = static_cast<std::size_t>(std::max<ssize_t>(0, done));
        for (; count > 0 && left >= parts->iov_len; ++parts, --count) left -= parts->iov_len;
        if (count == 0) return;
        parts->iov_base = static_cast<unsigned char*>(parts->iov_base) + left;
        parts->iov_len -= left;
        wait_for_room(done, wait);
    }
}

void BytePipe::State::write_large(Header header, const unsigned char* data, const Wait& wait) {
    std::array<Header, most_pieces> headers;
    std::array<iovec, 2 * most_pieces> parts;
    shared->cut = true;
    while (header.place < header.total) {
        std::size_t pieces = 0;
        for (; pieces < most_pieces && header.place < header.total; ++pieces) {
            const unsigned char* const piece = data + header.place;
            header.sum = sum_of_piece(header, piece);
            header.own_sum = sum_of(header);
            headers[pieces] = header;
            parts[2 * pieces] = {&headers[pieces], sizeof header};
            // writev only reads, but takes a pointer to non-const
            parts[2 * pieces + 1] = {const_cast<unsigned char*>(piece), piece_size(header)};
            header.place += piece_size(header);
        }
        write_all(parts.data(), 2 * pieces, wait);
    }
    shared->cut = false;
}

void BytePipe::put(const void* data, std::size_t size) {
    const Wait wait("PipeQueue::put", forever);
    SharedState& shared = *state_->shared;
    const Guard alone(shared.writing, wait);
    if (shared.cut) {
        iovec filler{const_cast<unsigned char*>(zeros.data()), zeros.size()};
        state_->write_all(&filler, 1, wait);
        shared.taken = shared.written.load();  // the message that was cut off is none
        shared.cut = false;
    }
    Header header{0, 0, ++shared.taken, size, 0};
    const auto* const bytes = static_cast<const unsigned char*>(data);
    if (size > most_in_piece) {
        state_->write_large(header, bytes, wait);
    } else {
        header.sum = sum_of_piece(header, bytes);
        header.own_sum = sum_of(header);
        state_->write_small(header, bytes, wait);
    }
    if (!inside_worker()) shared.put_by_maker = true;
    shared.written.store(header.number, std::memory_order_release);
}

// --- Reading

// True: `message` is complete.
bool BytePipe::State::take(const Header& header, const unsigned char* data, std::string& message) {
    const auto* const characters = reinterpret_cast<const char*>(data);
    const bool fits = !pieces.empty() && header.number == first_piece.number &&
                      header.total == first_piece.total && header.place == pieces.size();
    if (header.place == 0 || !fits) {
        if (!pieces.empty()) ++shared->torn;
        pieces.clear();
    }
    if (header.place == 0 && header.total <= most_in_piece) {
        message.assign(characters, piece_size(header));
        return true;
    }
    if (header.place == 0) {
        first_piece = header;
        pieces.reserve(header.total);
    } else if (!fits) {
        return false;
    }
    pieces.append(characters, piece_size(header));
    if (pieces.size() < header.total) return false;
    message.swap(pieces);
    pieces.clear();
    return true;
}

// Called at bytes that are not the start of a piece: skips one byte. Repeated until a piece starts.
void BytePipe::State::lose_place() {
    if (!std::exchange(lost, true)) ++shared->torn;
    pieces.clear();  // of the same message
    ++shared->begin;
}

// Called at the zeros that follow a message which its writer has not finished: skips one byte.
void BytePipe::State::skip_zero() {
    if (!std::exchange(lost, true) && !pieces.empty()) ++shared->torn;
    pieces.clear();
    ++shared->begin;
}

// Takes the next message from the buffer. False: its end is not in the buffer yet.
bool BytePipe::State::next_message(std::string& message) {
    SharedState& s = *shared;
    while (s.end - s.begin >= sizeof(Header)) {
        Header header;
        std::memcpy(&header, &s.buffer[s.begin], sizeof header);
        if (is_of_zeros(header)) {
            skip_zero();
            continue;
        }
        if (header.own_sum != sum_of(header) || header.place > header.total) {
            lose_place();
            continue;
        }
        const std::size_t size = piece_size(header);
        if (s.end - s.begin < sizeof header + size) return false;
        const unsigned char* const data = &s.buffer[s.begin + sizeof header];
        if (sum_of_piece(header, data) != header.sum) {
            lose_place();
            continue;
        }
        lost = false;
        const bool complete = take(header, data, message);
        s.begin += static_cast<std::uint32_t>(sizeof header + size);
        if (!complete) continue;
        s.read.store(std::max(header.number, s.read.load(std::memory_order_relaxed)),
                     std::memory_order_release);
        return true;
    }
    return false;
}

void busy_wait(std::chrono::nanoseconds time) {
    for (const auto until = Wait::Clock::now() + time; Wait::Clock::now() < until;) {
    }
}

// To be called before an empty buffer is filled. A reader that fetches each message alone competes
// with its writers for the pipe once per message, and each time it sleeps a writer must wake it. So
// it first polls the number of written messages, for a few microseconds at most, and for a shorter
// time if the last polls found nothing. If messages come in quick succession, it lets about a dozen
// of them gather. This only saves time: what is in the pipe is read in any case.
void BytePipe::State::let_messages_gather() {
    constexpr std::chrono::nanoseconds glance{400}, while_they_come{8000};
    constexpr int most_patience = 32;
    const auto written = [&] { return shared->written.load(std::memory_order_relaxed); };
    const std::uint64_t read = shared->read.load(std::memory_order_relaxed);
    for (int looks = 0; written() <= read; ++looks) {
        if (looks == patience) {
            patience = std::max(1, patience / 2);
            return;
        }
        busy_wait(glance);
    }
    patience = std::min(most_patience, 2 * patience);
    const std::uint64_t seen = written();
    busy_wait(glance);
    if (written() != seen) busy_wait(while_they_come);
}

bool BytePipe::State::fill_buffer() {
    SharedState& s = *shared;
    if (s.begin == s.end) s.begin = s.end = 0;
    if (s.begin > 0 && s.buffer.size() - s.end < PIPE_BUF) {
        std::memmove(s.buffer.data(), &s.buffer[s.begin], s.end - s.begin);
        s.end -= s.begin;
        s.begin = 0;
    }
    const ssize_t got = ::read(read_end, &s.buffer[s.end], s.buffer.size() - s.end);
    LANES_REQUIRE(got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)),
                  "PipeQueue::get: reading failed (", std::strerror(errno), "). Make a new queue.");
    if (got > 0) s.end += static_cast<std::uint32_t>(got);
    return got > 0;
}

bool BytePipe::State::sleep(const Wait& wait) {
    pollfd something{read_end, POLLIN, 0};
    const auto left =
        std::chrono::duration_cast<std::chrono::microseconds>(wait.next_poll() - Wait::Clock::now())
            .count();
    if (left > 0 && poll(&something, 1, static_cast<int>((left + 999) / 1000)) > 0) return true;
    return wait.keep_waiting();
}

bool BytePipe::get(std::string& message, double seconds, const std::function<void()>* on_wait) {
    const Wait wait("PipeQueue::get", seconds, on_wait);
    SharedState& shared = *state_->shared;
    LANES_REQUIRE(shared.reading.try_lock(),
                  "PipeQueue::get: another process or thread reads from this queue. Only one may "
                  "read at a time. Use one reader, or protect get with a lock.");
    const std::unique_ptr<RobustMutex, void (*)(RobustMutex*)> unlocking(
        &shared.reading, [](RobustMutex* lock) { lock->unlock(); });
    Wait::Clock::time_point alone_since{};
    while (!state_->next_message(message)) {
        if (seconds > 0 && shared.begin == shared.end && state_->pieces.empty())
            state_->let_messages_gather();
        if (state_->fill_buffer()) continue;
        if (!state_->sleep(wait)) return false;
        if (on_wait || inside_worker() || shared.put_by_maker) continue;
        const WorkerCounts workers = count_workers();
        if (workers.running > 0 || workers.ever == state_->started_before ||
            alone_since == Wait::Clock::time_point{})
            alone_since = Wait::Clock::now();
        LANES_REQUIRE(Wait::Clock::now() - alone_since < std::chrono::seconds(1),
                      "PipeQueue::get: the queue is empty, and all workers have ended. Call get as "
                      "often as put was called.");
    }
    return true;
}

std::size_t BytePipe::length() const {
    const std::uint64_t read = state_->shared->read, written = state_->shared->written;
    return written > read ? static_cast<std::size_t>(written - read) : 0;
}

std::size_t BytePipe::damaged_messages() const { return state_->shared->torn; }

}  // namespace lanes
