#include "front/output/output.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <unistd.h>

#include <thread>

namespace {

using namespace xcpp_front;

class OutputTest : public testing::Test {
protected:
    OutputTest() { output_.hold(false); }

    void write(Stream stream, const std::string& text) {
        ASSERT_EQ(::write(output_.end_for_writing(stream), text.data(), text.size()),
                  static_cast<ssize_t>(text.size()));
    }

    // One turn of a poll loop. True: there was something to do before the limit.
    bool turn(Milliseconds limit) {
        std::vector<zmq_pollitem_t> items;
        TimePoint until = Clock::now() + limit;
        output_.add_poll_items(items, until);
        std::vector<pollfd> waiting;
        for (const auto& item : items) waiting.push_back({item.fd, POLLIN, 0});
        const auto left = std::chrono::ceil<Milliseconds>(until - Clock::now()).count();
        const int ready =
            ::poll(waiting.data(), waiting.size(), static_cast<int>(std::max<long long>(left, 0)));
        for (std::size_t index = 0; index < items.size(); ++index)
            items[index].revents = waiting[index].revents;
        output_.on_poll(items);
        return ready > 0;
    }

    std::string text_;
    Output output_{[this](Stream stream, const std::string& text) {
        text_ += (stream == Stream::out ? "" : "!") + text;
    }};
};

TEST_F(OutputTest, ShowsTextWhileNothingElseHappens) {
    write(Stream::out, "hello");
    const TimePoint end = Clock::now() + limit(60);
    while (text_.empty() && Clock::now() < end) turn(Milliseconds(100));
    EXPECT_EQ(text_, "hello");
}

TEST_F(OutputTest, DrainsStdoutBeforeStderr) {
    write(Stream::out, "first");
    write(Stream::err, "second");
    turn(Milliseconds(100));
    output_.drain();
    EXPECT_EQ(text_, "first!second");
}

TEST_F(OutputTest, IsNotWokenByEachTinyWrite) {
    std::thread writer([this] {
        for (int count = 0; count < 200; ++count) {
            (void)!::write(output_.end_for_writing(Stream::out), "x", 1);
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        }
    });
    int wakings = 0;
    const TimePoint end = Clock::now() + Milliseconds(400);
    while (Clock::now() < end) wakings += turn(Milliseconds(50)) ? 1 : 0;
    writer.join();
    output_.drain();
    EXPECT_EQ(text_, std::string(200, 'x'));
    EXPECT_LT(wakings, 60);
}

TEST_F(OutputTest, KeepsPaceWithAWriterThatFillsThePipe) {
    const std::string block(1 << 16, 'y');
    std::thread writer([&] {
        for (int count = 0; count < 100; ++count) {
            for (std::size_t at = 0; at < block.size();) {
                const ssize_t written = ::write(output_.end_for_writing(Stream::out),
                                                block.data() + at, block.size() - at);
                if (written <= 0) return;
                at += static_cast<std::size_t>(written);
            }
        }
    });
    const TimePoint end = Clock::now() + limit(60);
    while (text_.size() < 100 * block.size() && Clock::now() < end) turn(Milliseconds(20));
    writer.join();
    output_.drain();
    EXPECT_EQ(text_.size(), 100 * block.size());
}

TEST_F(OutputTest, KeepsTheLastWordsOfASessionThatLoads) {
    output_.hold(true);
    write(Stream::err, "cannot open libfoo.so");
    output_.drain();
    EXPECT_EQ(text_, "");
    EXPECT_EQ(output_.unshown_text(), "cannot open libfoo.so");
}

}  // namespace
