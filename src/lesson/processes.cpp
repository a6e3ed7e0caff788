#include "lanes/lesson/processes.hpp"

#include "lanes/base/error.hpp"
#include "lanes/lesson/spare_queue.hpp"

#include <memory>
#include <thread>
#include <vector>

namespace lanes {

void in_processes(int processes, const std::function<void()>& work) {
    LANES_REQUIRE(processes > 0, "in_processes: ", processes, " processes. Start at least one.");
    const auto ready = spare::shared_counter();
    std::vector<std::unique_ptr<Child>> children;
    children.reserve(static_cast<std::size_t>(processes));
    for (int i = 0; i < processes; ++i)
        children.push_back(std::make_unique<Child>([&] {
            ++*ready;
            while (*ready < processes) std::this_thread::yield();
            work();
        }));
    for (auto& child : children) {
        child->join();
        LANES_REQUIRE(child->exit_code() == 0, "in_processes: ", child->exit_description(),
                      ". Try its work in this process first.");
    }
}

}  // namespace lanes
