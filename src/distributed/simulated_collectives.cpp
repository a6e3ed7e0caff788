#include "distributed/simulated_world.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace lanes::distributed::simulated {

namespace {

template <class T>
void reduce_into(Reduce reduce, T* sum, const T* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) switch (reduce) {
            case Reduce::sum:
                sum[i] = static_cast<T>(sum[i] + values[i]);
                break;
            case Reduce::product:
                sum[i] = static_cast<T>(sum[i] * values[i]);
                break;
            case Reduce::min:
                sum[i] = std::min(sum[i], values[i]);
                break;
            case Reduce::max:
                sum[i] = std::max(sum[i], values[i]);
                break;
        }
}

void reduce_numbers(Reduce reduce, const Numbers& sum, const Numbers& values) {
    const auto as = [&](auto zero) {
        using T = decltype(zero);
        reduce_into(reduce, static_cast<T*>(sum.data), static_cast<const T*>(values.data),
                    sum.count);
    };
    switch (sum.element) {
        case Element::int8:
            return as(std::int8_t{});
        case Element::uint8:
            return as(std::uint8_t{});
        case Element::int32:
            return as(std::int32_t{});
        case Element::uint32:
            return as(std::uint32_t{});
        case Element::int64:
            return as(std::int64_t{});
        case Element::uint64:
            return as(std::uint64_t{});
        case Element::float32:
            return as(float{});
        case Element::float64:
            return as(double{});
    }
}

}  // namespace

std::shared_ptr<Collective> World::join(const Group& group, int rank, const Collective& called,
                                        const Collective::Part& part) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) throw Stopped{};
    const std::size_t number = at(rank).collectives[group.number]++;
    auto& collective = collectives_[{group.number, number}];
    if (!collective) {
        collective = std::make_shared<Collective>(called);
        collective->first = part.rank;
    }
    if (collective->name != called.name || collective->root != called.root)
        throw Error("Communicator: rank ", part.rank, " calls ", called.name, " with the root ",
                    called.root, " where rank ", collective->first, " calls ", collective->name,
                    " with the root ", collective->root,
                    ". All ranks must call the same collective operations in the same order.");
    if (collective->bytes != called.bytes)
        throw Error("Communicator::", called.name, ": rank ", part.rank, " brings ",
                    bytes_text(called.bytes), ", rank ", collective->first, " brings ",
                    collective->bytes, ". All must bring the same number and type.");
    if (collective->element != called.element)
        throw Error("Communicator::", called.name, ": rank ", part.rank, " brings the type ",
                    name_of(called.element), ", rank ", collective->first, " brings ",
                    name_of(collective->element), ". All must bring the same type.");
    collective->parts.push_back(part);
    collective->begins = std::max(collective->begins, at(rank).clock);
    const auto joined = collective;
    if (joined->parts.size() == group.members.size()) {
        finish(group, *joined);
        collectives_.erase({group.number, number});
        for (const int member : group.members) wake(member);
    }
    return joined;
}

void World::finish(const Group& group, Collective& collective) {
    auto& parts = collective.parts;
    std::sort(parts.begin(), parts.end(),
              [](const auto& a, const auto& b) { return a.rank < b.rank; });
    const auto ranks = static_cast<double>(parts.size());
    const double steps = std::ceil(std::log2(ranks));
    const double message =
        network_.latency + static_cast<double>(collective.bytes) / network_.bandwidth;
    double seconds = steps * message;  // along a tree
    if (collective.name == "all_reduce") {
        const Numbers& sum = parts.front().values;
        for (std::size_t i = 1; i < parts.size(); ++i)
            reduce_numbers(collective.reduce, sum, parts[i].values);
        for (std::size_t i = 1; i < parts.size(); ++i)
            if (collective.bytes > 0) std::memcpy(parts[i].values.data, sum.data, collective.bytes);
        const double ring =
            2 * (ranks - 1) *
            (network_.latency + static_cast<double>(collective.bytes) / ranks / network_.bandwidth);
        seconds = std::min(seconds, ring);
    } else if (collective.name == "broadcast") {
        const Numbers& from = parts[static_cast<std::size_t>(collective.root)].values;
        for (const auto& part : parts)
            if (part.values.data != from.data && collective.bytes > 0)
                std::memcpy(part.values.data, from.data, collective.bytes);
    } else if (collective.name == "gather") {
        char* to = static_cast<char*>(parts[static_cast<std::size_t>(collective.root)].all);
        for (const auto& part : parts) {
            if (collective.bytes > 0) std::memcpy(to, part.values.data, collective.bytes);
            to += collective.bytes;
        }
        seconds = steps * network_.latency +
                  (ranks - 1) * static_cast<double>(collective.bytes) / network_.bandwidth;
    } else if (collective.name == "split") {
        for (const auto& part : parts) {
            auto& made = collective.groups[part.colour];
            if (!made) {
                made = std::make_shared<Group>(Group{static_cast<int>(groups_.size()), {}});
                groups_.push_back(made);
            }
            made->members.push_back(group.members[static_cast<std::size_t>(part.rank)]);
        }
    }
    collective.finished = collective.begins + seconds;
    collective.done = true;
}

void World::wait(int rank, const std::shared_ptr<Collective>& collective,
                 const std::string& operation) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (stopping_) throw Stopped{};
    while (!collective->done) leave(lock, rank, operation);
    at(rank).clock = std::max(at(rank).clock, collective->finished);
}

}  // namespace lanes::distributed::simulated
