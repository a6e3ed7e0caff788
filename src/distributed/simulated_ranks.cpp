#include "lanes/distributed/simulated_ranks.hpp"

#include "distributed/state.hpp"

#include "lanes/base/error.hpp"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <system_error>

namespace lanes {

namespace distributed {

namespace {

struct Stopped {};  // ends a rank after another one has failed

// A thread with a small stack. The usual 8 MiB count against the memory limit of a notebook's
// session, where 1,024 ranks would not fit.
class RankThread {
public:
    void start(std::function<void()> work) {
        work_ = std::move(work);
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, 1 << 20);
        const int error = pthread_create(
            &thread_, &attributes,
            [](void* self) -> void* {
                static_cast<RankThread*>(self)->work_();
                return nullptr;
            },
            this);
        pthread_attr_destroy(&attributes);
        if (error != 0) throw std::system_error(error, std::generic_category());
        started_ = true;
    }
    void join() {
        if (started_) pthread_join(thread_, nullptr);
        started_ = false;
    }

private:
    std::function<void()> work_;
    pthread_t thread_{};
    bool started_ = false;
};

// A set of ranks with its own messages: all of them, or a part that split() made.
struct Group {
    int number;
    std::vector<int> members;  // by rank of the group: the rank of the world
};

// One side of a message, from its call to its end.
struct Message {
    const Group* group;
    int rank, peer, tag;  // in the group; peer may be any_rank
    bool sends;
    Numbers values;
    std::vector<char> copy;  // of what is sent, to find changes
    double posted;           // in simulated seconds
    bool done = false;
    double finished = 0;
    std::string error;  // thrown when the rank waits for it
};

// One collective operation of a group.
struct Collective {
    std::string name;
    int root = 0;
    Reduce reduce = Reduce::sum;
    std::size_t bytes = 0;
    Element element = Element::int8;
    int first = -1;  // who came first
    struct Part {
        int rank;
        Numbers values;
        void* all;
        int colour;
    };
    std::vector<Part> parts;
    double begins = 0, finished = 0;
    bool done = false;
    std::map<int, std::shared_ptr<Group>> groups;  // of split(), by colour
};

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

std::string bytes_text(std::size_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

class World {
public:
    World(int ranks, const SimulatedNetwork& network) : network_(network), ranks_(ranks) {
        Group all{0, {}};
        for (int rank = 0; rank < ranks; ++rank) {
            all.members.push_back(rank);
            ready_.push_back(rank);
        }
        groups_.push_back(std::make_shared<Group>(all));
    }

    SimulatedRun run(const std::function<void(const Communicator&)>& program);

    // --- called by the rank that runs, whose number is that of the world
    std::shared_ptr<Message> post(const Group& group, int rank, bool sends, const Numbers& values,
                                  int peer, int tag);
    void wait(const std::shared_ptr<Message>& message, const char* operation);
    std::shared_ptr<Collective> join(const Group& group, int rank, const Collective& called,
                                     const Collective::Part& part);
    void wait(int rank, const std::shared_ptr<Collective>& collective,
              const std::string& operation);

private:
    struct Rank {
        RankThread thread;
        std::condition_variable turn;
        SimulatedRank counted;
        double clock = 0, sends_until = 0, receives_until = 0;
        bool ended = false;
        std::string waits;                       // what for, in words; empty: it runs or is ready
        std::map<int, std::size_t> collectives;  // called so far, by group
    };

    static int rank_of(const Message& message) {
        return message.group->members[static_cast<std::size_t>(message.rank)];
    }
    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    void wait_for_turn(std::unique_lock<std::mutex>& lock, int rank) {
        at(rank).turn.wait(lock, [&] { return current_ == rank || stopping_; });
        if (stopping_) throw Stopped{};
    }
    // Others run until this rank is woken, which may be for something else than it waits for.
    void leave(std::unique_lock<std::mutex>& lock, int rank, const std::string& why);
    void next();  // gives the turn to a rank that is ready
    void wake(int rank) {
        if (at(rank).waits.empty()) return;
        at(rank).waits.clear();
        ready_.push_back(rank);
    }
    void stop(std::exception_ptr why);
    void deadlock();
    void deliver(Message& send, Message& receive);
    void finish(const Group& group, Collective& collective);

    const SimulatedNetwork network_;
    std::mutex mutex_;
    std::deque<Rank> ranks_;
    std::deque<int> ready_;
    int current_ = -1;
    bool stopping_ = false;
    std::exception_ptr failure_;
    std::vector<std::shared_ptr<Group>> groups_;
    std::list<std::shared_ptr<Message>> open_;  // sides without the other one, in order
    std::map<std::pair<int, std::size_t>, std::shared_ptr<Collective>> collectives_;
};

class SimulatedRequest : public RequestState {
public:
    SimulatedRequest(World& world, std::shared_ptr<Message> message, const char* operation)
        : world_(world), message_(std::move(message)), operation_(operation) {}
    bool done() override {
        // A loop around done() must come to an end: the other ranks go on meanwhile.
        wait();
        return true;
    }
    void wait() override { world_.wait(message_, operation_); }

private:
    World& world_;
    std::shared_ptr<Message> message_;
    const char* operation_;
};

class CollectiveRequest : public RequestState {
public:
    CollectiveRequest(World& world, int rank, std::shared_ptr<Collective> collective)
        : world_(world), rank_(rank), collective_(std::move(collective)) {}
    bool done() override {
        wait();
        return true;
    }
    void wait() override { world_.wait(rank_, collective_, "start_all_reduce"); }

private:
    World& world_;
    int rank_;
    std::shared_ptr<Collective> collective_;
};

class SimulatedState : public CommunicatorState {
public:
    SimulatedState(World& world, std::shared_ptr<const Group> group, int rank_of_world)
        : world_(world), group_(std::move(group)), world_rank_(rank_of_world) {
        const auto& members = group_->members;
        rank = static_cast<int>(std::find(members.begin(), members.end(), rank_of_world) -
                                members.begin());
        size = static_cast<int>(members.size());
    }

    void send(const Numbers& values, int to, int tag) override {
        world_.wait(world_.post(*group_, rank, true, values, to, tag), "send");
    }
    int receive(const Numbers& values, int from, int tag) override {
        const auto message = world_.post(*group_, rank, false, values, from, tag);
        world_.wait(message, "receive");
        return message->peer;
    }
    std::unique_ptr<RequestState> start_send(const Numbers& values, int to, int tag) override {
        return std::make_unique<SimulatedRequest>(
            world_, world_.post(*group_, rank, true, values, to, tag), "start_send");
    }
    std::unique_ptr<RequestState> start_receive(const Numbers& values, int from, int tag) override {
        return std::make_unique<SimulatedRequest>(
            world_, world_.post(*group_, rank, false, values, from, tag), "start_receive");
    }
    std::unique_ptr<RequestState> start_all_reduce(const Numbers& values, Reduce reduce) override {
        return std::make_unique<CollectiveRequest>(world_, world_rank_,
                                                   begin("all_reduce", values, 0, reduce));
    }
    void barrier() override { whole("barrier", {nullptr, 0, Element::int8}); }
    void broadcast(const Numbers& values, int root) override { whole("broadcast", values, root); }
    void all_reduce(const Numbers& values, Reduce reduce) override {
        whole("all_reduce", values, 0, reduce);
    }
    void gather(const Numbers& values, void* all, int root) override {
        whole("gather", values, root, Reduce::sum, all);
    }
    std::shared_ptr<CommunicatorState> split(int colour) override {
        const auto collective =
            whole("split", {nullptr, 0, Element::int8}, 0, Reduce::sum, nullptr, colour);
        return std::make_shared<SimulatedState>(world_, collective->groups.at(colour), world_rank_);
    }

private:
    std::shared_ptr<Collective> begin(const char* name, const Numbers& values, int root,
                                      Reduce reduce, void* all = nullptr, int colour = 0) {
        Collective called;
        called.name = name;
        called.root = root;
        called.reduce = reduce;
        called.bytes = values.bytes();
        called.element = values.element;
        return world_.join(*group_, world_rank_, called, {rank, values, all, colour});
    }
    std::shared_ptr<Collective> whole(const char* name, const Numbers& values, int root = 0,
                                      Reduce reduce = Reduce::sum, void* all = nullptr,
                                      int colour = 0) {
        const auto collective = begin(name, values, root, reduce, all, colour);
        world_.wait(world_rank_, collective, name);
        return collective;
    }

    World& world_;
    std::shared_ptr<const Group> group_;
    int world_rank_;
};

// --- Turns

SimulatedRun World::run(const std::function<void(const Communicator&)>& program) {
    const auto work = [&](int rank) {
        std::exception_ptr failed;
        try {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wait_for_turn(lock, rank);
            }
            program(Communicator(std::make_shared<SimulatedState>(*this, groups_[0], rank)));
        } catch (const Stopped&) {
            return;
        } catch (...) {
            failed = std::current_exception();
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        if (stopping_) return;
        at(rank).ended = true;
        at(rank).counted.seconds = at(rank).clock;
        if (failed)
            stop(failed);
        else
            next();
    };
    const int count = static_cast<int>(ranks_.size());
    try {
        for (int rank = 0; rank < count; ++rank)
            at(rank).thread.start([&work, rank] { work(rank); });
        const std::lock_guard<std::mutex> lock(mutex_);
        next();
    } catch (...) {  // no more threads can be started
        const std::lock_guard<std::mutex> lock(mutex_);
        stop(std::current_exception());
    }
    for (Rank& rank : ranks_) rank.thread.join();
    if (failure_) std::rethrow_exception(failure_);
    SimulatedRun result;
    for (const Rank& rank : ranks_) {
        result.ranks.push_back(rank.counted);
        result.seconds = std::max(result.seconds, rank.counted.seconds);
    }
    return result;
}

void World::leave(std::unique_lock<std::mutex>& lock, int rank, const std::string& why) {
    at(rank).waits = why;
    next();
    wait_for_turn(lock, rank);
}

void World::next() {
    if (!ready_.empty()) {
        current_ = ready_.front();
        ready_.pop_front();
        at(current_).turn.notify_one();
        return;
    }
    current_ = -1;
    if (std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return !rank.ended; }))
        deadlock();
}

void World::stop(std::exception_ptr why) {
    if (stopping_) return;
    stopping_ = true;
    failure_ = std::move(why);
    for (Rank& rank : ranks_) rank.turn.notify_all();
}

void World::deadlock() {
    std::string text = "simulate_ranks: the ranks wait forever.";
    std::size_t shown = 0, left = 0;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        if (shown == 8) {
            ++left;
            continue;
        }
        ++shown;
        text += "\n  rank " + std::to_string(i) +
                (ranks_[i].ended ? " has ended" : " waits in " + ranks_[i].waits);
    }
    if (left > 0) text += "\n  and " + std::to_string(left) + " more";
    const auto is_send = [](const auto& message) { return message->sends; };
    const bool all_send = std::all_of(open_.begin(), open_.end(), is_send) && !open_.empty();
    text += all_send ? "\nsend returns when the other rank receives: let one of two ranks receive "
                       "first, or use exchange."
                     : "\nEach message needs a send and a receive with the same ranks and tag, and "
                       "all ranks must call the same collective operations.";
    stop(std::make_exception_ptr(Error(text)));
}

