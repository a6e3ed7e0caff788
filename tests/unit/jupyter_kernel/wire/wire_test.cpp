#include "wire/wire.hpp"

#include "wire/acknowledge.hpp"
#include "wire/frame_reader.hpp"
#include "wire/send_lock.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace {

using namespace xcpp_wire;
using nlohmann::json;

TEST(Channel, CarriesTextAndBuffersBothWays) {
    const auto pair = make_channel_pair();
    pair.mine.send({{"op", "execute"}, {"code", "ü"}}, {std::string("\0\xFF", 2), ""});
    Message message;
    ASSERT_TRUE(pair.theirs.receive(message));
    EXPECT_EQ(message.body, json({{"op", "execute"}, {"code", "ü"}}));
    EXPECT_EQ(message.buffers, (std::vector<std::string>{std::string("\0\xFF", 2), ""}));
    EXPECT_FALSE(message.descriptor);
    pair.theirs.send({{"op", "result"}});
    ASSERT_TRUE(pair.mine.receive(message, 1000));
    EXPECT_EQ(message.body["op"], "result");
}

TEST(Channel, HandsOverADescriptor) {
    const auto pair = make_channel_pair();
    auto handed = make_channel_pair();
    pair.mine.send({{"op", "copy"}}, {}, handed.theirs.fd());
    Message message;
    ASSERT_TRUE(pair.theirs.receive(message));
    ASSERT_TRUE(message.descriptor);
    const Channel received(std::move(message.descriptor));
    received.send({{"op", "hello"}});
    ASSERT_TRUE(handed.mine.receive(message, 1000));
    EXPECT_EQ(message.body["op"], "hello");
}

// As processes that a cell forks do. A frame of this size takes several writes.
TEST(Channel, FramesOfSeveralProcessesStayWhole) {
    void* memory = ::mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto& page = *static_cast<SharedState*>(memory);
    make_send_lock(page.send_lock);
    auto pair = make_channel_pair();
    pair.mine.use_lock(page.send_lock);
    constexpr int processes = 4, frames = 20;
    for (int process = 0; process < processes; ++process) {
        if (::fork() != 0) continue;
        for (int frame = 0; frame < frames; ++frame)
            pair.mine.send({{"from", process}},
                           {std::string(300'000, static_cast<char>('a' + process))});
        ::_exit(0);
    }
    for (int frame = 0; frame < processes * frames; ++frame) {
        Message message;
        ASSERT_TRUE(pair.theirs.receive(message, 10000));
        const auto letter = static_cast<char>('a' + message.body["from"].get<int>());
        ASSERT_EQ(message.buffers, std::vector<std::string>{std::string(300'000, letter)});
    }
    while (::wait(nullptr) > 0) {
    }
    ::munmap(memory, sizeof(SharedState));
}

TEST(Channel, ALockOutlivesTheProcessThatHeldIt) {
    void* memory = ::mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto& page = *static_cast<SharedState*>(memory);
    make_send_lock(page.send_lock);
    if (::fork() == 0) {
        const SendLock lock(&page.send_lock);
        ::_exit(0);
    }
    ::wait(nullptr);
    auto pair = make_channel_pair();
    pair.mine.use_lock(page.send_lock);
    pair.mine.send({{"op", "result"}});
    pair.mine.send({{"op", "result"}});
    Message message;
    EXPECT_TRUE(pair.theirs.receive(message, 1000));
    ::munmap(memory, sizeof(SharedState));
}

TEST(Channel, ReplacesBytesThatAreNotUtf8) {
    const auto pair = make_channel_pair();
    pair.mine.send({{"text", "a\xFFz"}});
    Message message;
    ASSERT_TRUE(pair.theirs.receive(message));
    EXPECT_EQ(message.body["text"], "a\uFFFDz");
}

TEST(Channel, SaysWhenTheOtherEndIsGone) {
    auto pair = make_channel_pair();
    pair.theirs.close();
    Message message;
    EXPECT_THROW(pair.mine.receive(message), Broken);
    EXPECT_THROW(pair.mine.send({{"op", "execute"}}), Broken);
}

TEST(Channel, WaitsNoLongerThanAsked) {
    const auto pair = make_channel_pair();
    Message message;
    EXPECT_FALSE(pair.mine.receive(message, 10));
}

TEST(FrameReader, TakesWhatIsThereAndNeverWaits) {
    const auto pair = make_channel_pair();
    FrameReader reader;
    Message message;
    EXPECT_FALSE(reader.read(pair.theirs.fd(), message));
    pair.mine.send({{"op", "publish"}}, {"one", "two"});
    ASSERT_TRUE(reader.read(pair.theirs.fd(), message));
    EXPECT_EQ(message.body["op"], "publish");
    EXPECT_EQ(message.buffers, (std::vector<std::string>{"one", "two"}));
    EXPECT_FALSE(reader.read(pair.theirs.fd(), message));
}

// A session may die, or be stopped, anywhere inside a frame.
TEST(FrameReader, PutsAFrameTogetherByteByByte) {
    const auto source = make_channel_pair();
    source.mine.send({{"op", "publish"}}, {"bytes"});
    char frame[256];
    const ssize_t size = ::read(source.theirs.fd(), frame, sizeof frame);
    ASSERT_GT(size, 0);
    const auto pair = make_channel_pair();
    FrameReader reader;
    Message message;
    for (ssize_t at = 0; at < size; ++at) {
        ASSERT_FALSE(reader.read(pair.theirs.fd(), message))
            << "after " << at << " of " << size << " bytes";
        ASSERT_EQ(::write(pair.mine.fd(), frame + at, 1), 1);
    }
    ASSERT_TRUE(reader.read(pair.theirs.fd(), message));
    EXPECT_EQ(message.buffers, std::vector<std::string>{"bytes"});
}

TEST(FrameReader, GivesEachDescriptorToItsOwnFrame) {
    const auto pair = make_channel_pair();
    auto handed = make_channel_pair();
    pair.mine.send({{"op", "publish"}});
    pair.mine.send({{"op", "copy"}}, {}, handed.theirs.fd());
    pair.mine.send({{"op", "stage"}});
    FrameReader reader;
    Message message;
    ASSERT_TRUE(reader.read(pair.theirs.fd(), message));
    EXPECT_FALSE(message.descriptor);
    ASSERT_TRUE(reader.read(pair.theirs.fd(), message));
    EXPECT_TRUE(message.descriptor);
    ASSERT_TRUE(reader.read(pair.theirs.fd(), message));
    EXPECT_FALSE(message.descriptor);
}

TEST(FrameReader, RefusesWhatIsNoFrame) {
    const auto pair = make_channel_pair();
    ASSERT_EQ(::write(pair.mine.fd(), "this is no frame", 16), 16);
    FrameReader reader;
    Message message;
    EXPECT_THROW(reader.read(pair.theirs.fd(), message), Broken);
}

TEST(Acknowledge, HoldsTheSenderUntilTheFrontHasActed) {
    void* memory = ::mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    auto& page = *static_cast<SharedState*>(memory);
    const auto pair = make_channel_pair();
    std::atomic<bool> acted = false;
    std::thread front([&] {
        Message message;
        pair.theirs.receive(message);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        acted = true;
        acknowledge(page);
    });
    send_acknowledged(pair.mine, page, {{"op", "publish"}});
    EXPECT_TRUE(acted);
    front.join();
    ::munmap(memory, sizeof(SharedState));
}

}  // namespace
