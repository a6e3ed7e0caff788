// The processes of simulate_ranks: threads of which one runs at a time, until it waits for another
// one. World has all of them. simulated_turns.cpp says who runs, simulated_messages.cpp delivers
// messages, simulated_collectives.cpp carries out the operations of all ranks together.
#pragma once

#include "distributed/state.hpp"

#include "lanes/distributed/simulated_ranks.hpp"

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace lanes::distributed::simulated {

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

inline std::string bytes_text(std::size_t bytes) {
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

// How a rank sees the World.
Communicator communicator_of(World& world, std::shared_ptr<const Group> group, int rank_of_world);

}  // namespace lanes::distributed::simulated
