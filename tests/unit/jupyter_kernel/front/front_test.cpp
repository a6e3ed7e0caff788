// The front as a client sees it, with the fake session behind it: see fake_session.cpp for the
// words of its cells.
#include "client.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>

namespace {

using Types = std::vector<std::string>;

TEST(Front, RunsACell) {
    Client client;
    const Ran ran = client.run("print hello\nvalue 42");
    EXPECT_EQ(ran.types(), (Types{"stream", "execute_result"}));
    EXPECT_EQ(ran.text("stdout"), "hello\n");
    EXPECT_EQ(ran.value(), "42");
    EXPECT_EQ(ran.reply, json({{"status", "ok"},
                               {"execution_count", 1},
                               {"payload", json::array()},
                               {"user_expressions", json::object()}}));
}

TEST(Front, SpeaksTcpToo) {
    Client client({}, "tcp");
    EXPECT_EQ(client.run("value 42").value(), "42");
}

TEST(Front, AnswersKernelInfoWhileTheSessionLoads) {
    Client client({"--load", "1000"});
    const json info = client.ask("shell", "kernel_info_request", json::object());
    EXPECT_EQ(info["implementation"], "xcpp17");
    EXPECT_EQ(info["language_info"]["name"], "c++");
    EXPECT_EQ(info["language_info"]["version"], "17");
    EXPECT_EQ(info["language_info"]["mimetype"], "text/x-c++src");
    EXPECT_EQ(info["language_info"]["file_extension"], ".cpp");
}

TEST(Front, ShowsTheNotesOfTheStartOnce) {
    Client client({"--note", "without a precompiled header"});
    EXPECT_EQ(client.run("print a").types(), (Types{"display_data", "stream"}));
    EXPECT_EQ(client.run("print a").types(), (Types{"stream"}));
}

struct Death {
    const char* name;
    const char* cell;
    const char* evalue;
};

void PrintTo(const Death& death, std::ostream* out) { *out << death.name; }

class FrontDeath : public testing::TestWithParam<Death> {};

TEST_P(FrontDeath, LeavesNoTrace) {
    Client client;
    client.run("set x=1");
    const Ran ran = client.run(std::string("set x=2\nprint before\n") + GetParam().cell);
    EXPECT_EQ(ran.types(), (Types{"stream", "error"}));
    EXPECT_EQ(ran.text("stdout"), "before\n");
    EXPECT_EQ(ran.reply["status"], "error");
    EXPECT_EQ(ran.reply["evalue"], GetParam().evalue);
    EXPECT_EQ(client.run("get x").value(), "1");
}

INSTANTIATE_TEST_SUITE_P(Ways, FrontDeath,
                         testing::Values(Death{"segfault", "crash 11", "signal 11"},
                                         Death{"kill", "crash 9", "signal 9"},
                                         Death{"exit", "exit 3", "exit code 3"},
                                         Death{"compile", "fail no such name", "no such name"},
                                         Death{"channel", "close", "signal 9"},
                                         Death{"child", "child\ncrash 6", "signal 6"}),
                         [](const auto& info) { return info.param.name; });

TEST(Front, KeepsWhatACellDidBeforeItThrew) {
    Client client;
    const Ran ran = client.run("set x=2\nthrow bad luck");
    EXPECT_EQ(ran.reply["ename"], "std::runtime_error");
    EXPECT_EQ(client.run("get x").value(), "2");
}

TEST(Front, StandsTenCrashesInARow) {
    Client client;
    client.run("set x=1");
    for (int turn = 0; turn < 10; ++turn) EXPECT_EQ(client.run("crash 11").reply["ename"], "Crash");
    EXPECT_EQ(client.run("get x").value(), "1");
}

TEST(Front, RestartsTheSessionWithoutACopy) {
    Client client;
    client.run("set x=1");
    const Ran ran = client.run("naked\ncrash 11");
    EXPECT_EQ(ran.types(), (Types{"display_data", "error"}));
    EXPECT_NE(ran.reply["traceback"].dump().find("was restarted"), std::string::npos);
    EXPECT_EQ(client.run("get x").value(), "nothing");
}

TEST(Front, TellsOfADeathBetweenTwoCells) {
    Client client;
    client.run("set x=1");
    const pid_t session = std::stoi(client.run("pid").value());
    client.run("later");
    while (::kill(session, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const Ran ran = client.run("get x");
    EXPECT_EQ(ran.types(), (Types{"display_data", "execute_result"}));
    EXPECT_NE(ran.said[0].content["data"]["text/plain"].get<std::string>().find("SIGSEGV"),
              std::string::npos);
    EXPECT_EQ(ran.value(), "1");
}

TEST(Front, UndoesOneCell) {
    Client client;
    client.run("set x=1");
    client.run("set x=2");
    EXPECT_EQ(client.run("undo").reply["status"], "ok");
    EXPECT_EQ(client.run("undo").reply["evalue"], "nothing to undo");
    EXPECT_EQ(client.run("get x").value(), "1");
}

// A file in place of /proc/meminfo, for the front alone.
void show_full_memory() {
    const std::string file = "/tmp/xcpp17-meminfo-" + std::to_string(::getpid());
    std::ofstream(file) << "MemTotal: 16777216 kB\nMemAvailable: 1024 kB\n";
    const std::string user = "0 " + std::to_string(::getuid()) + " 1";
    const bool done = ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
                      (std::ofstream("/proc/self/uid_map") << user << std::flush) &&
                      ::mount(file.c_str(), "/proc/meminfo", nullptr, MS_BIND, nullptr) == 0;
    std::filesystem::remove(file);
    if (!done) ::_exit(1);
}

bool can_show_full_memory() {
    const pid_t child = ::fork();
    if (child == 0) {
        show_full_memory();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status == 0;
}

bool has_ended(pid_t pid) {
    for (int turn = 0; turn < 3000 && ::kill(pid, 0) == 0; ++turn)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return ::kill(pid, 0) != 0;
}

TEST(Front, SaysThatACopyWasGivenUpBecauseMemoryIsShort) {
    if (!can_show_full_memory()) GTEST_SKIP() << "no file may be mounted in a namespace here";
    ::setenv("XCPP_SLOW", "0.1", 1);  // a minute without a cell is six seconds
    Client client({}, "ipc", "a key", show_full_memory);
    ::unsetenv("XCPP_SLOW");
    client.run("hold 100");
    // other pages than those of the copy
    const pid_t copy = std::stoi(client.run("set x=1\nhold 100\ncopy").value());
    ASSERT_TRUE(has_ended(copy));
    const Ran ran = client.run("undo");
    ASSERT_EQ(ran.types(), (Types{"display_data", "error"}));
    const auto note = ran.said[0].content["data"]["text/plain"].get<std::string>();
    EXPECT_NE(note.find("given up, because memory is short"), std::string::npos) << note;
    const std::string why = ran.reply["traceback"].dump();
    EXPECT_NE(why.find("given up, because memory is short"), std::string::npos) << why;
    EXPECT_EQ(why.find("as long as no other has run"), std::string::npos) << why;
    EXPECT_EQ(client.run("get x").value(), "1");
    EXPECT_EQ(client.run("undo").reply["status"], "ok") << "the next cell has a copy again";
}

TEST(Front, SaysWhyALostCopyCannotServe) {
    Client client;
    // It is known to the front once it has said hello.
    const pid_t copy = std::stoi(client.run("sleep 1\ncopy").value());
    ::kill(copy, SIGKILL);
    ASSERT_TRUE(has_ended(copy));
    const Ran ran = client.run("undo");
    EXPECT_EQ(ran.types(), (Types{"display_data", "error"}));
    EXPECT_NE(ran.reply["traceback"].dump().find("SIGKILL"), std::string::npos) << ran.reply;
    client.run("naked");
    EXPECT_NE(client.run("undo").reply["traceback"].dump().find("without a frozen copy"),
              std::string::npos);
}

TEST(Front, WaitsForAQuestionThatIsInterrupted) {
    ::setenv("XCPP_SLOW", "0.4", 1);  // a question gets two seconds, a late answer four
    Client client;
    ::unsetenv("XCPP_SLOW");
    client.run("set x=1");
    const std::string session = client.run("pid").value();
    client.send("shell", "complete_request", {{"code", "slow"}, {"cursor_pos", 4}});
    EXPECT_EQ(client.receive("shell").content["matches"], json::array());
    const auto id = client.send_cell("pid");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    client.signal(SIGINT);
    EXPECT_EQ(client.finish(id).reply["status"], "error");
    EXPECT_EQ(client.run("pid").value(), session);
    EXPECT_EQ(client.run("get x").value(), "1");
}

TEST(Front, InterruptsACellThatListens) {
    ::setenv("XCPP_SLOW", "20", 1);  // a busy machine, too, gives the cell time to listen
    Client client;
    ::unsetenv("XCPP_SLOW");
    const auto id = client.send_cell("set x=1\nprint started\nwait");
    client.await_text();
    client.signal(SIGINT);
    const Ran ran = client.finish(id);
    EXPECT_EQ(ran.types(), (Types{"error"}));
    EXPECT_EQ(ran.reply["ename"], "Interrupted");
    EXPECT_EQ(client.run("get x").value(), "1");  // it stopped by itself: nothing is taken back
}

TEST(Front, InterruptsACellThatDoesNot) {
    Client client;
    client.run("set x=1");
    const auto id = client.send_cell("set x=2\nprint started\nhang");
    client.await_text();
    EXPECT_EQ(client.ask("control", "interrupt_request", json::object()), json({{"status", "ok"}}));
    const Ran ran = client.finish(id);
    EXPECT_EQ(ran.types(), (Types{"error"}));
    EXPECT_EQ(ran.reply["ename"], "Interrupted");
    EXPECT_EQ(client.run("get x").value(), "1");
}

TEST(Front, TakesBackACellThatWasInterruptedWhileItCompiled) {
    Client client;
    client.run("set x=1");
    const auto id = client.send_cell("stage compile\nset x=2\nprint started\nwait\nstage run");
    client.await_text();
    client.signal(SIGINT);
    EXPECT_EQ(client.finish(id).types(), (Types{"error"}));
    EXPECT_EQ(client.run("get x").value(), "1");
}

TEST(Front, IgnoresAnInterruptWhenNothingRuns) {
    Client client;
    client.run("set x=1");
    client.signal(SIGINT);
    EXPECT_EQ(client.run("get x").value(), "1");
}

TEST(Front, AsksForInput) {
    Client client;
    const auto id = client.send_cell("ask name?", {{"allow_stdin", true}});
    const Said question = client.receive("stdin");
    EXPECT_EQ(question.content, json({{"prompt", "name?"}, {"password", false}}));
    client.send("stdin", "input_reply", {{"value", "too late"}}, {{"msg_id", "another question"}});
    client.send("stdin", "input_reply", {{"value", "Ada"}}, question.header);
    EXPECT_EQ(client.finish(id).value(), "Ada");
    EXPECT_EQ(client.run("ask name?").reply["ename"], "InputNotAllowed");
}

TEST(Front, DropsALateAnswerToAnInterruptedQuestion) {
    Client client;
    auto id = client.send_cell("ask first?", {{"allow_stdin", true}});
    client.receive("stdin");
    client.signal(SIGINT);
    EXPECT_EQ(client.finish(id).reply["ename"], "Interrupted");
    client.send("stdin", "input_reply",
                {{"value", "late"}});  // as jupyter_client sends it: it names no question
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    id = client.send_cell("ask second?", {{"allow_stdin", true}});
    client.receive("stdin");
    client.send("stdin", "input_reply", {{"value", "right"}});
    EXPECT_EQ(client.finish(id).value(), "right");
}

TEST(Front, AbortsWhatWaitsBehindAFailedCell) {
    Client client;
    const auto failed = client.send_cell("sleep 0.2\nthrow bad luck");
    client.send_cell("set x=1");
    client.send("shell", "kernel_info_request", json::object());
    client.follow(failed);
    EXPECT_EQ(client.receive("shell").content["status"], "error");
    EXPECT_EQ(client.receive("shell").content["status"], "aborted");
    EXPECT_EQ(client.receive("shell").type, "kernel_info_reply");
    EXPECT_EQ(client.run("get x").value(), "nothing");
}

TEST(Front, AbortsUnlessTheClientSaysOtherwise) {
    Client client;
    const auto status_behind_a_failed_cell = [&](const json& more) {
        json cell{{"code", "sleep 0.2\nthrow bad luck"}};
        cell.update(more);
        const auto failed = client.send("shell", "execute_request", cell);
        client.send_cell("set x=1");
        client.follow(failed);
        EXPECT_EQ(client.receive("shell").content["status"], "error");
        return client.receive("shell").content["status"];
    };
    EXPECT_EQ(status_behind_a_failed_cell(json::object()), "aborted");
    EXPECT_EQ(status_behind_a_failed_cell({{"stop_on_error", false}}), "ok");
}

TEST(Front, IsQuietWhenAskedToBe) {
    Client client;
    const Ran ran = client.run("value 1", {{"silent", true}});
    EXPECT_EQ(ran.types(), Types{});
    EXPECT_EQ(ran.reply["execution_count"], 0);
    EXPECT_EQ(client.run("crash 11", {{"silent", true}}).types(), Types{});
}

TEST(Front, EvaluatesUserExpressions) {
    Client client;
    const Ran ran =
        client.run("set x=7", {{"user_expressions", {{"good", "get x"}, {"bad", "throw oh"}}}});
    EXPECT_EQ(ran.types(), Types{});
    EXPECT_EQ(
        ran.reply["user_expressions"]["good"],
        json({{"status", "ok"}, {"data", {{"text/plain", "7"}}}, {"metadata", json::object()}}));
    EXPECT_EQ(ran.reply["user_expressions"]["bad"]["evalue"], "oh");
}

TEST(Front, KeepsDisplaysAndTextInOrder) {
    Client client;
    const Ran ran = client.run("print a\ndisplay b\nprint c\ndisplay d\nprint e");
    EXPECT_EQ(ran.types(), (Types{"stream", "display_data", "stream", "display_data", "stream"}));
}

TEST(Front, GivesOutputBetweenCellsToTheLastCell) {
    Client client;
    const auto id = client.send_cell("print_later afterwards");
    client.finish(id);
    const Said late = client.next_published();
    EXPECT_EQ(late.type, "stream");
    EXPECT_EQ(late.parent, id);
    EXPECT_EQ(late.content["text"], "afterwards");
}

TEST(Front, LimitsOutputAndNeverLosesTheEnd) {
    Client client;
    const Ran ran = client.run("bytes 20000000\nvalue 1");
    const std::string text = ran.text("stdout");
    EXPECT_GT(text.size(), 10'000'000U);
    EXPECT_LT(text.size(), 10'000'200U);
    EXPECT_NE(text.find("only the first 10.0 MB of 20.0 MB"), std::string::npos);
    EXPECT_EQ(ran.value(), "1");
}

TEST(Front, BringsWidgetsBack) {
    Client client;
    client.run("comm_open w1");
    const Ran ran = client.run("comm_set w1=5\ncomm_open w2\ncrash 11");
    EXPECT_EQ(ran.types(), (Types{"comm_msg", "comm_open", "comm_close", "comm_msg", "error"}));
    EXPECT_EQ(ran.said[2].content["comm_id"], "w2");
    EXPECT_EQ(ran.said[3].content["data"]["state"], json({{"value", 1}}));
    EXPECT_EQ(client.ask("shell", "comm_info_request", json::object())["comms"],
              json({{"w1", {{"target_name", "jupyter.widget"}}}}));
}

TEST(Front, RunsCommMessagesUnderTheirOwnHeader) {
    Client client;
    client.run("comm_open w1");
    const auto said = client.follow(
        client.send("shell", "comm_msg", {{"comm_id", "w1"}, {"data", {{"code", "print hello"}}}}));
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].content["text"], "hello\n");
}

TEST(Front, ClosesACommThatNobodyWants) {
    Client client;
    const auto said = client.follow(
        client.send("shell", "comm_open",
                    {{"comm_id", "c"}, {"target_name", "nobody"}, {"data", json::object()}}));
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].type, "comm_close");
}

