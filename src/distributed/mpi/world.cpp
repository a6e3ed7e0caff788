// The Communicator of processes that mpirun or srun has started: MPI carries its messages.
#include "mpi.hpp"

#include "base/kept_process.hpp"
#include "distributed/state.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace lanes {

namespace distributed {

namespace {

pid_t started_by = 0;  // MPI

// On this machine: mpirun says how many ranks, srun how many machines a program has.
bool all_ranks_are_here() {
    const char* ranks = std::getenv("OMPI_COMM_WORLD_SIZE");
    const char* here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (ranks && here) return std::strcmp(ranks, here) == 0;
    const char* machines = std::getenv("SLURM_STEP_NUM_NODES");
    return machines && std::strcmp(machines, "1") == 0;
}

// At the end of the program. A rank that ends with an error must not wait for the others, as
// MPI_Finalize does: they may wait for its messages.
void end_mpi(int status, void*) {
    if (started_by != getpid()) return;  // a worker
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized) return;
    if (status == 0)
        MPI_Finalize();
    else
        MPI_Abort(MPI_COMM_WORLD, status);
}

struct MpiRequest : RequestState {
    MPI_Request request = MPI_REQUEST_NULL;
    Numbers values{};
    const char* operation = "";
    bool receives = false;

    bool done() override {
        if (request == MPI_REQUEST_NULL) return true;
        int done = 0;
        MPI_Status status;
        require_success(MPI_Test(&request, &done, &status), operation);
        if (done) check(status);
        return done != 0;
    }

    void wait() override {
        if (request == MPI_REQUEST_NULL) return;
        MPI_Status status;
        require_success(MPI_Wait(&request, &status), operation);
        check(status);
    }

    void check(const MPI_Status& status) const {
        if (!receives) return;
        const std::size_t bytes = bytes_of(status);
        LANES_REQUIRE(bytes == values.bytes(), "Communicator::", operation, ": rank ",
                      status.MPI_SOURCE, " has sent ", bytes, " bytes, ", values.bytes(),
                      " are expected, which are ", values.count,
                      " elements. Both sides must use the same type and size.");
    }
};

int source_of(int rank) { return rank == Communicator::any_rank ? MPI_ANY_SOURCE : rank; }

class MpiState : public CommunicatorState {
public:
    explicit MpiState(MPI_Comm comm) : comm_(comm) {
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        MPI_Comm_rank(comm_, &rank);
        MPI_Comm_size(comm_, &size);
    }
    ~MpiState() override {
        if (comm_ == MPI_COMM_WORLD) return;
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (!finalized) MPI_Comm_free(&comm_);
    }
    MpiState(const MpiState&) = delete;
    MpiState& operator=(const MpiState&) = delete;

    void send(const Numbers& values, int to, int tag) override {
        require_success(MPI_Send(values.data, count_of(values, "send"), type_of(values.element), to,
                                 tag, comm_),
                        "send");
    }

    int receive(const Numbers& values, int from, int tag) override {
        MPI_Message message;
        MPI_Status status;
        require_success(MPI_Mprobe(source_of(from), tag, comm_, &message, &status), "receive");
        const std::size_t bytes = bytes_of(status);
        const bool fits = bytes == values.bytes();
        // Taken all the same, or it would be the next. Eight bytes each: their number is an int.
        std::vector<std::int64_t> other(fits ? 0 : (bytes + 7) / 8);
        const Numbers place = fits ? values : Numbers{other.data(), other.size(), Element::int64};
        require_success(MPI_Mrecv(place.data, count_of(place, "receive"), type_of(place.element),
                                  &message, MPI_STATUS_IGNORE),
                        "receive");
        LANES_REQUIRE(fits, "Communicator::receive: rank ", status.MPI_SOURCE, " has sent ", bytes,
                      " bytes, rank ", rank, " expects ", values.bytes(), ", which are ",
                      values.count, " elements. Both sides must use the same type and size.");
        return status.MPI_SOURCE;
    }

    std::unique_ptr<RequestState> start_send(const Numbers& values, int to, int tag) override {
        auto state = request("start_send", values);
        require_success(MPI_Isend(values.data, count_of(values, "start_send"),
                                  type_of(values.element), to, tag, comm_, &state->request),
                        "start_send");
        return state;
    }

    std::unique_ptr<RequestState> start_receive(const Numbers& values, int from, int tag) override {
        auto state = request("start_receive", values);
        state->receives = true;
        require_success(
            MPI_Irecv(values.data, count_of(values, "start_receive"), type_of(values.element),
                      source_of(from), tag, comm_, &state->request),
            "start_receive");
        return state;
    }

    std::unique_ptr<RequestState> start_all_reduce(const Numbers& values, Reduce reduce) override {
        auto state = request("start_all_reduce", values);
        require_success(
            MPI_Iallreduce(MPI_IN_PLACE, values.data, count_of(values, "start_all_reduce"),
                           type_of(values.element), operation_of(reduce), comm_, &state->request),
            "start_all_reduce");
        return state;
    }

    void barrier() override { require_success(MPI_Barrier(comm_), "barrier"); }

    void broadcast(const Numbers& values, int root) override {
        require_equal(comm_, values, "broadcast");
        require_success(MPI_Bcast(values.data, count_of(values, "broadcast"),
                                  type_of(values.element), root, comm_),
                        "broadcast");
    }

    void all_reduce(const Numbers& values, Reduce reduce) override {
        require_equal(comm_, values, "all_reduce");
        require_success(MPI_Allreduce(MPI_IN_PLACE, values.data, count_of(values, "all_reduce"),
                                      type_of(values.element), operation_of(reduce), comm_),
                        "all_reduce");
    }

    void gather(const Numbers& values, void* all, int root) override {
        require_equal(comm_, values, "gather");
        const int count = count_of(values, "gather");
        require_success(MPI_Gather(values.data, count, type_of(values.element), all, count,
                                   type_of(values.element), root, comm_),
                        "gather");
    }

    std::shared_ptr<CommunicatorState> split(int colour) override {
        MPI_Comm part = MPI_COMM_NULL;
        require_success(MPI_Comm_split(comm_, colour, rank, &part), "split");
        return std::make_shared<MpiState>(part);
    }

private:
    static std::unique_ptr<MpiRequest> request(const char* operation, const Numbers& values) {
        auto state = std::make_unique<MpiRequest>();
        state->operation = operation;
        state->values = values;
        return state;
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

}  // namespace distributed

Communicator Communicator::world() {
    static const auto state = [] {
        int running = 0;
        MPI_Initialized(&running);
        if (!running) {
            // For MPI_Iallreduce in place, Open MPI 4.1.4 chooses a tree that carries whole arrays:
            // on two ranks 400 kB take 0.15 ms, and 0.085 ms in this way. A user's choice is kept.
            setenv("OMPI_MCA_coll_libnbc_iallreduce_algorithm", "rabenseifner", 0);
            // On one machine no network is needed. Open MPI 5.0.7 prints "Unable to find reachable
            // pairing between local and remote interfaces" if the machine also has IPv6 addresses.
            if (distributed::all_ranks_are_here() && !std::getenv("OMPI_MCA_btl_tcp_if_exclude"))
                setenv("OMPI_MCA_btl_tcp_if_include", "lo", 0);
            int provided = 0;
            distributed::require_success(
                MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "world");
            distributed::started_by = getpid();
            on_exit(distributed::end_mpi, nullptr);
        }
        static const KeptProcess kept{"MPI"};  // a fork cannot use it
        return std::make_shared<distributed::MpiState>(MPI_COMM_WORLD);
    }();
    return Communicator(state);
}

}  // namespace lanes
