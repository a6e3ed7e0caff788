// A group of processes that exchange messages through MPI. Each process runs the same program and
// has a number, its rank. simulate_ranks runs the same functions without MPI, in one process.
//
//   #include <iostream>
//   const auto comm = lanes::Communicator::world();
//   std::vector<float> values(4, comm.rank());
//   comm.all_reduce(values);                      // in place: the sum over all ranks
//   const double sum = comm.all_reduce(1.5);      // of single numbers, too
//   if (comm.rank() == 0) std::cout << comm.size() << " ranks: " << values[0] << " " << sum;
//   const int last = comm.size() - 1;
//   if (comm.rank() == 0) comm.send(values, last);
//   if (comm.rank() == last) comm.receive(values, 0);
//
// What can be sent: numbers, std::vector and row-major xtensor containers of numbers, and Tensor. A
// tensor on a GPU always travels through the CPU's memory: so any MPI will do, also one that was
// built without CUDA.
//
// A message of another size than the receiver expects, a rank that does not exist, and collective
// operations to which the ranks bring different sizes or types throw Error. MPI does not tell two
// things, which simulate_ranks reports: floats that are received as ints, or as another type of the
// same size, and different sizes in start_all_reduce, which returns before the ranks could compare
// them. If a rank ends with an exception or with a status other than 0, mpirun ends all others.
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

enum class Reduce { sum, product, min, max };

namespace distributed {

enum class Element { int8, uint8, int32, uint32, int64, uint64, float32, float64 };

template <class T>
constexpr Element element_of_type() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, long double>,
                  "Communicator: messages are numbers, or std::vector, xtensor containers and "
                  "lanes::Tensor of numbers");
    if constexpr (std::is_same_v<T, float>)
        return Element::float32;
    else if constexpr (std::is_same_v<T, double>)
        return Element::float64;
    else if constexpr (sizeof(T) == 1)
        return std::is_signed_v<T> ? Element::int8 : Element::uint8;
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? Element::int32 : Element::uint32;
    else {
        static_assert(sizeof(T) == 8, "Communicator: numbers of 16 bits are not sent");
        return std::is_signed_v<T> ? Element::int64 : Element::uint64;
    }
}

// Numbers that lie one after the other in the CPU's memory.
struct Numbers {
    void* data;
    std::size_t count;
    Element element;

    std::size_t bytes() const;
    Numbers part(std::size_t first, std::size_t last) const;
};

// Gives the numbers of a value, and puts back what has changed: a tensor of another device is
// copied to the CPU before and from there afterwards.
class Access {
public:
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    explicit Access(T& number)
        : numbers_{address(&number), 1, element_of_type<std::remove_const_t<T>>()} {}
    template <class Container, class = decltype(std::declval<Container&>().data()),
              class = std::enable_if_t<!std::is_same_v<std::remove_const_t<Container>, Tensor>>,
              class = void>
    explicit Access(Container& values)
        : numbers_{address(first_of(values, 0)), values.size(),
                   element_of_type<std::decay_t<decltype(*values.data())>>()} {
        require_row_major(values, 0);
    }
    explicit Access(const Tensor& tensor);

    const Numbers& numbers() const { return numbers_; }
    void put_back();  // after the numbers were changed

private:
    template <class T>
    static void* address(T* first) {
        return const_cast<void*>(static_cast<const void*>(first));
    }
    template <class Container>  // a view begins somewhere in the data of its array
    static auto first_of(Container& values, int) -> decltype(values.data() + values.data_offset()) {
        return values.data() + values.data_offset();
    }
    template <class Container>
    static auto first_of(Container& values, long) {
        return values.data();
    }
    template <class Container>
    static auto require_row_major(const Container& values, int)
        -> decltype((void)values.strides()) {
        LANES_REQUIRE(
            is_row_major(values.shape(), values.strides()),
            "Communicator: the array has gaps or another layout than row-major. Give a copy: "
            "auto copy = lanes::Matrix(view).");
    }
    template <class Container>
    static void require_row_major(const Container&, long) {}
    template <class Shape, class Strides>
    static bool is_row_major(const Shape& shape, const Strides& strides) {
        std::ptrdiff_t step = 1;
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (shape[axis] != 1 && static_cast<std::ptrdiff_t>(strides[axis]) != step)
                return false;
            step *= static_cast<std::ptrdiff_t>(shape[axis]);
        }
        return true;
    }

    Numbers numbers_{};
    Tensor tensor_;  // as it was given
    Tensor copy_;    // on the CPU, if that is another one
};

// The type that a copy with memory of its own has: that of an array, for a view of it.
template <class Value, class = void>
struct Copied {
    using type = Value;
};
template <class Value>
struct Copied<Value, std::void_t<typename Value::temporary_type>> {
    using type = typename Value::temporary_type;
};

struct CommunicatorState;
struct RequestState;

}  // namespace distributed

// An operation that goes on while the program computes. What it sends or receives must live, and
// stay as it is, until wait() has returned. The destructor waits, too.
class Request {
public:
    explicit Request(std::unique_ptr<distributed::RequestState> state);
    Request(Request&&) noexcept;
    Request& operator=(Request&&) noexcept;
    ~Request();

    bool done();  // also gives MPI time to work on it
    void wait();

private:
    std::unique_ptr<distributed::RequestState> state_;
};

class Communicator {
public:
    // All processes that were started together: mpirun -n 4 makes four of them. A program that was
    // started without mpirun is alone, rank 0 of 1. The first call starts MPI, which ends with the
    // program.
    static Communicator world();

