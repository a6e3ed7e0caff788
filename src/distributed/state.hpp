// What a Communicator does, by whatever carries the messages: MPI (src/distributed/mpi), or the
// simulation in one process (simulated_world.hpp).
#pragma once

#include "lanes/distributed/communicator.hpp"

#include <memory>

namespace lanes::distributed {

const char* name_of(Element element);  // as C++ writes it: "float"

struct RequestState {
    virtual ~RequestState() = default;
    virtual bool done() = 0;
    virtual void wait() = 0;
};

struct CommunicatorState {
    int rank = 0;
    int size = 1;

    virtual ~CommunicatorState() = default;
    virtual void send(const Numbers& values, int to, int tag) = 0;
    virtual int receive(const Numbers& values, int from, int tag) = 0;
    virtual std::unique_ptr<RequestState> start_send(const Numbers& values, int to, int tag) = 0;
    virtual std::unique_ptr<RequestState> start_receive(const Numbers& values, int from,
                                                        int tag) = 0;
    virtual std::unique_ptr<RequestState> start_all_reduce(const Numbers& values,
                                                           Reduce reduce) = 0;
    virtual void barrier() = 0;
    virtual void broadcast(const Numbers& values, int root) = 0;
    virtual void all_reduce(const Numbers& values, Reduce reduce) = 0;
    virtual void gather(const Numbers& values, void* all, int root) = 0;
    virtual std::shared_ptr<CommunicatorState> split(int colour) = 0;
};

}  // namespace lanes::distributed