// --- Messages

std::shared_ptr<Message> World::post(const Group& group, int rank, bool sends,
                                     const Numbers& values, int peer, int tag) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) throw Stopped{};
    auto mine = std::make_shared<Message>();
    *mine = {&group, rank, peer, tag, sends, values, {}, 0, false, 0, {}};
    Rank& self = at(rank_of(*mine));
    mine->posted = self.clock;
    if (sends) {
        const char* const first = static_cast<const char*>(values.data);
        mine->copy.assign(first, first + values.bytes());
        ++self.counted.messages_sent;
        self.counted.bytes_sent += values.bytes();
    }
    const auto fits = [&](const std::shared_ptr<Message>& other) {
        const auto wants = [](const Message& a, const Message& b) {
            return a.peer == b.rank || (!a.sends && a.peer == Communicator::any_rank);
        };
        return other->group == mine->group && other->sends != mine->sends &&
               other->tag == mine->tag && wants(*other, *mine) && wants(*mine, *other);
    };
    const auto found = std::find_if(open_.begin(), open_.end(), fits);
    if (found == open_.end()) {
        open_.push_back(mine);
        return mine;
    }
    const std::shared_ptr<Message> other = std::move(*found);
    open_.erase(found);
    deliver(sends ? *mine : *other, sends ? *other : *mine);
    wake(rank_of(*other));
    return mine;
}

