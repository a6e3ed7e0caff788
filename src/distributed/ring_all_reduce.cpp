#include "lanes/distributed/ring_all_reduce.hpp"

#include "distributed/state.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanes::distributed {

namespace {

constexpr int tag = 7001;

struct Ring {
    const Communicator& comm;
    std::size_t segment;
    int left;
    int right;
};

// Sends one part of the values to the right, and receives another one from the left; each in
// segments. done is called with each segment that has arrived, while the next one is on its way.
template <class T, class Done>
void pass(const Ring& ring, const Numbers& out, const Numbers& in, T* incoming, Done done) {
    const auto segments = [&](std::size_t count) {
        return (count + ring.segment - 1) / ring.segment;
    };
    const auto segment_of = [&](const Numbers& values, std::size_t i) {
        return values.part(i * ring.segment, std::min(values.count, (i + 1) * ring.segment));
    };
    const auto start_receive = [&](std::size_t i) {
        Numbers place = segment_of(in, i);
        if (incoming) place.data = incoming + i % 2 * ring.segment;
        return ring.comm.start_receive_numbers(place, ring.left, tag);
    };
    const std::size_t to_send = segments(out.count);
    const std::size_t to_receive = segments(in.count);
    std::vector<Request> receiving;
    std::vector<Request> sending;
    receiving.reserve(to_receive);
    sending.reserve(to_send);
    if (to_receive > 0) receiving.push_back(start_receive(0));
    for (std::size_t i = 0; i < std::max(to_send, to_receive); ++i) {
        if (i < to_send)
            sending.push_back(ring.comm.start_send_numbers(segment_of(out, i), ring.right, tag));
        if (i + 1 < to_receive) receiving.push_back(start_receive(i + 1));
        if (i >= to_receive) continue;
        receiving[i].wait();
        done(i * ring.segment, segment_of(in, i).count,
             incoming ? incoming + i % 2 * ring.segment : nullptr);
    }
    for (Request& request : sending) request.wait();
}

template <class T>
void all_reduce(const Ring& ring, const Numbers& values) {
    const auto p = static_cast<std::size_t>(ring.comm.size());
    const auto rank = static_cast<std::size_t>(ring.comm.rank());
    const auto part = [&](std::size_t i) {
        return values.part(values.count * (i % p) / p, values.count * (i % p + 1) / p);
    };
    std::vector<T> incoming(2 * std::min(ring.segment, values.count / p + 1));
    for (std::size_t step = 0; step + 1 < p; ++step) {  // sums
        const Numbers mine = part(rank + 2 * p - step - 1);
        pass(ring, part(rank + p - step), mine, incoming.data(),
             [&](std::size_t first, std::size_t count, const T* added) {
                 T* const sum = static_cast<T*>(mine.data) + first;
                 for (std::size_t i = 0; i < count; ++i) sum[i] += added[i];
             });
    }
    for (std::size_t step = 0; step + 1 < p; ++step)  // copies of the sums
        pass<T>(ring, part(rank + p - step + 1), part(rank + p - step), nullptr, [](auto...) {});
}

}  // namespace

void ring_all_reduce(const Communicator& comm, const Numbers& values, std::size_t segment) {
    LANES_REQUIRE(segment > 0,
                  "ring_all_reduce: the segment is 0. Give the number of elements of a message.");
    const auto count = static_cast<long long>(values.count);
    const auto type = static_cast<long long>(values.element);
    std::vector<long long> most{count, -count, type, -type};
    comm.start_all_reduce(most, Reduce::max).wait();
    LANES_REQUIRE(most[0] == -most[1], "ring_all_reduce: the ranks bring between ", -most[1],
                  " and ", most[0], " elements, rank ", comm.rank(), " brings ", count,
                  ". All must bring the same number.");
    LANES_REQUIRE(most[2] == -most[3], "ring_all_reduce: the ranks bring ",
                  name_of(static_cast<Element>(-most[3])), " and ",
                  name_of(static_cast<Element>(most[2])), ", rank ", comm.rank(), " brings ",
                  name_of(values.element), ". All must bring the same type.");
    if (comm.size() == 1) return;
    const Ring ring{comm, segment, (comm.rank() + comm.size() - 1) % comm.size(),
                    (comm.rank() + 1) % comm.size()};
    switch (values.element) {
        case Element::float32:
            return all_reduce<float>(ring, values);
        case Element::float64:
            return all_reduce<double>(ring, values);
        case Element::int32:
            return all_reduce<std::int32_t>(ring, values);
        default:
            throw Error(
                "ring_all_reduce: it adds float, double and int. Use Communicator::all_reduce.");
    }
}

}  // namespace lanes::distributed
