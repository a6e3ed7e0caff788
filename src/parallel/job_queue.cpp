#include "lanes/parallel/job_queue.hpp"

#include "event.hpp"
#include "lanes/base/error.hpp"
#include "robust_mutex.hpp"
#include "shared_memory.hpp"
#include "wait.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace lanes {

namespace {

using namespace parallel;

struct Record {
    std::uint64_t size;
    std::uint64_t ticket;  // from 1 on; no two jobs of a queue have the same one
};

// What a process has got last.
struct Holder {
    std::atomic<int> pid{0};
    std::atomic<std::uint64_t> ticket{0};  // of a job; 0: none
    std::atomic<bool> saw_end{false};      // that the queue is closed and empty
};

struct SharedState {
    RobustMutex lock;
    unsigned recounted_deaths = 0;  // lock.owner_deaths() when `count` was last computed again
    std::atomic<bool> closed{false};
    // Positions in an endless sequence of bytes; the bytes between them are in the ring. Each is
    // changed by one store, as the last step of an operation.
    std::atomic<std::uint64_t> head{0}, tail{0};
    std::atomic<std::uint64_t> count{0};
    Event jobs, room;
    std::array<Holder, 1024> holders;
};

}  // namespace

struct ByteJobs::State {
    // Twice the capacity, so that jobs which come back always find room.
    explicit State(std::size_t capacity_)
        : capacity(capacity_), ring(2 * capacity_ + 4096), shared("lanes-jobs", ring) {
        shared->head = shared->tail = ring << 20;  // far from 0, so that jobs can be put in front
    }

    void copy_in(std::uint64_t place, const void* data, std::size_t size);
    void copy_out(std::uint64_t place, void* data, std::size_t size) const;
    Record record_at(std::uint64_t place) const {
        Record record{};
        copy_out(place, &record, sizeof record);
        return record;
    }
    void recount();
    Holder* holder_of(int pid);
    Holder& own_holder();
    bool in_ring(std::uint64_t ticket) const;
    void forget_finished();

    std::size_t capacity;
    std::uint64_t ring;
    Shared<SharedState> shared;

    // In the process that puts: the jobs that may come back, and how often they did.
    struct Kept {
        std::string bytes;
        int returns = 0;
    };
    std::unordered_map<std::uint64_t, Kept> kept;
    std::uint64_t next_ticket = 1;
    std::size_t look_for_finished_at = 256;
};

namespace {

// Holds the lock. If a holder has died, the count is computed again.
template <class State>
class Inside {
public:
    Inside(State& state, const Wait& wait) : guard_(state.shared->lock, wait) {
        if (guard_ && state.shared->recounted_deaths != state.shared->lock.owner_deaths())
            state.recount();
    }

    explicit operator bool() const { return static_cast<bool>(guard_); }

private:
    Guard guard_;
};

}  // namespace

ByteJobs::ByteJobs(std::size_t capacity_bytes) : state_(std::make_unique<State>(capacity_bytes)) {}
ByteJobs::ByteJobs(ByteJobs&&) noexcept = default;
ByteJobs& ByteJobs::operator=(ByteJobs&&) noexcept = default;
ByteJobs::~ByteJobs() = default;

// --- The ring

void ByteJobs::State::copy_in(std::uint64_t place, const void* data, std::size_t size) {
    const auto at = static_cast<std::size_t>(place % ring),
               before_end = std::min<std::size_t>(size, ring - at);
    std::memcpy(shared.extra() + at, data, before_end);
    std::memcpy(shared.extra(), static_cast<const unsigned char*>(data) + before_end,
                size - before_end);
}

void ByteJobs::State::copy_out(std::uint64_t place, void* data, std::size_t size) const {
    const auto at = static_cast<std::size_t>(place % ring),
               before_end = std::min<std::size_t>(size, ring - at);
    std::memcpy(data, shared.extra() + at, before_end);
    std::memcpy(static_cast<unsigned char*>(data) + before_end, shared.extra(), size - before_end);
}

void ByteJobs::State::recount() {
    std::uint64_t count = 0;
    for (std::uint64_t place = shared->head; place != shared->tail;
         place += sizeof(Record) + record_at(place).size)
        ++count;
    shared->count = count;
    shared->recounted_deaths = shared->lock.owner_deaths();
}

bool ByteJobs::State::in_ring(std::uint64_t ticket) const {
    for (std::uint64_t place = shared->head; place != shared->tail;) {
        const Record record = record_at(place);
        if (record.ticket == ticket) return true;
        place += sizeof record + record.size;
    }
    return false;
}

// --- Which process holds which job

Holder* ByteJobs::State::holder_of(int pid) {
    for (Holder& holder : shared->holders)
        if (holder.pid == pid) return &holder;
    return nullptr;
}

Holder& ByteJobs::State::own_holder() {
    const int self = getpid();
    if (Holder* const known = holder_of(self)) return *known;
    Holder* free = holder_of(0);
    for (Holder& holder : shared->holders)
        if (!free && holder.ticket == 0 && kill(holder.pid, 0) != 0 && errno == ESRCH)
            free = &holder;
    LANES_REQUIRE(free, "JobQueue::get: more than ", shared->holders.size(),
                  " workers take jobs from one queue. Start fewer.");
    free->ticket = 0;
    free->saw_end = false;
    free->pid = self;
    return *free;
}

