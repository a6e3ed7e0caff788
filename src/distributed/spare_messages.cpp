#include "lanes/distributed/spare_messages.hpp"

#include <algorithm>

namespace lanes::spare {

namespace {

int modulo(int number, int p) { return (number % p + p) % p; }

// Part k of p goes from begin(k) to begin(k + 1).
auto begin_of(std::vector<float>& values, int part, int p) {
    const std::size_t at =
        values.size() * static_cast<std::size_t>(part) / static_cast<std::size_t>(p);
    return values.begin() + static_cast<std::ptrdiff_t>(at);
}

// One step of a ring: sends a part to the right and returns the one that comes from the left.
std::vector<float> exchange_parts(const Communicator& comm, std::vector<float>& values, int give,
                                  int take) {
    const int p = comm.size();
    const std::vector<float> out(begin_of(values, give, p), begin_of(values, give + 1, p));
    std::vector<float> in(begin_of(values, take, p), begin_of(values, take + 1, p));
    comm.exchange(out, modulo(comm.rank() + 1, p), in, modulo(comm.rank() - 1, p));
    return in;
}

}  // namespace

std::vector<float> pass_around(const Communicator& comm, const std::vector<float>& values) {
    const int p = comm.size();
    if (p == 1) return values;
    std::vector<float> received(values.size());
    comm.exchange(values, modulo(comm.rank() + 1, p), received, modulo(comm.rank() - 1, p));
    return received;
}

void central_all_reduce(const Communicator& comm, std::vector<float>& values) {
    if (comm.rank() > 0) {
        comm.send(values, 0);
        comm.receive(values, 0);
        return;
    }
    std::vector<float> other(values.size());
    for (int rank = 1; rank < comm.size(); ++rank) {
        comm.receive(other, rank);
        for (std::size_t i = 0; i < other.size(); ++i) values[i] += other[i];
    }
    for (int rank = 1; rank < comm.size(); ++rank) comm.send(values, rank);
}

void reduce_scatter(const Communicator& comm, std::vector<float>& values) {
    const int p = comm.size();
    for (int step = 0; step < p - 1; ++step) {
        const int give = modulo(comm.rank() - step, p);
        const int take = modulo(give - 1, p);
        const std::vector<float> in = exchange_parts(comm, values, give, take);
        const auto to = begin_of(values, take, p);
        for (std::size_t i = 0; i < in.size(); ++i) to[static_cast<std::ptrdiff_t>(i)] += in[i];
    }
}

void ring_all_reduce(const Communicator& comm, std::vector<float>& values) {
    const int p = comm.size();
    reduce_scatter(comm, values);
    for (int step = 0; step < p - 1; ++step) {
        const int give = modulo(comm.rank() + 1 - step, p);
        const int take = modulo(give - 1, p);
        const std::vector<float> in = exchange_parts(comm, values, give, take);
        std::copy(in.begin(), in.end(), begin_of(values, take, p));
    }
}

void ping_pong(const Communicator& comm, std::vector<float>& message, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        if (comm.rank() == 0) comm.send(message, 1);
        if (comm.rank() == 1) comm.receive(message, 0);
        if (comm.rank() == 1) comm.send(message, 0);
        if (comm.rank() == 0) comm.receive(message, 1);
    }
}

double ring_seconds(int ranks, double bytes, double latency, double bandwidth) {
    return 2 * (ranks - 1) * (latency + bytes / ranks / bandwidth);
}

double tree_seconds(int ranks, double bytes, double latency, double bandwidth) {
    int steps = 0;
    for (int reached = 1; reached < ranks; reached *= 2) ++steps;
    return steps * (latency + bytes / bandwidth);
}

double training_speed_up(int gpus, double computing, double bytes, double latency,
                         double bandwidth) {
    return gpus * computing / (computing + ring_seconds(gpus, bytes, latency, bandwidth));
}

}  // namespace lanes::spare
