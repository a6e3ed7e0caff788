// A Jupyter client for the tests of the front: starts xcpp17 with the fake session behind it and
// speaks the protocol.
#pragma once

#include "front/jupyter/connection.hpp"
#include "front/jupyter/message.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>
#include <zmq.hpp>
#include <zmq_addon.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using nlohmann::json;

struct Said {
    std::string type;
    json content;
    json header;
    std::string parent;  // id of the request that it belongs to
};

struct Ran {
    json reply;
    std::vector<Said> said;  // without status and execute_input
    double seconds = 0;

    std::string text(const std::string& stream) const {
        std::string text;
        for (const auto& message : said)
            if (message.type == "stream" && message.content["name"] == stream)
                text += message.content["text"].get<std::string>();
        return text;
    }
    std::string value() const {
        for (const auto& message : said)
            if (message.type == "execute_result") return message.content["data"]["text/plain"];
        return "";
    }
    std::vector<std::string> types() const {
        std::vector<std::string> types;
        for (const auto& message : said) types.push_back(message.type);
        return types;
    }
};

class Client {
public:
    using Words = std::vector<std::string>;

    explicit Client(const Words& session_arguments = {}, const std::string& transport = "ipc",
                    const std::string& key = "a key", void (*prepare_front)() = nullptr)
        : serializer_("hmac-sha256", key) {
        std::string name = testing::TempDir() + "xcpp17-test-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
        folder_ = name;
        xcpp_front::Connection place;
        place.transport = transport;
        place.ip = transport == "ipc" ? folder_ + "/socket" : own_address();
        json connection{{"transport", transport},
                        {"ip", place.ip},
                        {"key", key},
                        {"signature_scheme", "hmac-sha256"}};
        int port = 20000;
        for (const char* channel : {"shell", "control", "stdin", "iopub", "hb"}) {
            connection[std::string(channel) + "_port"] = ++port;
            if (std::string(channel) == "hb") continue;
            auto& socket =
                sockets_
                    .emplace(channel, zmq::socket_t(context_, std::string(channel) == "iopub"
                                                                  ? zmq::socket_type::sub
                                                                  : zmq::socket_type::dealer))
                    .first->second;
            socket.set(zmq::sockopt::linger, 0);
            if (std::string(channel) == "iopub") {
                socket.set(zmq::sockopt::subscribe, "");
                socket.set(zmq::sockopt::rcvhwm, 0);
            } else {
                socket.set(zmq::sockopt::routing_id, "client");
            }
            socket.connect(place.end_point(port));
        }
        std::ofstream(folder_ + "/connection.json") << connection;
        Words words{FRONT_PROGRAM, "-f", folder_ + "/connection.json", "--session", FAKE_SESSION};
        words.insert(words.end(), session_arguments.begin(), session_arguments.end());
        std::vector<char*> arguments;
        for (auto& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_ = ::fork();
        if (pid_ == 0) {
            ::setenv("XDG_STATE_HOME", folder_.c_str(), 1);  // history of these tests alone
            if (prepare_front != nullptr) prepare_front();
            ::execv(FRONT_PROGRAM, arguments.data());
            ::_exit(127);
        }
        // A subscription takes a moment: until something of ours comes back over iopub.
        for (int turn = 0; turn < 600 && next_published(100).type.empty(); ++turn)
            send("shell", "kernel_info_request", json::object());
        while (!receive("shell", 50).type.empty() || !next_published(50).type.empty()) {
        }
    }
    ~Client() {
        if (pid_ != 0) {
            ::kill(pid_, SIGTERM);
            await_end();
        }
        std::filesystem::remove_all(folder_);
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    std::string send(const std::string& channel, const std::string& type, json content,
                     json parent = json::object()) {
        const std::string id = "request " + std::to_string(++requests_);
        xcpp_front::Message message;
        message.header = {{"msg_id", id}, {"msg_type", type}, {"session", "tests"}};
        message.parent_header = std::move(parent);
        message.content = std::move(content);
        serializer_.serialize(message).send(sockets_.at(channel));
        return id;
    }
    std::string send_cell(const std::string& code, const json& more = json::object()) {
        json content{{"code", code},          {"silent", false},
                     {"store_history", true}, {"user_expressions", json::object()},
                     {"allow_stdin", false},  {"stop_on_error", true}};
        content.update(more);
        return send("shell", "execute_request", content);
    }
    // The next message on a channel; no type: none came in time.
    Said receive(const std::string& channel, int timeout_ms = 10000) {
        auto& socket = sockets_.at(channel);
        zmq::multipart_t parts;
        if (!ready(socket, timeout_ms) || !parts.recv(socket)) return {};
        const xcpp_front::Message message = serializer_.deserialize(parts);
        return {message.type(), message.content, message.header,
                message.parent_header.value("msg_id", "")};
    }
    Said next_published(int timeout_ms = 10000) { return receive("iopub", timeout_ms); }
    json ask(const std::string& channel, const std::string& type, json content) {
        send(channel, type, std::move(content));
        return receive(channel).content;
    }
    // What is published for a request until it is idle.
    std::vector<Said> follow(const std::string& id) {
        std::vector<Said> said;
        for (;;) {
            Said message = next_published();
            if (message.type.empty()) throw std::runtime_error("the request did not become idle");
            if (message.parent != id) continue;
            if (message.type == "status" && message.content["execution_state"] == "idle")
                return said;
            if (message.type != "status" && message.type != "execute_input")
                said.push_back(std::move(message));
        }
    }
    Ran finish(const std::string& id) {
        const auto start = std::chrono::steady_clock::now();
        Ran ran;
        ran.said = follow(id);
        ran.reply = receive("shell").content;
        ran.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return ran;
    }
    Ran run(const std::string& code, const json& more = json::object()) {
        return finish(send_cell(code, more));
    }

    // Waits until a cell has printed something.
    void await_text() {
        for (;;) {
            const std::string type = next_published().type;
            if (type.empty()) throw std::runtime_error("the cell has printed nothing");
            if (type == "stream") return;
        }
    }
    void signal(int number) const { ::kill(pid_, number); }
    // The exit code; -1: it was killed, or it lives on after a minute.
    int await_end() {
        for (int turn = 0; turn < 6000; ++turn) {
            int status = 0;
            if (::waitpid(pid_, &status, WNOHANG) == pid_) {
                pid_ = 0;
                return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return -1;
    }
    zmq::socket_t& socket(const std::string& channel) { return sockets_.at(channel); }

private:
    // One of this machine's 16 million addresses: no other program has taken ports of it.
    static std::string own_address() {
        std::random_device random;
        std::string address = "127";
        for (int part = 0; part < 3; ++part) address += "." + std::to_string(1 + random() % 254);
        return address;
    }
    static bool ready(zmq::socket_t& socket, int timeout_ms) {
        zmq_pollitem_t item{socket.handle(), 0, ZMQ_POLLIN, 0};
        return zmq_poll(&item, 1, timeout_ms) > 0;
    }

    std::string folder_;
    pid_t pid_ = 0;
    xcpp_front::Serializer serializer_;
    int requests_ = 0;
    zmq::context_t context_{1};
    std::map<std::string, zmq::socket_t> sockets_;
};