void World::deliver(Message& send, Message& receive) {
    Rank& from = at(rank_of(send));
    Rank& to = at(rank_of(receive));
    const std::size_t bytes = send.copy.size();
    const double begins =
        std::max({send.posted, receive.posted, from.sends_until, to.receives_until});
    send.finished = receive.finished =
        begins + network_.latency + static_cast<double>(bytes) / network_.bandwidth;
    from.sends_until = to.receives_until = send.finished;
    send.done = receive.done = true;
    receive.peer = send.rank;
    if (bytes > 0 && std::memcmp(send.values.data, send.copy.data(), bytes) != 0)
        send.error = "Communicator::start_send: the values for rank " +
                     std::to_string(receive.rank) +
                     " were changed before they had been sent. Call wait() first.";
    if (bytes != receive.values.bytes())
        receive.error = "Communicator::receive: rank " + std::to_string(send.rank) + " has sent " +
                        bytes_text(bytes) + ", rank " + std::to_string(receive.rank) + " expects " +
                        std::to_string(receive.values.bytes()) + ", which are " +
                        std::to_string(receive.values.count) +
                        " elements. Both sides must use the same type and size.";
    else if (bytes > 0)
        std::memcpy(receive.values.data, send.copy.data(), bytes);
}

void World::wait(const std::shared_ptr<Message>& message, const char* operation) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (stopping_) throw Stopped{};
    const int rank = rank_of(*message);
    while (!message->done) {
        const std::string peer = message->peer == Communicator::any_rank
                                     ? "any rank"
                                     : "rank " + std::to_string(message->peer);
        leave(lock, rank,
              std::string(operation) + (message->sends ? " to " : " from ") + peer + " (" +
                  bytes_text(message->values.bytes()) +
                  (message->tag == 0 ? "" : ", tag " + std::to_string(message->tag)) + ")");
    }
    at(rank).clock = std::max(at(rank).clock, message->finished);
    if (!message->error.empty()) throw Error(message->error);
}

// --- Collective operations

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
    if (collective->bytes != called.bytes || collective->element != called.element)
        throw Error("Communicator::", called.name, ": rank ", part.rank, " brings ",
                    bytes_text(called.bytes), ", rank ", collective->first, " brings ",
                    collective->bytes, ". All must bring the same number and type.");
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

}  // namespace

}  // namespace distributed

std::size_t SimulatedRun::most_bytes_sent() const {
    std::size_t most = 0;
    for (const SimulatedRank& rank : ranks) most = std::max(most, rank.bytes_sent);
    return most;
}

SimulatedRun simulate_ranks(int ranks, const std::function<void(const Communicator&)>& program,
                            const SimulatedNetwork& network) {
    LANES_REQUIRE(ranks >= 1 && ranks <= 4096, "simulate_ranks: ", ranks,
                  " ranks. Give 1 to 4096.");
    LANES_REQUIRE(network.latency >= 0 && network.bandwidth > 0,
                  "simulate_ranks: the network has a latency of ", network.latency,
                  " s and a bandwidth of ", network.bandwidth,
                  " bytes/s. The latency is at least 0, the bandwidth greater.");
    return distributed::World(ranks, network).run(program);
}

}  // namespace lanes
