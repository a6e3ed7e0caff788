// Speaks the protocol of jupyter_kernel/README.md and knows no C++: a cell is a list of words that
// make it misbehave in one way each. The tests of the front run it in place of xcpp17-session,
// whose own tests go through a real client.
#include "wire/acknowledge.hpp"
#include "wire/messages.hpp"
#include "wire/shared_state.hpp"
#include "wire/wire.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <thread>

namespace {

using nlohmann::json;
using xcpp_wire::Channel;
using xcpp_wire::Descriptor;

Channel channel;
xcpp_wire::SharedState* page = nullptr;
std::map<std::string, std::string> variables;
volatile sig_atomic_t interrupted = 0;

void pause_seconds(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// False in the copy, once it has taken over.
bool fork_snapshot(int cell) {
    auto pair = xcpp_wire::make_channel_pair();
    const pid_t middle = ::fork();
    if (middle == 0) {
        if (const pid_t copy = ::fork(); copy != 0) {
            page->frames[0] = static_cast<std::uint64_t>(copy);
            ::_exit(0);
        }
        ::signal(SIGINT, SIG_IGN);
        pair.mine.close();
        channel = std::move(pair.theirs);
        xcpp_wire::Message message;
        try {
            channel.send({{"op", "hello"}, {"pid", ::getpid()}});
            channel.receive(message);
        } catch (const xcpp_wire::Broken&) {
            ::_exit(0);
        }
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        json told{{"op", "took_over"}};
        const auto order = xcpp_wire::unpacked<xcpp_wire::TakeOver>(message.body);
        const std::string why = order.why;
        if (why == "crash") {
            const std::string how = order.signal != 0
                                        ? "signal " + std::to_string(order.signal)
                                        : "exit code " + std::to_string(order.exit_code);
            told["error"] = {{"ename", "Crash"}, {"evalue", how}, {"traceback", {"Crash: " + how}}};
        }
        variables["why"] = why;
        channel.send(told);
        return false;
    }
    ::waitpid(middle, nullptr, 0);
    const int theirs = pair.mine.fd();
    channel.send({{"op", "copy"}, {"cell", cell}}, {}, theirs);
    return true;
}

void print(int fd, const std::string& text) { (void)!::write(fd, text.data(), text.size()); }

void show(const std::string& type, const std::string& text) {
    xcpp_wire::send_acknowledged(channel, *page,
                                 {{"op", "publish"},
                                  {"type", type},
                                  {"content", {{"data", {{"text/plain", text}}}}},
                                  {"metadata", json::object()}});
}

// One word with its argument. Adds to the result.
void obey(const std::string& word, const std::string& argument, json& result) {
    if (word == "print") print(1, argument + "\n");
    if (word == "error") print(2, argument + "\n");
    if (word == "bytes") print(1, std::string(static_cast<std::size_t>(std::stol(argument)), 'x'));
    if (word == "half") print(1, "\xC3");
    if (word == "value") show("execute_result", argument);
    if (word == "display") show("display_data", argument);
    if (word == "set")
        variables[argument.substr(0, argument.find('='))] = argument.substr(argument.find('=') + 1);
    if (word == "get")
        show("execute_result", variables.count(argument) != 0 ? variables[argument] : "nothing");
    if (word == "hold") {
        static std::string held;
        held.assign(static_cast<std::size_t>(std::stol(argument)) << 20, 'x');
    }
    if (word == "copy") show("execute_result", std::to_string(page->frames[0]));
    if (word == "pid") show("execute_result", std::to_string(::getpid()));
    if (word == "sleep") pause_seconds(std::stod(argument));
    if (word == "crash") ::raise(std::stoi(argument));
    if (word == "exit") ::_exit(std::stoi(argument));
    if (word == "garbage") print(channel.fd(), argument + std::string(100, '#'));
    if (word == "close") channel.close(), pause_seconds(100);
    if (word == "child" && ::fork() == 0) pause_seconds(1000), ::_exit(0);
    if (word == "later") std::thread([] { pause_seconds(0.1), ::raise(SIGSEGV); }).detach();
    if (word == "print_later")
        std::thread([argument] { pause_seconds(0.1), print(1, argument); }).detach();
    if (word == "compile")
        channel.send({{"op", "stage"}, {"stage", "compile"}}), pause_seconds(100);
    if (word == "stage") channel.send({{"op", "stage"}, {"stage", argument}});
    if (word == "hang") ::signal(SIGINT, SIG_IGN), pause_seconds(100);
    if (word == "wait") {
        for (int turn = 0; turn < 5000 && page->interrupt == 0; ++turn) pause_seconds(0.002);
        result.update({{"status", "error"},
                       {"ename", "Interrupted"},
                       {"evalue", "by the flag"},
                       {"traceback", {"Interrupted"}}});
    }
    if (word == "fail")
        result.update({{"status", "error"},
                       {"ename", "CompileError"},
                       {"evalue", argument},
                       {"traceback", {argument}},
                       {"take_over", true}});
    if (word == "throw")
        result.update({{"status", "error"},
                       {"ename", "std::runtime_error"},
                       {"evalue", argument},
                       {"traceback", {argument}}});
    if (word == "undo") result["undo"] = true;
    if (word == "page")
        result["payload"] = {
            {{"source", "page"}, {"data", {{"text/plain", argument}}}, {"start", 0}}};
    if (word == "ask") {
        channel.send({{"op", "input_request"}, {"prompt", argument}});
        xcpp_wire::Message answer;
        channel.receive(answer);
        const auto reply = xcpp_wire::unpacked<xcpp_wire::InputReply>(answer.body);
        if (const std::string& why = reply.error; !why.empty()) {
            result.update({{"status", "error"},
                           {"ename", why == "interrupted" ? "Interrupted" : "InputNotAllowed"},
                           {"evalue", why},
                           {"traceback", {why}}});
        } else {
            show("execute_result", reply.value);
        }
    }
    if (word == "comm_open") {
        channel.send({{"op", "comm_out"},
                      {"event", "open"},
                      {"comm_id", argument},
                      {"target", "jupyter.widget"},
                      {"data", {{"state", {{"value", 1}}}}}});
    }
    if (word == "output_area")
        xcpp_wire::send_acknowledged(channel, *page,
                                     {{"op", "output_area"}, {"comm_id", argument}});
    if (word == "comm_set") {
        const auto equals = argument.find('=');
        channel.send({{"op", "comm_out"},
                      {"event", "msg"},
                      {"comm_id", argument.substr(0, equals)},
                      {"data",
                       {{"method", "update"},
                        {"state", {{"value", std::stoi(argument.substr(equals + 1))}}}}}});
    }
}

void run(const json& request) {
    const std::string op = request["op"];
    json result{{"op", "result"}, {"id", request["id"]}, {"status", "ok"}};
    const std::string code =
        op == "comm" ? request["data"].value("code", "") : request["code"].get<std::string>();
    if (op == "comm") result["handled"] = request.value("target", "") != "nobody";
    if (code != "undo" && code.rfind("naked", 0) != 0 && !fork_snapshot(request.value("count", 0)))
        return;
    if (code.rfind("naked", 0) == 0)
        channel.send({{"op", "no_copy"}, {"reason", "no copy this time"}});
    std::istringstream lines(code);
    for (std::string line; std::getline(lines, line);) {
        const auto space = line.find(' ');
        obey(line.substr(0, space), space == std::string::npos ? "" : line.substr(space + 1),
             result);
    }
    channel.send(result);
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, std::string> options;
    for (int index = 1; index + 1 < argc; index += 2) options[argv[index]] = argv[index + 1];
    channel = Channel(Descriptor(std::stoi(options["--channel"])));
    ::fcntl(channel.fd(), F_SETFD, FD_CLOEXEC);
    page = static_cast<xcpp_wire::SharedState*>(::mmap(nullptr, sizeof(xcpp_wire::SharedState),
                                                       PROT_READ | PROT_WRITE, MAP_SHARED,
                                                       std::stoi(options["--page"]), 0));
    ::signal(SIGINT, [](int) { interrupted = 1; });
    if (options.count("--die") != 0) {
        print(2, "cannot live: " + options["--die"] + "\n");
        ::_exit(9);
    }
    if (options.count("--load") != 0) pause_seconds(std::stod(options["--load"]));
    channel.send({{"op", "hello"}, {"pid", ::getpid()}});
    json notes = json::array();
    if (options.count("--note") != 0) notes.push_back(options["--note"]);
    channel.send({{"op", "ready"}, {"notes", notes}});
    for (;;) {
        xcpp_wire::Message message;
        try {
            channel.receive(message);
        } catch (const xcpp_wire::Broken&) {
            return 0;
        }
        const std::string op = message.body.value("op", "");
        if (op == "shutdown") return 0;
        if (op == "execute" || op == "comm") run(message.body);
        if (op == "complete") {
            const std::string code = message.body["code"];
            if (code == "hang") pause_seconds(100);
            // as the true one, which an interrupt ends
            for (int turn = 0; code == "slow" && turn < 10000 && interrupted == 0; ++turn)
                pause_seconds(0.002);
            const std::size_t cursor = message.body["cursor"];
            channel.send({{"op", "reply"},
                          {"id", message.body["id"]},
                          {"matches", {code.substr(0, cursor)}},
                          {"cursor_start", cursor - 1},
                          {"cursor_end", cursor}});
        }
        if (op == "inspect")
            channel.send({{"op", "reply"},
                          {"id", message.body["id"]},
                          {"found", true},
                          {"data", {{"text/plain", "about"}}}});
        if (op == "is_complete")
            channel.send({{"op", "reply"},
                          {"id", message.body["id"]},
                          {"status", "incomplete"},
                          {"indent", "    "}});
    }
}
