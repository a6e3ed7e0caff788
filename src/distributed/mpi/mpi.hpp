// Calls of MPI: types, operations, and errors as exceptions.
#pragma once

#include "lanes/distributed/communicator.hpp"

#define OMPI_SKIP_MPICXX  // the functions of C alone
#include <mpi.h>

#include <cstddef>

namespace lanes::distributed {

MPI_Datatype type_of(Element element);
MPI_Op operation_of(Reduce reduce);

// Throws Error unless code is MPI_SUCCESS.
void require_success(int code, const char* operation);

// The number of elements as MPI takes it. Throws Error if there are too many.
int count_of(const Numbers& values, const char* operation);

// Throws Error on all ranks if they do not bring the same number of elements.
void require_equal_counts(MPI_Comm comm, std::size_t count, const char* operation);

}  // namespace lanes::distributed