// The Output widget is told which request it shows, and told to stop when the request has ended,
// whatever the end.
TEST(Front, AnOutputAreaIsToldAboutItsRequest) {
    Client client;
    client.run("comm_open area");
    const auto names = [](const std::vector<Said>& said) {
        std::vector<std::string> names;
        for (const auto& message : said)
            names.push_back(message.type == "comm_msg"
                                ? "area " +
                                      message.content["data"]["state"]["msg_id"].get<std::string>()
                                : message.type);
        return names;
    };
    for (const auto& [code, shown] : std::map<std::string, std::vector<std::string>>{
             {"output_area area\nprint here\noutput_area \nprint there",
              {"area REQUEST", "stream", "area ", "stream"}},
             {"output_area area\nprint here", {"area REQUEST", "stream", "area "}},
             {"output_area area\nthrow up", {"area REQUEST", "error", "area "}},
             {"output_area area\ncrash 11", {"area REQUEST", "error", "area "}},
             {"output_area nobody\nprint here", {"stream"}},
         }) {
        const std::string id =
            client.send("shell", "comm_msg", {{"comm_id", "area"}, {"data", {{"code", code}}}});
        std::vector<std::string> expected = shown;
        for (auto& name : expected)
            if (name == "area REQUEST") name = "area " + id;
        EXPECT_EQ(names(client.follow(id)), expected) << code;
    }
}

