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

// Throws Error on all ranks if they do not bring as many bytes, or different types.
void require_equal(MPI_Comm comm, const Numbers& values, const char* operation);

// The size of a message that has arrived. An int, as MPI_Get_count gives, ends at 2 GiB.
std::size_t bytes_of(const MPI_Status& status);

}  // namespace lanes::distributed
