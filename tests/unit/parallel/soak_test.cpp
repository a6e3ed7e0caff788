// Eight writers, some of which are killed at random moments and replaced: no message is lost, none
// comes twice, and no process or memory is left over. The long form, ten million messages and 120
// kills, takes minutes:
//   LANES_SOAK=10000000 LANES_SOAK_KILLS=120 build/bin/parallel_test --gtest_filter='Soak*'
#include "lanes/parallel/pipe_queue.hpp"

#include "helpers.hpp"
#include "lanes/base/rng.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace {

constexpr std::size_t writers = 8;

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Head {
    std::uint64_t writer, life, number;  // life: how often the writer was replaced before
};

// One in 300 is longer than a piece of the pipe, so that a writer can die in the middle of it.
std::string message_of(const Head& head) {
    std::string bytes(sizeof head + (head.number % 300 == 7 ? 9000 : head.number % 40),
                      static_cast<char>('a' + (head.writer + head.number) % 26));
    std::memcpy(bytes.data(), &head, sizeof head);
    return bytes;
}

Head head_of(const std::string& bytes) {
    Head head{};
    if (bytes.size() >= sizeof head) std::memcpy(&head, bytes.data(), sizeof head);
    return head;
}

// How many messages each writer has put; it counts a message when put has returned.
struct Put {
    std::array<std::atomic<std::uint64_t>, writers> count;
};

class SharedPut {
public:
    SharedPut()
        : put_(static_cast<Put*>(mmap(nullptr, sizeof(Put), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
    ~SharedPut() { munmap(put_, sizeof(Put)); }
    SharedPut(const SharedPut&) = delete;
    SharedPut& operator=(const SharedPut&) = delete;
    std::atomic<std::uint64_t>& of(std::size_t writer) const { return put_->count[writer]; }

private:
    Put* put_;
};

class Writers {
public:
    void start(std::size_t writer) {
        Life& life = lives[writer];
        life.worker = std::make_unique<Doing>([this, writer, number = life.number] {
            for (std::uint64_t i = put.of(writer); i < each; ++i) {
                queue.put(message_of({writer, number, i}));
                put.of(writer) = i + 1;
            }
        });
        life.worker->start();
    }

    // The message that a killed writer was putting is in doubt: put had not returned. Its successor
    // puts it again.
    void kill_and_replace(lanes::Rng& rng) {
        auto writer = static_cast<std::size_t>(rng.integer(0, writers - 1));
        for (std::size_t tries = 1; tries < writers && !lives[writer].worker->alive(); ++tries)
            writer = (writer + 1) % writers;
        Life& life = lives[writer];
        if (!life.worker->alive()) return;
        life.worker->kill();
        life.worker->join();
        const std::uint64_t doubtful = put.of(writer);
        if (life.next > doubtful) {  // it was taken already, and its successor's comes as well
            life.next = doubtful;
            --taken;
            ++came_in_doubt;
        } else {
            in_doubt.insert({writer, life.number, doubtful});
        }
        ++kills;
        ++life.number;
        start(writer);
    }

    // False: it is wrong.
    bool take(const std::string& bytes) {
        const Head head = head_of(bytes);
        if (head.writer >= writers || bytes != message_of(head)) return false;
        std::uint64_t& next = lives[head.writer].next;
        // Came although put did not return; its successor's comes as well.
        if (in_doubt.count({head.writer, head.life, head.number}) > 0) {
            ++came_in_doubt;
            return head.number == next;
        }
        if (head.number != next) return false;
        ++next;
        ++taken;
        return true;
    }

    struct Life {
        std::unique_ptr<Doing> worker;
        std::uint64_t number = 0, next = 0;
    };

    std::uint64_t each = number_of("LANES_SOAK", 40'000) / writers, taken = 0, kills = 0,
                  came_in_doubt = 0;
    lanes::PipeQueue<std::string> queue;
    SharedPut put;
    std::array<Life, writers> lives;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> in_doubt;
};

class Soak : public LeavesNothing {};

TEST_F(Soak, DeliversEachMessageOnceWhenWritersAreKilled) {
    Writers soak;
    const std::uint64_t wanted = number_of("LANES_SOAK_KILLS", 12), all = soak.each * writers;
    lanes::Rng rng(number_of("LANES_SOAK_SEED", 1));
    for (std::size_t writer = 0; writer < writers; ++writer) soak.start(writer);
    const std::function<void()> nothing = [] {};  // instead of an error for a dead worker
    std::uint64_t next_kill = all / (2 * wanted + 1);
    while (soak.taken < all) {
        const auto bytes = soak.queue.get_for(60, &nothing);
        ASSERT_TRUE(bytes) << "no further message came: " << soak.taken << " of " << all
                           << " messages, " << soak.kills << " kills";
        ASSERT_TRUE(soak.take(*bytes))
            << "message " << head_of(*bytes).number << " of writer " << head_of(*bytes).writer
            << ", life " << head_of(*bytes).life << "; expected: number "
            << soak.lives[head_of(*bytes).writer % writers].next;
        if (soak.taken < next_kill || soak.kills == wanted) continue;
        soak.kill_and_replace(rng);
        next_kill = soak.taken + static_cast<std::uint64_t>(rng.integer(
                                     0, static_cast<std::int64_t>(2 * all / (2 * wanted + 1))));
    }
    EXPECT_EQ(soak.queue.get_for(0.05, &nothing), std::nullopt);
    EXPECT_EQ(soak.queue.length(), 0U);
    for (Writers::Life& life : soak.lives) {
        life.worker->join();
        EXPECT_EQ(life.worker->exit_code(), 0);
        EXPECT_EQ(life.next, soak.each);
    }
    EXPECT_GE(soak.kills, wanted);
    std::cout << soak.taken << " messages of " << writers << " writers, " << soak.kills
              << " killed; " << soak.came_in_doubt << " came although put had not returned, "
              << soak.queue.damaged_messages() << " torn" << std::endl;
}

}  // namespace
