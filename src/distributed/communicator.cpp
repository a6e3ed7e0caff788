#include "lanes/distributed/communicator.hpp"

#include "distributed/mpi.hpp"

#include "lanes/tensor/autograd.hpp"

#include <exception>
#include <string>

namespace lanes {

namespace distributed {

namespace {

std::size_t bytes_of(Element element) {
    switch (element) {
        case Element::int8:
        case Element::uint8:
            return 1;
        case Element::int32:
        case Element::uint32:
        case Element::float32:
            return 4;
        case Element::int64:
        case Element::uint64:
        case Element::float64:
            return 8;
    }
    return 0;
}

}  // namespace

std::size_t Numbers::bytes() const { return count * bytes_of(element); }

Numbers Numbers::part(std::size_t first, std::size_t last) const {
    return {static_cast<char*>(data) + first * bytes_of(element), last - first, element};
}

Access::Access(const Tensor& tensor) : tensor_(tensor) {
    LANES_REQUIRE(tensor.defined(),
                  "Communicator: there is no tensor. Make it with Tensor::zeros, of the size of "
                  "the message.");
    copy_ = tensor.cpu();  // the tensor itself if it is there
    const bool is_float = tensor.dtype() == DType::float32;
    numbers_ = {
        is_float ? static_cast<void*>(copy_.data<float>()) : static_cast<void*>(copy_.data<int>()),
        tensor.size(), is_float ? Element::float32 : Element::int32};
}

void Access::put_back() {
    if (!tensor_.defined() || tensor_.device() == Device::cpu()) return;
    const NoGrad no_grad;
    tensor_.copy_(copy_);
}

struct RequestState {
    MPI_Request request = MPI_REQUEST_NULL;
    Numbers values{};
    const char* operation = "";
    bool receives = false;

