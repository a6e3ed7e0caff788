#include "lanes/distributed/simulated_ranks.hpp"

#include "distributed/simulated_world.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes {

namespace distributed::simulated {

namespace {

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

}  // namespace

Communicator communicator_of(World& world, std::shared_ptr<const Group> group, int rank_of_world) {
    return Communicator(std::make_shared<SimulatedState>(world, std::move(group), rank_of_world));
}

}  // namespace distributed::simulated

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
    return distributed::simulated::World(ranks, network).run(program);
}

}  // namespace lanes
