#include "lanes/distributed/communicator.hpp"

#include "distributed/state.hpp"

#include "lanes/tensor/autograd.hpp"

#include <exception>

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

const char* name_of(Element element) {
    switch (element) {
        case Element::int8:
            return "signed char";
        case Element::uint8:
            return "unsigned char";
        case Element::int32:
            return "int";
        case Element::uint32:
            return "unsigned";
        case Element::int64:
            return "long";
        case Element::uint64:
            return "unsigned long";
        case Element::float32:
            return "float";
        case Element::float64:
            return "double";
    }
    return "";
}

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

}  // namespace distributed

using distributed::Numbers;

Request::Request(std::unique_ptr<distributed::RequestState> state) : state_(std::move(state)) {}
Request::Request(Request&&) noexcept = default;

Request& Request::operator=(Request&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

Request::~Request() {
    if (!state_ || std::uncaught_exceptions() > 0) return;
    try {
        state_->wait();
    } catch (...) {
        return;  // who wants to know calls wait()
    }
}

bool Request::done() { return !state_ || state_->done(); }

void Request::wait() {
    if (state_) state_->wait();
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
    state_->send(values, to, tag);
}

int Communicator::receive_numbers(const Numbers& values, int from, int tag) const {
    if (from != any_rank) require_rank(from, "receive");
    return state_->receive(values, from, tag);
}

void Communicator::exchange_numbers(const Numbers& out, int to, const Numbers& in, int from,
                                    int tag) const {
    require_rank(to, "exchange");
    require_rank(from, "exchange");
    Request receiving = start_receive_numbers(in, from, tag);
    state_->send(out, to, tag);
    receiving.wait();
}

Request Communicator::start_send_numbers(const Numbers& values, int to, int tag) const {
    require_rank(to, "start_send");
    return Request(state_->start_send(values, to, tag));
}

Request Communicator::start_receive_numbers(const Numbers& values, int from, int tag) const {
    if (from != any_rank) require_rank(from, "start_receive");
    return Request(state_->start_receive(values, from, tag));
}

Request Communicator::start_all_reduce_numbers(const Numbers& values, Reduce reduce) const {
    return Request(state_->start_all_reduce(values, reduce));
}

void Communicator::barrier() const { state_->barrier(); }

void Communicator::broadcast_numbers(const Numbers& values, int root) const {
    require_rank(root, "broadcast");
    state_->broadcast(values, root);
}

void Communicator::all_reduce_numbers(const Numbers& values, Reduce reduce) const {
    state_->all_reduce(values, reduce);
}

void Communicator::gather_numbers(const Numbers& values, void* all, int root) const {
    require_rank(root, "gather");
    state_->gather(values, all, root);
}

Communicator Communicator::split(int colour) const {
    LANES_REQUIRE(colour >= 0, "Communicator::split: the colour is ", colour, ". Give 0 or more.");
    return Communicator(state_->split(colour));
}

}  // namespace lanes
