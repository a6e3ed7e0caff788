#include "mpi.hpp"

#include <climits>
#include <string_view>

namespace lanes::distributed {

MPI_Datatype type_of(Element element) {
    switch (element) {
        case Element::int8:
            return MPI_INT8_T;
        case Element::uint8:
            return MPI_UINT8_T;
        case Element::int32:
            return MPI_INT32_T;
        case Element::uint32:
            return MPI_UINT32_T;
        case Element::int64:
            return MPI_INT64_T;
        case Element::uint64:
            return MPI_UINT64_T;
        case Element::float32:
            return MPI_FLOAT;
        case Element::float64:
            return MPI_DOUBLE;
    }
    return MPI_DATATYPE_NULL;
}

MPI_Op operation_of(Reduce reduce) {
    switch (reduce) {
        case Reduce::sum:
            return MPI_SUM;
        case Reduce::product:
            return MPI_PROD;
        case Reduce::min:
            return MPI_MIN;
        case Reduce::max:
            return MPI_MAX;
    }
    return MPI_OP_NULL;
}

void require_success(int code, const char* operation) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw Error("Communicator::", operation,
                ": MPI says: ", std::string_view(text, static_cast<std::size_t>(length)), ".");
}

int count_of(const Numbers& values, const char* operation) {
    LANES_REQUIRE(values.count <= INT_MAX, "Communicator::", operation, ": ", values.count,
                  " elements; MPI takes at most ", INT_MAX, " at once. Send them in parts.");
    return static_cast<int>(values.count);
}

void require_equal_counts(MPI_Comm comm, std::size_t count, const char* operation) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (size == 1) return;
    long long most[2] = {static_cast<long long>(count), -static_cast<long long>(count)};
    require_success(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_LONG_LONG, MPI_MAX, comm), operation);
    LANES_REQUIRE(most[0] == -most[1], "Communicator::", operation, ": the ranks bring between ",
                  -most[1], " and ", most[0], " elements, rank ", rank, " brings ", count,
                  ". All must bring the same number.");
}

}  // namespace lanes::distributed
