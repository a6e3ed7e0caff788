// Sessions, against a fake session: see fake_session.cpp for the words of its cells.
#include "front/processes/sessions.hpp"

#include "front/output/output.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace {

using namespace xcpp_front;
using nlohmann::json;

class SessionsTest : public testing::Test {
protected:
    SessionsTest() { sessions_.start(); }

    // The next message with this op; null: the session died, or a minute passed.
    json await(const std::string& op) {
        const TimePoint until = Clock::now() + limit(60);
        while (Clock::now() < until) {
            xcpp_wire::Message message;
            while (sessions_.receive(message)) {
                if (message.body["op"] == "publish")
                    xcpp_wire_acknowledge(), shown_ = message.body["content"]["data"]["text/plain"];
                if (message.body["op"] == op) return message.body;
            }
            sessions_.check_deadlines();
            sessions_.reap();
            if (!sessions_.alive()) return nullptr;
            std::this_thread::sleep_for(Milliseconds(1));
        }
        return nullptr;
    }
    void send(const std::string& code, int count) {
        xcpp_wire::Execute message;
        message.id = 1;
        message.count = count;
        message.code = code;
        sessions_.send(message);
    }
    json run(const std::string& code) {
        send(code, ++count_);
        return await("result");
    }
    std::string shown(const std::string& code) {
        run(code);
        return shown_;
    }
    void xcpp_wire_acknowledge() { sessions_.page().acknowledged.fetch_add(1); }

    Output output_{[](Stream, const std::string&) {}};
    Sessions sessions_{FAKE_SESSION,
                       {},
                       output_.end_for_writing(Stream::out),
                       output_.end_for_writing(Stream::err)};
    std::string shown_;
    int count_ = 0;
};

bool lives(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return static_cast<bool>(file >> number >> name >> state) && state != "Z";
}

TEST_F(SessionsTest, StartsAndAnswers) {
    EXPECT_FALSE(await("ready").is_null());
    EXPECT_EQ(run("set x=1")["status"], "ok");
    EXPECT_TRUE(sessions_.has_copy());
    EXPECT_EQ(sessions_.cell_of_copy(), 1);
}

TEST_F(SessionsTest, TellsHowASessionEnded) {
    EXPECT_TRUE(run("crash 11").is_null());
    EXPECT_FALSE(sessions_.alive());
    EXPECT_EQ(sessions_.ending().signal, SIGSEGV);
    EXPECT_EQ(sessions_.ending().description(), "signal 11 (SIGSEGV, Segmentation fault)");
    sessions_.start();
    EXPECT_TRUE(run("exit 3").is_null());
    EXPECT_EQ(sessions_.ending().description(), "exit code 3");
}

TEST_F(SessionsTest, LetsTheCopyTakeOver) {
    run("set x=1");
    EXPECT_TRUE(run("set x=2\ncrash 6").is_null());
    sessions_.kill_processes_of_failed_cell();
    ASSERT_TRUE(sessions_.take_over({"crash", 6, -1}));
    EXPECT_EQ(await("took_over")["error"]["evalue"], "signal 6");
    EXPECT_EQ(shown("get x"), "1");
    EXPECT_TRUE(sessions_.has_copy());
}

TEST_F(SessionsTest, HasNoCopyBeforeTheFirstCell) {
    await("ready");
    sessions_.kill();
    EXPECT_FALSE(sessions_.alive());
    EXPECT_FALSE(sessions_.take_over({"crash", 0, -1}));
}

TEST_F(SessionsTest, KeepsOneCopyOnly) {
    const pid_t session = std::stoi(shown("pid"));
    for (int cell = 0; cell < 5; ++cell) run("set x=1");
    int others = 0;
    const TimePoint until = Clock::now() + limit(60);
    do {
        sessions_.reap();
        std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
        others = 0;
        for (pid_t child = 0; children >> child;)
            others += child != session && lives(child) ? 1 : 0;
    } while (others != 2 && Clock::now() < until);
    EXPECT_EQ(others, 2) << "the copy and the orphan cleaner";
}

TEST_F(SessionsTest, EndsChildrenOfTheFailedCellAndNoOthers) {
    const auto newest_child = [this] {
        const pid_t session = std::stoi(shown("pid"));
        std::ifstream children("/proc/" + std::to_string(session) + "/task/" +
                               std::to_string(session) + "/children");
        pid_t last = 0;
        for (pid_t child = 0; children >> child;) last = child;
        return last;
    };
    run("child");
    const pid_t older = newest_child();
    std::this_thread::sleep_for(Milliseconds(30));  // the system notes starts in steps of 10 ms
    const std::string session = shown_;
    send("child\ndisplay started\nhang", ++count_);
    await("publish");
    std::ifstream children("/proc/" + session + "/task/" + session + "/children");
    pid_t younger = 0;
    for (pid_t child = 0; children >> child;) younger = child != older ? child : younger;
    ::kill(std::stoi(session), SIGKILL);
    await("result");
    ASSERT_NE(older, 0);
    ASSERT_NE(younger, 0);
    sessions_.kill_processes_of_failed_cell();
    EXPECT_TRUE(lives(older));
    EXPECT_FALSE(lives(younger));
    EXPECT_TRUE(sessions_.take_over({"crash", 9, -1}));
    sessions_.end(true);
    EXPECT_FALSE(lives(older));
}

TEST_F(SessionsTest, EndsASessionThatWritesNonsense) {
    EXPECT_TRUE(run("garbage zzz\nsleep 100").is_null());
    EXPECT_FALSE(sessions_.alive());
}

TEST_F(SessionsTest, EndsASessionThatHasLostItsChannel) {
    EXPECT_TRUE(run("close").is_null());
    EXPECT_FALSE(sessions_.alive());
    EXPECT_EQ(sessions_.ending().signal, SIGKILL);
}

TEST_F(SessionsTest, NoticesACopyThatWasKilled) {
    run("set x=1");
    sessions_.kill();
    std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
    const TimePoint until = Clock::now() + limit(60);
    bool took_over = sessions_.take_over({"crash", 0, -1});
    while (took_over && sessions_.alive() && Clock::now() < until) sessions_.reap();
    EXPECT_FALSE(sessions_.alive());
}

TEST_F(SessionsTest, LeavesNothingBehind) {
    run("child\nchild");
    sessions_.end(true);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

}  // namespace