    void check(const MPI_Status& status) const {
        if (!receives) return;
        int count = 0;
        MPI_Get_count(&status, type_of(values.element), &count);
        LANES_REQUIRE(static_cast<std::size_t>(count) == values.count, "Communicator::", operation,
                      ": ", values.count, " elements are expected, rank ", status.MPI_SOURCE,
                      " has sent ", count, ".");
    }
};

}  // namespace distributed

using distributed::count_of;
using distributed::Numbers;
using distributed::require_success;
using distributed::type_of;

Request::Request(std::unique_ptr<distributed::RequestState> state) : state_(std::move(state)) {}
Request::Request(Request&&) noexcept = default;

Request& Request::operator=(Request&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

Request::~Request() {
    if (!state_ || state_->request == MPI_REQUEST_NULL) return;
    if (std::uncaught_exceptions() == 0) MPI_Wait(&state_->request, MPI_STATUS_IGNORE);
}

bool Request::done() {
    if (!state_ || state_->request == MPI_REQUEST_NULL) return true;
    int done = 0;
    MPI_Status status;
    require_success(MPI_Test(&state_->request, &done, &status), state_->operation);
    if (done) state_->check(status);
    return done != 0;
}

void Request::wait() {
    if (!state_ || state_->request == MPI_REQUEST_NULL) return;
    MPI_Status status;
    require_success(MPI_Wait(&state_->request, &status), state_->operation);
    state_->check(status);
}

Communicator::Communicator(std::shared_ptr<distributed::CommunicatorState> state)
    : state_(std::move(state)) {}

int Communicator::rank() const { return state_->rank; }
int Communicator::size() const { return state_->size; }

void Communicator::require_rank(int rank, const char* operation) const {
    LANES_REQUIRE(rank >= 0 && rank < size(), "Communicator::", operation, ": there is no rank ",
                  rank, ". The ", size(), " ranks are 0 to ", size() - 1, ".");
}

void Communicator::send_numbers(const Numbers& values, int to, int tag) const {
    require_rank(to, "send");
    require_success(MPI_Send(values.data, count_of(values, "send"), type_of(values.element), to,
                             tag, state_->comm),
                    "send");
}

int Communicator::receive_numbers(const Numbers& values, int from, int tag) const {
    if (from != any_rank) require_rank(from, "receive");
    MPI_Message message;
    MPI_Status status;
    require_success(
        MPI_Mprobe(from == any_rank ? MPI_ANY_SOURCE : from, tag, state_->comm, &message, &status),
        "receive");
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    const bool fits = static_cast<std::size_t>(bytes) == values.bytes();
    std::vector<char> other(
        fits ? 0 : static_cast<std::size_t>(bytes));  // taken all the same, or it would be the next
    require_success(
        MPI_Mrecv(fits ? values.data : other.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE),
        "receive");
    LANES_REQUIRE(fits, "Communicator::receive: rank ", status.MPI_SOURCE, " has sent ", bytes,
                  " bytes, rank ", rank(), " expects ", values.bytes(), ", which are ",
                  values.count, " elements. Both sides must use the same type and size.");
    return status.MPI_SOURCE;
}

void Communicator::exchange_numbers(const Numbers& out, int to, const Numbers& in, int from,
                                    int tag) const {
    require_rank(to, "exchange");
    require_rank(from, "exchange");
    Request receiving = start_receive_numbers(in, from, tag);
    send_numbers(out, to, tag);
    receiving.wait();
}

Request Communicator::start_send_numbers(const Numbers& values, int to, int tag) const {
    require_rank(to, "start_send");
    auto state = std::make_unique<distributed::RequestState>();
    state->operation = "start_send";
    require_success(MPI_Isend(values.data, count_of(values, "start_send"), type_of(values.element),
                              to, tag, state_->comm, &state->request),
                    "start_send");
    return Request(std::move(state));
}

Request Communicator::start_receive_numbers(const Numbers& values, int from, int tag) const {
    if (from != any_rank) require_rank(from, "start_receive");
    auto state = std::make_unique<distributed::RequestState>();
    state->operation = "start_receive";
    state->values = values;
    state->receives = true;
    require_success(
        MPI_Irecv(values.data, count_of(values, "start_receive"), type_of(values.element),
                  from == any_rank ? MPI_ANY_SOURCE : from, tag, state_->comm, &state->request),
        "start_receive");
    return Request(std::move(state));
}

Request Communicator::start_all_reduce_numbers(const Numbers& values, Reduce reduce) const {
    auto state = std::make_unique<distributed::RequestState>();
    state->operation = "start_all_reduce";
    require_success(MPI_Iallreduce(MPI_IN_PLACE, values.data, count_of(values, "start_all_reduce"),
                                   type_of(values.element), distributed::operation_of(reduce),
                                   state_->comm, &state->request),
                    "start_all_reduce");
    return Request(std::move(state));
}

void Communicator::barrier() const { require_success(MPI_Barrier(state_->comm), "barrier"); }

void Communicator::broadcast_numbers(const Numbers& values, int root) const {
    require_rank(root, "broadcast");
    require_equal_counts(*state_, values.bytes(), "broadcast");
    require_success(MPI_Bcast(values.data, count_of(values, "broadcast"), type_of(values.element),
                              root, state_->comm),
                    "broadcast");
}

void Communicator::all_reduce_numbers(const Numbers& values, Reduce reduce) const {
    require_equal_counts(*state_, values.bytes(), "all_reduce");
    require_success(
        MPI_Allreduce(MPI_IN_PLACE, values.data, count_of(values, "all_reduce"),
                      type_of(values.element), distributed::operation_of(reduce), state_->comm),
        "all_reduce");
}

void Communicator::gather_numbers(const Numbers& values, void* all, int root) const {
    require_rank(root, "gather");
    require_equal_counts(*state_, values.bytes(), "gather");
    const int count = count_of(values, "gather");
    require_success(MPI_Gather(values.data, count, type_of(values.element), all, count,
                               type_of(values.element), root, state_->comm),
                    "gather");
}

Communicator Communicator::split(int colour) const {
    LANES_REQUIRE(colour >= 0, "Communicator::split: the colour is ", colour, ". Give 0 or more.");
    MPI_Comm part = MPI_COMM_NULL;
    require_success(MPI_Comm_split(state_->comm, colour, rank(), &part), "split");
    return Communicator(std::make_shared<distributed::CommunicatorState>(part));
}

std::string Communicator::gpu_transport() {
    return "Tensors on a GPU travel through the CPU's memory: they are copied there, sent, and "
           "copied back.";
}

}  // namespace lanes
