// Batches without a copy: writers fill slots of shared memory in place, and only the slot's number
// goes through a queue. If all slots are in use, writers wait. Introduced in the notebook 05_queue.
//
//   lanes::SharedRing ring(8, 784 * sizeof(float));  // before the workers are started
//   if (auto slot = ring.claim()) {                  // in a worker; empty: the ring is closed
//       slot->data<float>()[0] = 0.5f;
//       slot->publish(784 * sizeof(float), 3);       // 3: a tag, for example the job's number
//   }
//   if (auto batch = ring.get()) {                   // in one process
//       float first = batch->data<float>()[0];       // the slot is free again when batch ends
//   }
//
// A worker should claim a slot before it takes a job: then the oldest job always has a slot.
//
// If a worker dies, batches that it has published are still delivered. Its unpublished slot stays
// claimed until the reader calls reclaim_slots_of(pid). While it waits, get throws Error with the
// worker's name if a worker was killed, crashed or threw, and if the interrupt button is pressed.
#pragma once

#include "lanes/parallel/process.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace lanes {

class SharedRing {
    struct State;

public:
    SharedRing(std::size_t slots, std::size_t slot_bytes);
    ~SharedRing();

    // A slot to be written. Freed at the end of the scope, unless it was published.
    class Slot {
    public:
        template <class T = unsigned char>
        T* data() const {
            return static_cast<T*>(data_);
        }
        std::size_t capacity() const { return capacity_; }  // bytes
        void publish(std::size_t bytes, std::uint64_t tag = 0);

        Slot(Slot&& other) noexcept;
        Slot& operator=(Slot&&) = delete;
        ~Slot();

    private:
        friend class SharedRing;
        Slot(std::shared_ptr<State> state, std::size_t number);
        std::shared_ptr<State> state_;
        std::size_t number_;
        void* data_;
        std::size_t capacity_;
    };

    // A slot that was filled. Free again at the end of the scope, except in a process that is
    // forked meanwhile: the slot is still that of the process which called get.
    class Filled {
    public:
        template <class T = unsigned char>
        const T* data() const {
            return static_cast<const T*>(data_);
        }
        std::size_t size() const { return size_; }  // bytes
        std::uint64_t tag() const { return tag_; }

        Filled(Filled&& other) noexcept;
        Filled& operator=(Filled&& other) noexcept;
        ~Filled();

    private:
        friend class SharedRing;
        Filled(std::shared_ptr<State> state, std::size_t number, std::size_t size,
               std::uint64_t tag);
        void release();
        std::shared_ptr<State> state_;
        std::size_t number_;
        const void* data_;
        std::size_t size_;
        std::uint64_t tag_;
        int process_;
    };

    // Waits for a free slot. Empty: the ring is closed, or no slot was free within `seconds`.
    std::optional<Slot> claim(double seconds = forever);

    // The next filled slot. Empty: the ring is closed and nothing is left, or none came within
    // `seconds`. on_wait: called in the thread that called get, about every 20 ms while nothing
    // comes, instead of the check of all workers. It may replace workers, call reclaim_slots_of,
    // and throw; get passes the exception on. It must not call get. In a worker process it is not
    // called.
    std::optional<Filled> get(double seconds = forever,
                              const std::function<void()>* on_wait = nullptr);

    void close();
    bool closed() const;
    std::size_t slots() const;
    std::size_t length() const;  // filled and not yet returned by get
    std::size_t free_slots() const;

    // To be called by the reader after the worker `pid` has ended: frees the slots that it had
    // claimed and not published.
    void reclaim_slots_of(int pid);

private:
    std::shared_ptr<State> state_;  // shared with Slot and Filled, which may outlive the ring
};

}  // namespace lanes