void ByteJobs::State::forget_finished() {
    if (kept.size() < look_for_finished_at) return;
    std::unordered_map<std::uint64_t, Kept> open;
    const auto keep = [&](std::uint64_t ticket) {
        if (const auto found = kept.find(ticket); found != kept.end())
            open.insert(kept.extract(found));
    };
    for (std::uint64_t place = shared->head; place != shared->tail;) {
        const Record record = record_at(place);
        keep(record.ticket);
        place += sizeof record + record.size;
    }
    for (const Holder& holder : shared->holders) keep(holder.ticket);
    kept.swap(open);
    look_for_finished_at = std::max<std::size_t>(256, 2 * kept.size());
}

int ByteJobs::requeue_job_of(int pid) {
    const Wait wait("JobQueue::requeue_job_of", forever);
    State& state = *state_;
    SharedState& shared = *state.shared;
    const Inside inside(state, wait);
    Holder* const holder = state.holder_of(pid);
    if (!holder) return 0;
    const std::uint64_t ticket = holder->ticket;
    holder->ticket = 0;
    holder->pid = 0;
    const auto kept = state.kept.find(ticket);
    if (kept == state.kept.end()) return 0;
    // It died inside get, before the job left the ring.
    if (state.in_ring(ticket)) return ++kept->second.returns;
    const std::string& bytes = kept->second.bytes;
    const std::uint64_t size = sizeof(Record) + bytes.size(), place = shared.head - size;
    LANES_REQUIRE(shared.tail - place <= state.ring,
                  "JobQueue::requeue_job_of: no room for a job of ", bytes.size(),
                  " bytes that comes back. Make the queue larger.");
    const Record record{bytes.size(), ticket};
    state.copy_in(place, &record, sizeof record);
    state.copy_in(place + sizeof record, bytes.data(), bytes.size());
    shared.head.store(place);
    ++shared.count;
    shared.jobs.notify_one();
    return ++kept->second.returns;
}

bool ByteJobs::saw_end(int pid) const {
    const Holder* const holder = state_->holder_of(pid);
    return holder && holder->saw_end;
}

// --- Putting and getting

std::size_t ByteJobs::put(std::string* jobs, std::size_t count, double seconds,
                          const std::function<void()>* on_wait) {
    if (count == 0) return 0;
    const Wait wait("JobQueue::put", seconds, on_wait);
    State& state = *state_;
    SharedState& shared = *state.shared;
    const auto needed = [&](std::size_t i) { return sizeof(Record) + jobs[i].size(); };
    for (std::size_t i = 0; i < count; ++i)
        LANES_REQUIRE(needed(i) <= state.capacity, "JobQueue::put: a job of ", jobs[i].size(),
                      " bytes in a queue of ", state.capacity, ". Make the queue larger.");
    do {
        const std::uint32_t seen = shared.room.seen();
        {
            const Inside inside(state, wait);
            if (!inside) return 0;
            LANES_REQUIRE(!shared.closed, "JobQueue::put: the queue is closed. Make a new one.");
            // Before the new jobs are recorded, which are neither in the ring nor held by a worker.
            state.forget_finished();
            const std::uint64_t head = shared.head, begin = shared.tail;
            std::uint64_t tail = begin;
            std::size_t done = 0;
            for (; done < count && tail - head + needed(done) <= state.capacity; ++done) {
                const Record record{jobs[done].size(), state.next_ticket++};
                state.copy_in(tail, &record, sizeof record);
                state.copy_in(tail + sizeof record, jobs[done].data(), record.size);
                state.kept[record.ticket].bytes = std::move(jobs[done]);
                tail += sizeof record + record.size;
            }
            if (done > 0) {
                shared.tail.store(tail);
                shared.count += done;
                // Only one worker is woken; it wakes the next one if there are more jobs. Waking
                // takes several microseconds, and the process that puts is the bottleneck.
                head == begin ? shared.jobs.notify_one() : shared.jobs.advance();
                return done;
            }
        }
        shared.room.sleep(seen, wait);
    } while (wait.keep_waiting());
    return 0;
}

bool ByteJobs::get(std::string& job, double seconds) {
    const Wait wait("JobQueue::get", seconds);
    State& state = *state_;
    SharedState& shared = *state.shared;
    do {
        const std::uint32_t seen = shared.jobs.seen();
        bool got = false, more = false;
        {
            const Inside inside(state, wait);
            if (!inside) return false;
            Holder& holder = state.own_holder();
            holder.ticket = 0;  // a worker that asks for a job has finished its last one
            holder.saw_end = shared.closed && shared.head == shared.tail;
            if (shared.head != shared.tail) {
                const Record record = state.record_at(shared.head);
                job.resize(record.size);
                state.copy_out(shared.head + sizeof record, job.data(), record.size);
                holder.ticket = record.ticket;
                shared.head.store(shared.head + sizeof record + record.size);
                --shared.count;
                got = true;
                more = shared.head != shared.tail;
            } else if (holder.saw_end) {
                return false;
            }
        }
        if (more) shared.jobs.wake_another();
        if (got) return shared.room.notify_one(), true;
        shared.jobs.sleep(seen, wait);
    } while (wait.keep_waiting());
    return false;
}

void ByteJobs::close() {
    state_->shared->closed = true;
    state_->shared->jobs.notify_all();
    state_->shared->room.notify_all();
}

bool ByteJobs::closed() const { return state_->shared->closed; }

void ByteJobs::clear() {
    const Wait wait("JobQueue::clear", forever);
    const Inside inside(*state_, wait);
    state_->shared->head.store(state_->shared->tail);
    state_->shared->count = 0;
    state_->kept.clear();  // jobs that workers hold now do not come back either
    state_->shared->room.notify_one();
}

std::size_t ByteJobs::length() const {
    return static_cast<std::size_t>(state_->shared->count.load());
}

}  // namespace lanes