TEST(Front, NumbersItsHistory) {
    Client client;
    client.run("set x=1");
    client.run("value 1", {{"silent", true}});
    client.run("set x=2");
    const json history = client.ask(
        "shell", "history_request",
        {{"hist_access_type", "tail"}, {"n", 9}, {"raw", true}, {"output", false}})["history"];
    EXPECT_EQ(history, json::parse(R"([[0, 1, "set x=1"], [0, 2, "set x=2"]])"));
}

TEST(Front, CountsOnlyCellsThatStoreHistory) {
    Client client;
    const auto counts = [&](const char* code, const json& more = json::object()) {
        const Ran ran = client.run(code, more);
        EXPECT_EQ(ran.said.at(0).type, "execute_result");
        return std::pair<int, int>(ran.said.at(0).content["execution_count"],
                                   ran.reply["execution_count"]);
    };
    EXPECT_EQ(counts("value 1"), std::make_pair(1, 1));
    EXPECT_EQ(counts("value 2", {{"store_history", false}}), std::make_pair(2, 1))
        << "the reply tells how many are stored";
    EXPECT_EQ(counts("value 2"), std::make_pair(2, 2));
    EXPECT_EQ(client.run("value 3", {{"silent", true}}).reply["execution_count"], 2)
        << "silent stores nothing, whatever store_history says";
    EXPECT_EQ(client.run("fail no such name", {{"store_history", false}}).reply["execution_count"],
              2);
    EXPECT_EQ(counts("value 3"), std::make_pair(3, 3));
    const json history = client.ask(
        "shell", "history_request",
        {{"hist_access_type", "tail"}, {"n", 9}, {"raw", true}, {"output", false}})["history"];
    EXPECT_EQ(history, json::parse(R"([[0, 1, "value 1"], [0, 2, "value 2"], [0, 3, "value 3"]])"));
}

