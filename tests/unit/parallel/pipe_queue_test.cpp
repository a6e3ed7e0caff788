#include "lanes/parallel/pipe_queue.hpp"

#include "helpers.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/rng.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

static bool die_before_write = false, die_after_write = false;

// Interposes the system's function, so that a writer can die between two steps of put.
extern "C" __attribute__((visibility("default"))) ssize_t write(int file, const void* data,
                                                                std::size_t size) {
    if (die_before_write) _exit(17);
    const ssize_t written = syscall(SYS_write, file, data, size);
    if (die_after_write) _exit(17);
    return written;
}

namespace {

using lanes::PipeQueue;

class PipeQueueTest : public LeavesNothing {};

TEST_F(PipeQueueTest, GetReturnsMessagesInOrder) {
    PipeQueue<int> queue;
    EXPECT_TRUE(queue.empty());
    for (int i = 0; i < 100; ++i) queue.put(i);
    EXPECT_EQ(queue.length(), 100U);
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(queue.get(), i);
        ASSERT_EQ(queue.length(), static_cast<std::size_t>(99 - i));
    }
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.damaged_messages(), 0U);
}

// One piece holds 4064 bytes.
TEST_F(PipeQueueTest, TransportsMessagesOfAnyLength) {
    PipeQueue<std::string> queue;
    const std::vector<std::size_t> sizes{0, 1, 4063, 4064, 4065, 8128, 8129, 50'176, 3'000'000};
    Doing worker([&] {
        for (const std::size_t size : sizes)
            queue.put(std::string(size, static_cast<char>('a' + size % 26)));
    });
    worker.start();
    for (const std::size_t size : sizes)
        ASSERT_EQ(queue.get(), std::string(size, static_cast<char>('a' + size % 26))) << size;
    worker.join();
    EXPECT_EQ(queue.length(), 0U);
    EXPECT_EQ(queue.damaged_messages(), 0U);
}

TEST_F(PipeQueueTest, TransportsStructsAndVectors) {
    struct Pair {
        int a;
        double b;
    };
    PipeQueue<Pair> pairs;
    pairs.put({3, 0.5});
    EXPECT_EQ(pairs.get().b, 0.5);
    PipeQueue<std::vector<float>> vectors;
    vectors.put(std::vector<float>(3000, 2.5F));
    EXPECT_EQ(vectors.get(), std::vector<float>(3000, 2.5F));
}

TEST_F(PipeQueueTest, LosesNoMessageOfManyWriters) {
    constexpr int writers = 8, messages = 3000;
    PipeQueue<std::vector<int>> queue;
    std::vector<std::unique_ptr<Doing>> workers;
    for (int writer = 0; writer < writers; ++writer) {
        workers.push_back(std::make_unique<Doing>([&, writer] {
            lanes::Rng rng(static_cast<std::uint64_t>(writer));
            for (int i = 0; i < messages; ++i) {
                std::vector<int> message(
                    static_cast<std::size_t>(rng.integer(2, rng.integer(0, 20) == 0 ? 5000 : 20)),
                    writer);
                message[0] = i;
                queue.put(message);
            }
        }));
        workers.back()->start();
    }
    std::vector<int> next(writers, 0);
    for (int i = 0; i < writers * messages; ++i) {
        const std::vector<int> message = queue.get();
        const auto writer = static_cast<std::size_t>(message.back());
        ASSERT_LT(writer, next.size());
        ASSERT_EQ(message[0], next[writer]++);
        for (std::size_t k = 1; k < message.size(); ++k) ASSERT_EQ(message[k], message.back());
    }
    for (auto& worker : workers) worker->join();
    EXPECT_EQ(queue.length(), 0U);
    EXPECT_EQ(queue.damaged_messages(), 0U);
}

TEST_F(PipeQueueTest, WorksBetweenThreads) {
    PipeQueue<int> queue;
    std::vector<std::thread> writers;
    for (int writer = 0; writer < 4; ++writer)
        writers.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) queue.put(1);
        });
    int sum = 0;
    for (int i = 0; i < 8000; ++i) sum += queue.get();
    for (auto& writer : writers) writer.join();
    EXPECT_EQ(sum, 8000);
    EXPECT_TRUE(queue.empty());
}

TEST_F(PipeQueueTest, GetForEndsAfterItsTimeLimit) {
    PipeQueue<int> queue;
    EXPECT_EQ(queue.get_for(0), std::nullopt);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(queue.get_for(0.06), std::nullopt);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(60));
    queue.put(5);
    EXPECT_EQ(queue.get_for(0), 5);
}

