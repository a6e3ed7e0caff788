#include "lanes/parallel/queue.hpp"

#include "lanes/parallel/pipe_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>

namespace {

class Own : public lanes::Queue<std::string> {
public:
    void put(const std::string& message) override { messages_.push_back(message); }
    std::string get() override {
        const std::string first = messages_.front();
        messages_.pop_front();
        return first;
    }
    std::size_t length() const override { return messages_.size(); }

private:
    std::deque<std::string> messages_;
};

TEST(Queue, IsTheInterfaceOfTheLibraryAndOfOwnQueues) {
    const std::unique_ptr<lanes::Queue<std::string>> queues[] = {
        std::make_unique<Own>(), std::make_unique<lanes::PipeQueue<std::string>>()};
    for (const auto& queue : queues) {
        EXPECT_TRUE(queue->empty());
        queue->put("a");
        queue->put("b");
        EXPECT_EQ(queue->length(), 2u);
        EXPECT_FALSE(queue->empty());
        EXPECT_EQ(queue->get(), "a");
        EXPECT_EQ(queue->get(), "b");
        EXPECT_TRUE(queue->empty());
    }
}

// A student may override empty, too.
class Proud : public Own {
public:
    bool empty() const override { return false; }
};

TEST(Queue, EmptyCanBeOverridden) {
    const std::unique_ptr<lanes::Queue<std::string>> queue = std::make_unique<Proud>();
    EXPECT_FALSE(queue->empty());
}

}  // namespace