TEST(Front, PassesQuestionsOnInTheRightUnits) {
    Client client;
    const json completed =
        client.ask("shell", "complete_request", {{"code", "héllo"}, {"cursor_pos", 3}});
    EXPECT_EQ(completed["matches"], json::array({"hél"}));
    EXPECT_EQ(completed["cursor_start"], 2);
    EXPECT_EQ(completed["cursor_end"], 3);
    EXPECT_EQ(
        client.ask("shell", "inspect_request",
                   {{"code", "a"}, {"cursor_pos", 1}, {"detail_level", 0}})["data"]["text/plain"],
        "about");
    EXPECT_EQ(client.ask("shell", "is_complete_request", {{"code", "{"}}),
              json({{"status", "incomplete"}, {"indent", "    "}}));
}

TEST(Front, IgnoresMessagesThatNoClientSends) {
    Client client;
    zmq::multipart_t("no delimiter").send(client.socket("shell"));
    zmq::multipart_t wrong;
    for (const char* part : {"<IDS|MSG>", "wrong signature", "{}", "{}", "{}", "{}"})
        wrong.addstr(part);
    wrong.send(client.socket("control"));
    client.send("shell", "no_such_request", json::object());
    client.send("stdin", "input_reply", {{"value", "unasked"}});
    EXPECT_EQ(client.run("value 1").value(), "1");
}

