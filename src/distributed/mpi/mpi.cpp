#include "mpi.hpp"

#include "distributed/state.hpp"

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

void require_equal(MPI_Comm comm, const Numbers& values, const char* operation) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (size == 1) return;
    const auto bytes = static_cast<long long>(values.bytes());
    const auto type = static_cast<long long>(values.element);
    long long most[4] = {bytes, -bytes, type, -type};
    require_success(MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_LONG_LONG, MPI_MAX, comm), operation);
    LANES_REQUIRE(most[0] == -most[1], "Communicator::", operation, ": the ranks bring between ",
                  -most[1], " and ", most[0], " bytes, rank ", rank, " brings ", bytes,
                  ". All must bring the same number and type.");
    LANES_REQUIRE(most[2] == -most[3], "Communicator::", operation, ": the ranks bring ",
                  name_of(static_cast<Element>(-most[3])), " and ",
                  name_of(static_cast<Element>(most[2])), ", rank ", rank, " brings ",
                  name_of(values.element), ". All must bring the same type.");
}

std::size_t bytes_of(const MPI_Status& status) {
    MPI_Count bytes = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    return static_cast<std::size_t>(bytes);
}

}  // namespace lanes::distributed
