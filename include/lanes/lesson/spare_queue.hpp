// The library's versions of what students write in the notebook 05_queue: cells go on with them
// while an answer is missing.
//
//   const auto count = lanes::spare::shared_counter();
//   ++*count;
//   const auto slots = lanes::spare::slots(1024);
//   slots->claim()[0] = 'x';
//   slots->publish();
#pragma once

#include "lanes/parallel/queue.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

// Slots of shared memory that one writer process fills in place and one reader process reads in
// place, in turn: nothing is copied.
class Slots {
public:
    virtual ~Slots() = default;

    virtual char* claim() = 0;        // the writer: waits for a free slot
    virtual void publish() = 0;       // the slot of the last claim is filled
    virtual const char* front() = 0;  // the reader: waits for the oldest filled slot
    virtual void release() = 0;       // that slot is free again
};

namespace spare {

// Signals do not end them. Errors, the end of the stream and the interrupt button throw Error.
void write_all(int fd, const void* data, std::size_t size);
void read_all(int fd, void* data, std::size_t size);

// A message is its length, a std::size_t, and then its bytes.
void send_message(int fd, const std::string& message);
std::string receive_message(int fd);

std::shared_ptr<std::atomic<long>> shared_counter();  // 0, shared with processes that are forked

// Writes the bytes while no other process does so; all calls in the session share one lock.
void put_in_turn(int fd, const std::string& bytes);

// A pipe, a lock for writers and a counter, as the lesson builds it: if a writer is killed in put,
// all others wait forever.
std::shared_ptr<Queue<std::string>> queue();

std::shared_ptr<Slots> slots(std::size_t slot_size);  // eight

double percentile(const std::vector<double>& sorted, double p);

}  // namespace spare

}  // namespace lanes
