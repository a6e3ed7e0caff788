#include "distributed/simulated_world.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstring>

namespace lanes::distributed::simulated {

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
    else if (bytes > 0 && send.values.element != receive.values.element)
        receive.error = "Communicator::receive: rank " + std::to_string(send.rank) +
                        " has sent numbers of the type " + name_of(send.values.element) +
                        ", rank " + std::to_string(receive.rank) + " expects " +
                        name_of(receive.values.element) + ". Both sides must use the same type.";
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

}  // namespace lanes::distributed::simulated
