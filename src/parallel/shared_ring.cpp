#include "lanes/parallel/shared_ring.hpp"

#include "base/math.hpp"
#include "event.hpp"
#include "lanes/base/error.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "shared_memory.hpp"
#include "wait.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>

namespace lanes {

namespace {

using namespace parallel;

struct SharedState {
    std::atomic<bool> closed{false};
    Event released;
};

// The process that uses a slot, by its pid: after its death its slots can be found.
struct Owner {
    static constexpr int nobody = 0, reader = -1;
    std::atomic<int> who{nobody};
};

struct Index {
    std::uint64_t slot, size, tag;
};

constexpr std::size_t line = 64;
constexpr std::size_t up_to_line(std::size_t bytes) { return round_up(bytes, line); }

}  // namespace

struct SharedRing::State {
    State(std::size_t slots_, std::size_t bytes)
        : slots(slots_),
          slot_bytes(bytes),
          stride(up_to_line(bytes)),
          owners_bytes(up_to_line(slots_ * sizeof(Owner))),
          shared("lanes-ring"),
          memory("lanes-slots", owners_bytes + slots_ * stride) {}

    Owner& owner(std::size_t slot) const { return static_cast<Owner*>(memory.data())[slot]; }
    unsigned char* data(std::size_t slot) const {
        return static_cast<unsigned char*>(memory.data()) + owners_bytes + slot * stride;
    }

    void release(std::size_t slot) const {
        owner(slot).who.store(Owner::nobody, std::memory_order_release);
        shared->released.notify_one();
    }

    bool receive(double seconds) {
        const std::function<void()> nothing = [] {};
        std::string bytes;
        if (!indices.get(bytes, seconds, &nothing)) return false;
        received.push_back(Message<Index>::from(bytes));
        owner(received.back().slot).who = Owner::reader;
        return true;
    }

    std::size_t slots, slot_bytes, stride, owners_bytes;
    Shared<SharedState> shared;
    SharedMemory memory;  // owners, then slots
    BytePipe indices;
    std::deque<Index> received;  // in the reader: taken from the queue, not yet returned by get
};

SharedRing::SharedRing(std::size_t slots, std::size_t slot_bytes) {
    LANES_REQUIRE(slots > 0 && slot_bytes > 0, "SharedRing: ", slots, " slots of ", slot_bytes,
                  " bytes. Both must be above 0.");
    state_ = std::make_shared<State>(slots, slot_bytes);
}

SharedRing::~SharedRing() = default;

// --- Writing

SharedRing::Slot::Slot(std::shared_ptr<State> state, std::size_t number)
    : state_(std::move(state)),
      number_(number),
      data_(state_->data(number)),
      capacity_(state_->slot_bytes) {}

SharedRing::Slot::Slot(Slot&& other) noexcept
    : state_(std::move(other.state_)),
      number_(other.number_),
      data_(other.data_),
      capacity_(other.capacity_) {}

SharedRing::Slot::~Slot() {
    if (state_) state_->release(number_);
}

void SharedRing::Slot::publish(std::size_t bytes, std::uint64_t tag) {
    LANES_REQUIRE(state_, "SharedRing: a slot is published twice. Claim another one.");
    LANES_REQUIRE(bytes <= capacity_, "SharedRing: ", bytes, " bytes published from a slot of ",
                  capacity_, ". Make the slots larger.");
    const Index index{number_, bytes, tag};
    state_->indices.put(&index, sizeof index);
    state_.reset();
}

std::optional<SharedRing::Slot> SharedRing::claim(double seconds) {
    const Wait wait("SharedRing::claim", seconds);
    SharedState& shared = *state_->shared;
    const int self = getpid();
    do {
        const std::uint32_t seen = shared.released.seen();
        if (shared.closed) return {};
        for (std::size_t slot = 0; slot < state_->slots; ++slot) {
            std::atomic<int>& who = state_->owner(slot).who;
            int nobody = Owner::nobody;
            // Read first: a failing compare_exchange would take the cache line away from the core
            // that is about to release the slot.
            if (who.load(std::memory_order_relaxed) == nobody &&
                who.compare_exchange_strong(nobody, self, std::memory_order_acq_rel))
                return Slot(state_, slot);
        }
        shared.released.sleep(seen, wait);
    } while (wait.keep_waiting());
    return {};
}

// --- Reading

SharedRing::Filled::Filled(std::shared_ptr<State> state, std::size_t number, std::size_t size,
                           std::uint64_t tag)
    : state_(std::move(state)),
      number_(number),
      data_(state_->data(number)),
      size_(size),
      tag_(tag),
      process_(getpid()) {}

SharedRing::Filled::Filled(Filled&& other) noexcept
    : state_(std::move(other.state_)),
      number_(other.number_),
      data_(other.data_),
      size_(other.size_),
      tag_(other.tag_),
      process_(other.process_) {}

SharedRing::Filled& SharedRing::Filled::operator=(Filled&& other) noexcept {
    if (this == &other) return *this;
    release();
    state_ = std::move(other.state_);
    number_ = other.number_;
    data_ = other.data_;
    size_ = other.size_;
    tag_ = other.tag_;
    process_ = other.process_;
    return *this;
}

SharedRing::Filled::~Filled() { release(); }

void SharedRing::Filled::release() {
    if (state_ && process_ == getpid()) state_->release(number_);
    state_.reset();
}

std::optional<SharedRing::Filled> SharedRing::get(double seconds,
                                                  const std::function<void()>* on_wait) {
    const Wait wait("SharedRing::get", seconds, on_wait);
    const double slice = std::min(seconds, std::chrono::duration<double>(poll_interval).count());
    // keep_waiting is called between two gets of the queue, not inside one: on_wait may call
    // reclaim_slots_of, which reads the queue, too.
    while (state_->received.empty() && !state_->receive(slice))
        if (state_->shared->closed || !wait.keep_waiting()) return {};
    const Index next = state_->received.front();
    state_->received.pop_front();
    return Filled(state_, next.slot, next.size, next.tag);
}

void SharedRing::close() {
    state_->shared->closed = true;
    state_->shared->released.notify_all();
}

bool SharedRing::closed() const { return state_->shared->closed; }
std::size_t SharedRing::slots() const { return state_->slots; }
std::size_t SharedRing::length() const {
    return state_->received.size() + state_->indices.length();
}

std::size_t SharedRing::free_slots() const {
    std::size_t free = 0;
    for (std::size_t slot = 0; slot < state_->slots; ++slot)
        free += state_->owner(slot).who == Owner::nobody ? 1 : 0;
    return free;
}

void SharedRing::reclaim_slots_of(int pid) {
    while (state_->receive(0)) {  // slots that it has published now belong to the reader
    }
    for (std::size_t slot = 0; slot < state_->slots; ++slot)
        if (state_->owner(slot).who == pid) state_->release(slot);
}

}  // namespace lanes
