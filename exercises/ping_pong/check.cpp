#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/rank_sums.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct PingCase {
    int ranks;
    std::size_t count;
    int rounds;
};

std::string words(const PingCase& one) {
    return words(SumCase{one.ranks, one.count}) + ", " + std::to_string(one.rounds) +
           (one.rounds == 1 ? " round" : " rounds");
}

// One message takes one second.
void judge_time(Judge& judge, const PingCase& one, double seconds) {
    const double right = 2.0 * one.rounds;
    std::string why = "In each round a message goes from rank 0 to rank 1 and back.";
    if (seconds == one.rounds)
        why =
            "In each round two messages go one after the other. Are they on their way at the same "
            "time, or is one of them missing? Rank 1 sends what it has received.";
    if (seconds == 2) why = "This is one round. Repeat it `rounds` times.";
    judge.require(seconds == right,
                  "the ranks need as long as " + to_text(seconds) + " messages instead of " +
                      to_text(right) + ".",
                  why);
}

}  // namespace

PingPong::PingPong()
    : Exercise(text_of<PingPong>(
          "ping_pong",
          "In each round, rank 0 sends the message to rank 1, rank 1 receives it and sends it "
          "back, and rank 0 receives it. All other ranks do nothing.",
          "about six lines",
          "The order is that of the message: 0 sends, 1 receives, 1 sends, 0 receives. Each of the "
          "four has its own if (comm.rank() == …).")) {}

void PingPong::check(Answer answer) const {
    const std::vector<PingCase> cases{{2, 3, 1}, {2, 5, 4}, {4, 2, 3}, {2, 0, 2}, {2, 3, 0}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const PingCase& one) {
        std::vector<std::vector<float>> got = values_of_ranks({one.ranks, one.count});
        const std::vector<std::vector<float>> before = got;
        const SimulatedRun run = play_ranks(
            judge, one.ranks,
            "Rank 0 sends and then receives; rank 1 receives and then sends; no other rank takes "
            "part.",
            [&](const Communicator& comm) {
                answer(comm, got[static_cast<std::size_t>(comm.rank())], one.rounds);
            },
            {1, 1e30});
        require_count(judge, got, {one.ranks, one.count});
        for (std::size_t rank = 0; rank < 2; ++rank) {
            const std::size_t sent = run.ranks[rank].messages_sent;
            judge.require(sent == static_cast<std::size_t>(one.rounds),
                          "rank " + std::to_string(rank) + " sends " + std::to_string(sent) +
                              (sent == 1 ? " message" : " messages") + " instead of " +
                              std::to_string(one.rounds) + ".",
                          "Both ranks send once in each round.");
        }
        judge_time(judge, one, run.seconds);
        About about;
        about.what = "the message on rank 1";
        about.known = {{as_values(before[1]),
                        "These are its own values. Receive into `message`, and send this back."}};
        judge.same(as_values(got[1]), as_values(one.rounds > 0 ? before[0] : before[1]),
                   one.rounds > 0 ? about : About{});
        judge.same(as_values(got[0]), as_values(before[0]),
                   {"the message on rank 0",
                    nullptr,
                    {{as_values(before[1]),
                      "These are the values of rank 1. It sends back what it has received."}},
                    "",
                    "",
                    {}});
    });
}

}  // namespace lanes::exercises