TEST(Front, AcceptsUnsignedMessagesIfThereIsNoKey) {
    Client client({}, "ipc", "");
    EXPECT_EQ(client.run("value 1").value(), "1");
}

TEST(Front, SaysWhyTheSessionDoesNotStart) {
    Client client({"--die", "libfoo.so is missing"});
    const Ran ran = client.run("value 1");
    EXPECT_EQ(ran.types(), Types{"error"});
    const std::string traceback = ran.reply["traceback"].dump();
    EXPECT_NE(traceback.find("libfoo.so is missing"), std::string::npos);
    EXPECT_NE(traceback.find("Restart"), std::string::npos);
}

TEST(Front, SaysThatASessionNeedsMoreOpenFiles) {
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    const rlimit few{100, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    Client client;
    ::setrlimit(RLIMIT_NOFILE, &before);
    const std::string traceback = client.run("value 1").reply["traceback"].dump();
    EXPECT_NE(traceback.find("ulimit -n"), std::string::npos) << traceback;
}

TEST(Front, LimitsTheTimeOfCompilation) {
    ::setenv("XCPP_COMPILE_TIMEOUT", "0.5", 1);
    Client client;
    ::unsetenv("XCPP_COMPILE_TIMEOUT");
    client.run("set x=1");
    const Ran ran = client.run("set x=2\ncompile");
    EXPECT_EQ(ran.reply["ename"], "CompileError");
    const std::string evalue = ran.reply["evalue"];  // names the limit, which XCPP_SLOW multiplies
    EXPECT_EQ(evalue.find("compiling took longer than "), 0U) << evalue;
    EXPECT_EQ(client.run("get x").value(), "1");
}

TEST(Front, ShutsDownWhileACellRuns) {
    Client client;
    client.send_cell("child\nprint started\nhang");
    client.await_text();
    EXPECT_EQ(client.ask("control", "shutdown_request", {{"restart", true}}),
              json({{"status", "ok"}, {"restart", true}}));
    EXPECT_EQ(client.await_end(), 0);
}

TEST(Front, ShutsDownByTheShellChannelToo) {
    Client client;
    EXPECT_EQ(client.ask("shell", "shutdown_request", {{"restart", false}}),
              json({{"status", "ok"}, {"restart", false}}));
    EXPECT_EQ(client.await_end(), 0);
}

TEST(Front, ShutsDownOnSigterm) {
    Client client;
    client.run("set x=1");
    client.signal(SIGTERM);
    EXPECT_EQ(client.await_end(), 0);
}

}  // namespace