TEST_F(PipeQueueTest, TheInterruptButtonEndsEveryWait) {
    PipeQueue<std::string> queue;
    const Interrupt pressed;
    EXPECT_SAYS(queue.get(), "PipeQueue::get: interrupted");
    EXPECT_SAYS(for (;;) queue.put(std::string(100'000, 'a')), "PipeQueue::put: interrupted");
}

TEST_F(PipeQueueTest, GetReportsAWorkerThatWasKilled) {
    PipeQueue<int> queue;
    Doing worker(
        [&] {
            queue.put(1);
            kill(getpid(), SIGKILL);
        },
        "worker 5");
    worker.start();
    EXPECT_EQ(queue.get(), 1);  // what it had put is delivered
    EXPECT_EQ(error_of([&] { queue.get(); }),
              "PipeQueue::get: worker 5 ended by signal 9 (Killed). What it was to do is not done; "
              "start another worker.");
    EXPECT_EQ(queue.get_for(0.05), std::nullopt);  // reported only once
}

TEST_F(PipeQueueTest, GetReportsAWorkerThatThrew) {
    PipeQueue<int> queue;
    Doing worker([] { throw std::runtime_error("no such file"); });
    testing::internal::CaptureStderr();
    worker.start();
    EXPECT_SAYS(queue.get(), "worker ended: std::runtime_error: no such file");
    testing::internal::GetCapturedStderr();
}

// Also with exit code 0, and although another worker still runs.
TEST_F(PipeQueueTest, GetReportsAWorkerThatCalledExit) {
    for (const int code : {3, 0}) {
        PipeQueue<int> queue;
        Doing waits([] { pause(); }, "worker 1"), leaves([&] { std::_Exit(code); }, "worker 2");
        waits.start();
        leaves.start();
        EXPECT_SAYS(queue.get(),
                    "PipeQueue::get: worker 2 ended with exit code " + std::to_string(code));
    }
}

// A worker whose run has returned has done what it had to do.
TEST_F(PipeQueueTest, GetWaitsForTheOthersIfAWorkerHasReturned) {
    PipeQueue<int> queue;
    Doing first([&] { queue.put(1); }, "worker 1"), second(
                                                        [&] {
                                                            wait_a_little(100);
                                                            queue.put(2);
                                                        },
                                                        "worker 2");
    first.start();
    second.start();
    EXPECT_EQ(queue.get(), 1);
    first.join();
    EXPECT_EQ(queue.get(), 2);
}

TEST_F(PipeQueueTest, GetThrowsWhenAllWritersHaveEnded) {
    PipeQueue<int> queue;
    Doing worker([&] { queue.put(1); });
    worker.start();
    EXPECT_EQ(queue.get(), 1);
    EXPECT_SAYS(queue.get(), "the queue is empty, and all workers have ended");
}

// More than a pipe holds: put waits for room while it holds the lock.
void put_too_much(PipeQueue<std::string>& queue, PipeQueue<int>& begun) {
    const std::string message(10'000'000, 'x');
    begun.put(1);
    queue.put(message);
}

// A writer that sleeps after `begun` waits inside put.
bool waits_inside_put(const Doing& writer, PipeQueue<int>& begun) {
    begun.get();
    return comes_true([&] { return sleeps(writer.pid()); });
}

TEST_F(PipeQueueTest, SkipsAndCountsATornMessage) {
    PipeQueue<std::string> queue;
    PipeQueue<int> begun;
    queue.put("before");
    Doing torn([&] { put_too_much(queue, begun); });
    torn.start();
    ASSERT_TRUE(waits_inside_put(torn, begun));
    EXPECT_EQ(queue.length(), 1U);  // written completely
    torn.kill();
    torn.join();
    EXPECT_EQ(queue.get(), "before");
    EXPECT_EQ(error_of([&] { queue.get(); }).find("PipeQueue::get: worker ended by signal 9"), 0U);
    queue.put("after");
    EXPECT_EQ(queue.length(), 1U);
    EXPECT_EQ(queue.get(), "after");
    EXPECT_EQ(queue.damaged_messages(), 1U);
    EXPECT_EQ(queue.length(), 0U);
}

// The system appends a short write to the last page of the pipe if it fits, so that pages and
// pieces do not start at the same places. Depending on how many pages are in use, the pipe is full
// in the middle of a piece: that piece of the last message is truncated.
TEST_F(PipeQueueTest, ATruncatedPieceHidesNoLaterMessage) {
    const std::string page(PIPE_BUF - 40, 'p'), large(5000, 'x');
    for (std::size_t pages = 0; pages < 3; ++pages) {
        PipeQueue<std::string> queue;
        PipeQueue<int> begun;
        for (std::size_t i = 0; i < pages; ++i) queue.put(page);
        Doing torn([&] {
            begun.put(1);
            for (;;) queue.put(large);
        });
        torn.start();
        ASSERT_TRUE(waits_inside_put(torn, begun));
        torn.kill();
        torn.join();
        const std::size_t whole = queue.length();
        Doing another([&] { queue.put("after"); });  // while the pipe is full
        another.start();
        const std::function<void()> nothing = [] {};
        for (std::size_t i = 0; i < whole; ++i)
            ASSERT_EQ(queue.get_for(10, &nothing), i < pages ? page : large)
                << i << " of " << whole << ", " << pages;
        EXPECT_EQ(queue.get_for(10, &nothing), "after") << pages;
        EXPECT_LE(queue.damaged_messages(), 1U) << pages;  // none if the last message was complete
        another.join();
    }
}

// The same if the writer is interrupted and lives on.
TEST_F(PipeQueueTest, AnInterruptedPutHidesNoLaterMessage) {
    const std::string page(PIPE_BUF - 40, 'p'), large(5000, 'x');
    for (std::size_t pages = 0; pages < 3; ++pages) {
        PipeQueue<std::string> queue;
        for (std::size_t i = 0; i < pages; ++i) queue.put(page);
        {
            const Interrupt button;
            EXPECT_SAYS(for (;;) queue.put(large), "PipeQueue::put: interrupted while it waited");
        }
        const std::size_t whole = queue.length();
        for (std::size_t i = 0; i < whole; ++i)
            ASSERT_EQ(queue.get_for(10), i < pages ? page : large)
                << i << " of " << whole << ", " << pages;
        queue.put("after");
        EXPECT_EQ(queue.get_for(10), "after") << pages;
        EXPECT_LE(queue.damaged_messages(), 1U) << pages;
    }
}

TEST_F(PipeQueueTest, AWriterThatDiesBlocksNoOther) {
    PipeQueue<std::string> queue;
    PipeQueue<int> begun;
    Doing first([&] { put_too_much(queue, begun); }), second([&] {
        begun.put(2);
        queue.put("second");
    });
    first.start();
    ASSERT_TRUE(waits_inside_put(first, begun));
    second.start();
    ASSERT_TRUE(waits_inside_put(second, begun));  // for the lock
    first.kill();
    first.join();
    const std::string error = error_of([&] {
        EXPECT_EQ(queue.get(), "second");
    });  // of the first one's death, if that is seen earlier
    if (!error.empty()) EXPECT_EQ(queue.get(), "second") << error;
    second.join();
    EXPECT_EQ(queue.damaged_messages(), 1U);
}

// Its message is delivered, so it must be counted, too: a reader may loop while (!empty()).
TEST_F(PipeQueueTest, CountsAMessageWhoseWriterDiedRightAfterItWasWritten) {
    PipeQueue<int> queue;
    const pid_t writer = fork();
    if (writer == 0) {
        die_after_write = true;
        queue.put(1);
        _exit(0);  // not reached
    }
    int status = 0;
    waitpid(writer, &status, 0);
    ASSERT_EQ(WEXITSTATUS(status), 17);
    queue.put(2);
    std::vector<int> got;
    while (!queue.empty()) got.push_back(queue.get());
    EXPECT_EQ(got, (std::vector<int>{1, 2}));
}

// One that died before is not waited for.
TEST_F(PipeQueueTest, DoesNotCountAMessageThatWasNotWritten) {
    PipeQueue<int> queue;
    const pid_t writer = fork();
    if (writer == 0) {
        die_before_write = true;
        queue.put(1);
        _exit(0);  // not reached
    }
    int status = 0;
    waitpid(writer, &status, 0);
    ASSERT_EQ(WEXITSTATUS(status), 17);
    EXPECT_TRUE(queue.empty());
    queue.put(2);
    std::vector<int> got;
    while (!queue.empty()) got.push_back(queue.get());
    EXPECT_EQ(got, (std::vector<int>{2}));
}

TEST_F(PipeQueueTest, ThrowsForASecondReader) {
    PipeQueue<int> queue;
    std::thread reader([&] {
        std::string refused;
        do {  // the get below may come first: then this one is the second reader
            refused = error_of([&] { EXPECT_EQ(queue.get(), 1); });
        } while (refused.find("another process or thread reads") != std::string::npos);
        EXPECT_EQ(refused, "");
    });
    EXPECT_TRUE(comes_true([&] {
        return error_of([&] { queue.get_for(0); }).find("another process or thread reads") !=
               std::string::npos;
    }));
    queue.put(1);
    reader.join();
}

// Like the frozen copy of a session that takes over: the same memory, another process.
TEST_F(PipeQueueTest, LosesNoMessageWhenItsReaderIsReplaced) {
    PipeQueue<int> queue;
    for (int i = 0; i < 10; ++i) queue.put(i);
    const pid_t reader = fork();
    // Takes all ten from the pipe, returns two.
    if (reader == 0) _exit(queue.get() == 0 && queue.get() == 1 ? 0 : 1);
    int status = 0;
    waitpid(reader, &status, 0);
    ASSERT_EQ(status, 0);
    for (int i = 2; i < 10; ++i) ASSERT_EQ(queue.get_for(1), i);
}

TEST_F(PipeQueueTest, ANewReaderCanContinueAfterOneDiedInsideGet) {
    PipeQueue<int> queue;
    const pid_t reader = fork();
    if (reader == 0) {
        queue.get();
        _exit(1);
    }
    wait_a_little(50);
    kill(reader, SIGKILL);
    waitpid(reader, nullptr, 0);
    queue.put(3);
    EXPECT_EQ(queue.get_for(1), 3);
}

TEST_F(PipeQueueTest, RecoversAfterBytesThatAreNoMessage) {
    PipeQueue<int> queue;
    queue.put(1);
    int pipe_end = -1;
    for (int fd = 0; fd < 1000; ++fd) {
        struct stat about{};
        if (fstat(fd, &about) == 0 && S_ISFIFO(about.st_mode) &&
            (fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK)) == (O_WRONLY | O_NONBLOCK))
            pipe_end = fd;
    }
    ASSERT_GE(pipe_end, 0);
    ASSERT_EQ(write(pipe_end, "bytes that no writer of the queue has written", 45), 45);
    queue.put(2);
    EXPECT_EQ(queue.get_for(1), 1);
    EXPECT_EQ(queue.get_for(1), 2);
    EXPECT_GE(queue.damaged_messages(), 1U);
    EXPECT_EQ(queue.length(), 0U);
}

TEST_F(PipeQueueTest, WritersThatWaitGetAnErrorWhenItIsDestroyed) {
    auto queue = std::make_unique<PipeQueue<std::string>>();
    Doing worker([&] {
        for (;;) queue->put(std::string(5000, 'a'));
    });
    testing::internal::CaptureStderr();
    worker.start();
    wait_a_little(50);
    queue.reset();
    EXPECT_TRUE(worker.join(10));
    testing::internal::GetCapturedStderr();
    EXPECT_NE(worker.exception_text().find("the process that made the queue has destroyed it"),
              std::string::npos)
        << worker.exception_text();
}

// A short form of soak_test.cpp: writers are killed at random moments, usually inside put, and
// others continue where they stopped.
TEST_F(PipeQueueTest, DeliversEachMessageOnceWhenWritersAreKilled) {
    constexpr int writers = 4, kills = 40;
    struct Message {
        std::uint32_t writer, life, number, filler[1500];  // two pieces
    };
    PipeQueue<Message> queue;
    struct Writer {
        std::unique_ptr<Doing> process;
        std::uint32_t life = 0;
    };
    std::vector<Writer> all(writers);
    const auto start = [&](std::uint32_t number) {
        Writer& writer = all[number];
        const std::uint32_t life = ++writer.life;
        writer.process = std::make_unique<Doing>([&queue, number, life] {
            Message message{number, life, 0, {}};
            for (auto& word : message.filler) word = number * 1000 + life;
            for (;;) {
                ++message.number;
                queue.put(message);
            }
        });
        writer.process->start();
    };
    for (std::uint32_t i = 0; i < writers; ++i) start(i);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last;
    lanes::Rng rng(1);
    int killed = 0;
    const auto take = [&](const Message& message) {
        for (const std::uint32_t word : message.filler)
            ASSERT_EQ(word, message.writer * 1000 + message.life);
        ASSERT_EQ(message.number,
                  // The next one: none is missing, none comes twice.
                  ++last[std::make_pair(message.writer, message.life)]);
    };
    while (killed < kills) {
        for (auto left = rng.integer(1, 300); left > 0; --left) {
            const auto message = queue.get_for(10);
            ASSERT_TRUE(message);
            take(*message);
        }
        const auto number = static_cast<std::uint32_t>(rng.integer(0, writers - 1));
        all[number].process->kill();
        all[number].process->join();
        start(number);
        ++killed;
    }
    for (Writer& writer : all) {
        writer.process->kill();
        writer.process->join();
        writer.process.reset();
    }
    while (const auto message = queue.get_for(0)) take(*message);
    EXPECT_EQ(queue.length(), 0U);
    EXPECT_LE(queue.damaged_messages(), static_cast<std::size_t>(kills + writers));
}

}  // namespace
