// The ZeroMQ side of the front: sockets, signatures, and the one poll loop of the process.
//
// xeus 2.4.1 has two servers. Both end on an idle SIGINT, take a late answer to an interrupted
// prompt for the next prompt's, lose messages above the high-water mark, and keep their sockets to
// themselves, so that nothing else can be waited for beside them. Hence this one.
#pragma once

#include "bound_socket.hpp"
#include "cell_count.hpp"
#include "front/base/clock.hpp"
#include "heartbeat.hpp"

#include <nlohmann/json.hpp>
#include <xeus/xauthentication.hpp>
#include <xeus/xkernel.hpp>
#include <xeus/xserver.hpp>
#include <zmq.hpp>
#include <zmq_addon.hpp>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace xcpp_front {

// Who else waits in the poll loop, and is told what comes over the sockets beyond what xeus
// handles.
class PollParticipant {
public:
    virtual ~PollParticipant() = default;
    // Adds descriptors to wait for, and lowers `until` to the time by which on_poll() must be
    // called.
    virtual void add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) = 0;
    // After a wait. `items` as polled.
    virtual void on_poll(const std::vector<zmq_pollitem_t>& items) = 0;
    // After each request, when nothing runs.
    virtual void between_requests() = 0;
    virtual void interrupt_requested() = 0;
    virtual void input_came(const std::string& value) = 0;
    virtual void comm_message(const xeus::xmessage& message) = 0;
    virtual nlohmann::json open_comms(const std::string& target) = 0;
};

class Server : public xeus::xserver {
public:
    Server(zmq::context_t& context, const xeus::xconfiguration& config);
    ~Server() override;

    void attach(PollParticipant& participant) { participant_ = &participant; }
    const CellCount& cell_count() const { return cell_count_; }

    enum class Shell { listen, ignore };
    // Waits once, at most until then, and handles what came. A request that runs calls it with
    // Shell::ignore, over and over, until it is done.
    void step(Shell shell, TimePoint until = never);

    bool stopping() const { return stopping_; }
    // The request on the shell channel that is being handled.
    const nlohmann::json& shell_header() const { return shell_header_; }
    const nlohmann::json& shell_metadata() const { return shell_metadata_; }

    void publish_now(const std::string& type, const nlohmann::json& parent, nlohmann::json content,
                     nlohmann::json metadata = nlohmann::json::object(),
                     xeus::buffer_sequence buffers = {});
    // Asks the client that sent the present request. An earlier question is void, and so is its
    // answer.
    void request_input(const std::string& prompt, bool password);
    void forget_input() { input_id_.clear(); }
    bool awaits_input() const { return !input_id_.empty(); }

private:
    xeus::xcontrol_messenger& get_control_messenger_impl() override;
    void send_shell_impl(xeus::xmessage message) override;
    void send_control_impl(xeus::xmessage message) override;
    void send_stdin_impl(xeus::xmessage message) override;
    void publish_impl(xeus::xpub_message message, xeus::channel channel) override;
    void start_impl(xeus::xpub_message message) override;
    void abort_queue_impl(const listener& l, long polling_interval) override;
    void stop_impl() override { stopping_ = true; }
    void update_config_impl(xeus::xconfiguration&) const override {}  // a client chooses the ports

    bool receive(zmq::socket_t& socket, const char* name, xeus::xmessage& message);
    void handle_shell(xeus::xmessage message);
    void note_order(const xeus::xmessage& message);
    void handle_stdin(const xeus::xmessage& message);
    void send(zmq::socket_t& socket, xeus::xmessage message);
    void reply(const xeus::xmessage& request, const std::string& type, nlohmann::json content);
    void status(const nlohmann::json& parent, const char* state);
    nlohmann::json header(const std::string& type) const;

    std::unique_ptr<xeus::xauthentication> authentication_;
    std::size_t signature_size_;  // bytes
    BoundSocket shell_, control_, stdin_, iopub_;
    Heartbeat heartbeat_;
    std::unique_ptr<xeus::xcontrol_messenger> messenger_;
    PollParticipant* participant_ = nullptr;

    bool stopping_ = false;
    std::string user_, session_;
    nlohmann::json shell_header_ = nlohmann::json::object(),
                   shell_metadata_ = nlohmann::json::object();
    std::vector<std::string> shell_identities_;
    CellCount cell_count_;
    bool stop_on_error_ = false;
    bool restart_ = false;
    std::string input_id_;              // of the question that waits for an answer
    std::deque<xeus::xmessage> queue_;  // read from the shell socket, not handled yet
    std::size_t to_abort_ = 0;          // the first ones of the queue were there when a cell failed
};

std::unique_ptr<xeus::xserver> make_server(xeus::xcontext& context,
                                           const xeus::xconfiguration& config,
                                           nlohmann::json::error_handler_t);

}  // namespace xcpp_front
