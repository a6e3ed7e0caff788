// The C interface of include/xcpp/capi.h, and what the generated text of a cell calls.
#include "xcpp/capi.h"

#include "session.hpp"
#include "session/clang/diagnostics/hints_failed.hpp"
#include "session/process/threads_after_restore.hpp"

#include <cstring>
#include <iostream>

namespace {

using nlohmann::json;
using xcpp_session::Session;

// Null where the text is no JSON object.
json object(const char* text) {
    if (!text || !*text) return json::object();
    auto parsed = json::parse(text, nullptr, false);
    return parsed.is_object() ? parsed : json();
}

bool are_objects(const json& a, const json& b) { return a.is_object() && b.is_object(); }

std::vector<std::string> copies(const xcpp_buffer* buffers, std::size_t count) {
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        texts.emplace_back(static_cast<const char*>(buffers[i].data), buffers[i].size);
    return texts;
}

int done(bool sent) { return sent ? 0 : -1; }

// Null in a process that a cell forked: the comms are not its own.
Session* session_with_comms() {
    auto* session = Session::the_session();
    return session && session->owns_comms() ? session : nullptr;
}

int send_comm(const char* event, const char* comm_id, const char* target, const char* data,
              const char* metadata, const xcpp_buffer* buffers = nullptr, std::size_t count = 0) {
    auto* session = session_with_comms();
    if (!session || !comm_id || !target) return -1;
    return done(
        session->send(xcpp_wire::CommOut{event, comm_id, target, object(data), object(metadata)},
                      copies(buffers, count)));
}

}  // namespace

extern "C" {

int xcpp_publish(const char* type, const char* content, const char* metadata) {
    auto* session = Session::the_session();
    const json body = object(content), about = object(metadata);
    if (!session || !type || !are_objects(body, about)) return -1;
    return done(session->send(xcpp_wire::Publish{type, body, about}));
}

int xcpp_comm_open(const char* comm_id, const char* target, const char* data, const char* metadata,
                   const xcpp_buffer* buffers, size_t count) {
    return send_comm("open", comm_id, target, data, metadata, buffers, count);
}

int xcpp_comm_send(const char* comm_id, const char* data, const char* metadata,
                   const xcpp_buffer* buffers, size_t count) {
    return send_comm("msg", comm_id, "", data, metadata, buffers, count);
}

int xcpp_comm_close(const char* comm_id, const char* data, const char* metadata) {
    if (auto* session = session_with_comms(); session && comm_id) session->comms().forget(comm_id);
    return send_comm("close", comm_id, "", data, metadata);
}

int xcpp_comm_on_target(const char* target, xcpp_comm_handler handler, void* user) {
    auto* session = Session::the_session();
    if (!session || !target) return -1;
    session->comms().on_target(target, handler, user);
    return 0;
}

int xcpp_comm_on_message(const char* comm_id, xcpp_comm_handler handler, void* user) {
    auto* session = session_with_comms();
    if (!session || !comm_id) return -1;
    session->comms().on_message(comm_id, handler, user);
    return 0;
}

int xcpp_output_area(const char* comm_id) {
    auto* session = session_with_comms();
    if (!session || !comm_id) return -1;
    return done(session->send(xcpp_wire::OutputArea{comm_id}));
}

int xcpp_input(const char* prompt, char* out, size_t size) {
    auto* session = Session::the_session();
    if (!session || !out || size == 0) return -1;
    std::string answer;
    const int result = session->ask(prompt ? prompt : "", answer);
    if (result != 0) return result;
    const std::size_t length = std::min(size - 1, answer.size());
    std::memcpy(out, answer.data(), length);
    out[length] = '\0';
    return 0;
}

int xcpp_interrupted(void) {
    auto* session = Session::the_session();
    return session && session->interrupted() ? 1 : 0;
}

int xcpp_on_cell_end(xcpp_cell_end_handler handler, void* user) {
    auto* session = Session::the_session();
    if (!session || !handler) return -1;
    session->on_cell_end(handler, user);
    return 0;
}

int xcpp_continue_in_fork(void) {
    auto* session = Session::the_session();
    return done(session && session->continue_in_fork());
}

int xcpp_keep_process(const char* what) {
    auto* session = Session::the_session();
    return session && what ? session->keep_process(what) : -1;
}

int xcpp_release_process(int number) {
    auto* session = Session::the_session();
    return done(session && session->release_process(number));
}

int xcpp_thread_is_replaceable(void) {
    xcpp_session::thread_is_replaceable();
    return 0;
}

int xcpp_has_front_end(void) { return Session::the_session() ? 1 : 0; }

const char* xcpp_cell_source(int cell) {
    auto* session = Session::the_session();
    return session ? session->cell_source(cell) : nullptr;
}

int xcpp_cell_number(void) {
    auto* session = Session::the_session();
    return session ? session->cell_number() : 0;
}

int xcpp_cell_newest(int cell) {
    auto* session = Session::the_session();
    return session ? session->newest_run_of(cell) : cell;
}

int xcpp_cell_failed(const char* name) { return name ? xcpp_session::failed_cell_of(name) : 0; }

int xcpp_add_magic(const char* name, const char* usage, const char* meaning,
                   xcpp_magic_translator translate, void* user, const char* declarations) {
    if (!name || !usage || !meaning) return -1;
    std::optional<std::string> names;
    if (declarations) names = declarations;
    return done(xcpp_session::add_library_magic(name, usage, meaning, translate, user, names));
}

const char* xcpp_references(const char* name, const void* address) {
    auto* session = Session::the_session();
    if (!session || !name) return nullptr;
    try {
        return session->references(name, address);
    } catch (const std::runtime_error& error) {
        std::cerr << "xcpp_references: " << error.what() << '\n' << std::flush;
        return nullptr;
    }
}

void xcpp_who_row(const char* name, const char* type, int cell, const char* value, long size,
                  long elements) {
    if (auto* session = Session::the_session())
        session->add_who_row({name, type, cell, value, size, elements});
}

void xcpp_not_defined(const char* symbol) { xcpp_session::throw_not_defined(symbol); }

void xcpp_step(int number) {
    if (auto* session = Session::the_session()) session->step(number);
}
}
