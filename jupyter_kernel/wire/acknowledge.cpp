#include "acknowledge.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <ctime>

namespace xcpp_wire {
namespace {

long futex(std::atomic<std::int32_t>& word, int operation, std::int32_t value,
           const timespec* timeout = nullptr) {
    static_assert(sizeof word == sizeof(std::int32_t));
    return ::syscall(SYS_futex, reinterpret_cast<std::int32_t*>(&word), operation, value, timeout,
                     nullptr, 0);
}

}  // namespace

void acknowledge(SharedState& page) {
    page.acknowledged.fetch_add(1);
    futex(page.acknowledged, FUTEX_WAKE, INT_MAX);
}

void send_acknowledged(const Channel& channel, SharedState& page, const nlohmann::json& body,
                       const std::vector<std::string>& buffers) {
    const std::int32_t before = page.acknowledged;
    channel.send(body, buffers);
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::seconds(1);
    const timespec turn{0, 100'000'000};
    while (page.acknowledged == before && Clock::now() < until)
        futex(page.acknowledged, FUTEX_WAIT, before, &turn);
}

}  // namespace xcpp_wire
