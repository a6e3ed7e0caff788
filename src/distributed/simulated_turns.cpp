#include "distributed/simulated_world.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes::distributed::simulated {

SimulatedRun World::run(const std::function<void(const Communicator&)>& program) {
    const auto work = [&](int rank) {
        std::exception_ptr failed;
        try {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wait_for_turn(lock, rank);
            }
            program(communicator_of(*this, groups_[0], rank));
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

}  // namespace lanes::distributed::simulated