    int rank() const;
    int size() const;

    // --- messages from one rank to another. Of the messages between two ranks with the same tag,
    // the first that was sent is received first.
    // send returns when `values` may be changed again. Large messages wait until the other side
    // receives: two ranks that first send to each other and then receive wait forever. Use
    // exchange.
    template <class Values>
    void send(const Values& values, int to, int tag = 0) const {
        send_numbers(distributed::Access(values).numbers(), to, tag);
    }
    // Into `values`, which has the size of the message. Returns the sender's rank.
    template <class Values>
    int receive(Values& values, int from = any_rank, int tag = 0) const {
        distributed::Access access(values);
        const int sender = receive_numbers(access.numbers(), from, tag);
        access.put_back();
        return sender;
    }
    // Sends and receives at the same time, which never waits for itself.
    template <class Out, class In>
    void exchange(const Out& out, int to, In& in, int from, int tag = 0) const {
        distributed::Access access(in);
        exchange_numbers(distributed::Access(out).numbers(), to, access.numbers(), from, tag);
        access.put_back();
    }
    static constexpr int any_rank = -1;

    // These return at once. Tensors must be on the CPU.
    template <class Values>
    Request start_send(const Values& values, int to, int tag = 0) const {
        return start_send_numbers(numbers_in_place(values), to, tag);
    }
    template <class Values>
    Request start_receive(Values& values, int from, int tag = 0) const {
        return start_receive_numbers(numbers_in_place(values), from, tag);
    }
    template <class Values>
    Request start_all_reduce(Values& values, Reduce reduce = Reduce::sum) const {
        return start_all_reduce_numbers(numbers_in_place(values), reduce);
    }

    // --- collective operations: all ranks call them, in the same order
    void barrier() const;  // returns when all ranks have called it
    template <class Values>
    void broadcast(Values& values, int root = 0) const {  // everyone gets the root's
        distributed::Access access(values);
        broadcast_numbers(access.numbers(), root);
        access.put_back();
    }
    // Element by element over all ranks, in place.
    template <class Values>
    std::enable_if_t<!std::is_arithmetic_v<Values>> all_reduce(Values& values,
                                                               Reduce reduce = Reduce::sum) const {
        distributed::Access access(values);
        all_reduce_numbers(access.numbers(), reduce);
        access.put_back();
    }
    template <class Number>
    std::enable_if_t<std::is_arithmetic_v<Number>, Number> all_reduce(
        Number value, Reduce reduce = Reduce::sum) const {
        all_reduce_numbers(distributed::Access(value).numbers(), reduce);
        return value;
    }
    // The value of each rank, in the order of the ranks: numbers, arrays or tensors, which have the
    // same shape on all ranks. Empty on all ranks but the root.
    template <class Value, class Copy = typename distributed::Copied<Value>::type>
    std::vector<Copy> gather(const Value& value, int root = 0) const {
        const distributed::Access access(value);
        const std::size_t bytes = access.numbers().bytes();
        const std::size_t ranks = rank() == root ? static_cast<std::size_t>(size()) : 0;
        std::vector<char> gathered(ranks * bytes);
        gather_numbers(access.numbers(), gathered.data(), root);
        std::vector<Copy> all;
        for (std::size_t i = 0; i < ranks; ++i) {
            if constexpr (std::is_same_v<Value, Tensor>)
                all.push_back(value.detach().clone());
            else
                all.push_back(value);
            distributed::Access place(all.back());
            if (bytes > 0) std::memcpy(place.numbers().data, gathered.data() + i * bytes, bytes);
            place.put_back();
        }
        return all;
    }
    // The vector of each rank one after the other; all have the same length.
    template <class Number>
    std::vector<Number> gather(const std::vector<Number>& values, int root = 0) const {
        std::vector<Number> all(rank() == root ? static_cast<std::size_t>(size()) * values.size()
                                               : 0);
        gather_numbers(distributed::Access(values).numbers(), all.data(), root);
        return all;
    }

    // One communicator for all ranks that give the same colour, ordered by their rank here.
    Communicator split(int colour) const;

    // --- for those who write collective operations
    void send_numbers(const distributed::Numbers& values, int to, int tag) const;
    int receive_numbers(const distributed::Numbers& values, int from, int tag) const;
    void exchange_numbers(const distributed::Numbers& out, int to, const distributed::Numbers& in,
                          int from, int tag) const;
    Request start_send_numbers(const distributed::Numbers& values, int to, int tag) const;
    Request start_receive_numbers(const distributed::Numbers& values, int from, int tag) const;
    Request start_all_reduce_numbers(const distributed::Numbers& values, Reduce reduce) const;
    void broadcast_numbers(const distributed::Numbers& values, int root) const;
    void all_reduce_numbers(const distributed::Numbers& values, Reduce reduce) const;
    void gather_numbers(const distributed::Numbers& values, void* all, int root) const;

    // --- for those who carry messages in another way (src/distributed/state.hpp)
    explicit Communicator(std::shared_ptr<distributed::CommunicatorState> state);

private:
    template <class Values>
    static distributed::Numbers numbers_in_place(Values& values) {
        if constexpr (std::is_same_v<std::remove_const_t<Values>, Tensor>)
            LANES_REQUIRE(values.device() == Device::cpu(), "Communicator: the tensor is on ",
                          values.device().id(), ". An operation that goes on needs it on the CPU.");
        return distributed::Access(values).numbers();
    }
    void require_rank(int rank, const char* operation) const;

    std::shared_ptr<distributed::CommunicatorState> state_;
};

}  // namespace lanes
