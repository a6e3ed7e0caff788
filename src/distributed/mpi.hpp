// Calls of MPI: types, operations, and errors as exceptions.
#pragma once

#include "lanes/distributed/communicator.hpp"

#include <mpi.h>

namespace lanes::distributed {

struct CommunicatorState {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int size = 1;

    explicit CommunicatorState(MPI_Comm comm);
    ~CommunicatorState();
    CommunicatorState(const CommunicatorState&) = delete;
    CommunicatorState& operator=(const CommunicatorState&) = delete;
};

MPI_Datatype type_of(Element element);
MPI_Op operation_of(Reduce reduce);

// Throws Error unless code is MPI_SUCCESS.
void require_success(int code, const char* operation);

// The number of elements as MPI takes it. Throws Error if there are too many.
int count_of(const Numbers& values, const char* operation);

// Throws Error on all ranks if they do not bring the same number of elements.
void require_equal_counts(const CommunicatorState& state, std::size_t count, const char* operation);

}  // namespace lanes::distributed
