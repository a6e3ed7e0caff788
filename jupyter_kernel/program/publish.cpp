// The C functions of xcpp/capi.h where there is no front end: displays are their plain text on
// stdout, there are no comms, and input comes from stdin.
#include "xcpp/capi.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <iostream>
#include <string>

extern "C" {

__attribute__((visibility("default"))) int xcpp_publish(const char* type, const char* content,
                                                        const char*) {
    if (std::strcmp(type, "clear_output") == 0) return 0;
    const auto message = nlohmann::json::parse(content, nullptr, false);
    if (!message.is_object() || !message.contains("data")) return -1;
    const auto& data = message["data"];
    if (!data.is_object() || !data.contains("text/plain") || !data["text/plain"].is_string())
        return -1;
    std::cout << data["text/plain"].get<std::string>() << '\n' << std::flush;
    return std::cout ? 0 : -1;
}

int xcpp_comm_open(const char*, const char*, const char*, const char*, const struct xcpp_buffer*,
                   size_t) {
    return -1;
}
int xcpp_comm_send(const char*, const char*, const char*, const struct xcpp_buffer*, size_t) {
    return -1;
}
int xcpp_comm_close(const char*, const char*, const char*) { return -1; }
int xcpp_comm_on_target(const char*, xcpp_comm_handler, void*) { return -1; }
int xcpp_comm_on_message(const char*, xcpp_comm_handler, void*) { return -1; }

int xcpp_output_area(const char*) { return -1; }

int xcpp_input(const char* prompt, char* out, size_t size) {
    std::cout << prompt << std::flush;
    std::string line;
    if (size == 0 || !std::getline(std::cin, line)) return -1;
    const size_t length = std::min(line.size(), size - 1);
    std::memcpy(out, line.data(), length);
    out[length] = '\0';
    return 0;
}

int xcpp_interrupted(void) { return 0; }
int xcpp_has_front_end(void) { return 0; }
int xcpp_on_cell_end(xcpp_cell_end_handler, void*) { return -1; }
int xcpp_continue_in_fork(void) { return -1; }
int xcpp_add_magic(const char*, const char*, const char*, xcpp_magic_translator, void*,
                   const char*) {
    return -1;
}
const char* xcpp_cell_source(int) { return nullptr; }
int xcpp_cell_number(void) { return 0; }
int xcpp_cell_newest(int cell) { return cell; }
}
