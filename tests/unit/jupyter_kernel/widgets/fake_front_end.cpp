#include "fake_front_end.hpp"

#define EXPORTED __attribute__((visibility("default"), used))

extern "C" {

EXPORTED int xcpp_has_front_end(void) { return FakeFrontEnd::get().is_present ? 1 : 0; }

EXPORTED int xcpp_publish(const char* type, const char* content, const char*) {
    if (std::string(type) == "display_data")
        FakeFrontEnd::get().shown.push_back(nlohmann::json::parse(content)["data"]);
    return 0;
}

EXPORTED int xcpp_comm_open(const char* id, const char* target, const char* data,
                            const char* metadata, const xcpp_buffer* buffers, std::size_t count) {
    if (!FakeFrontEnd::get().has_comms || !FakeFrontEnd::get().is_present) return -1;
    if (std::string(target) != "jupyter.widget" ||
        nlohmann::json::parse(metadata)["version"] != "2.1.0")
        return -1;
    FakeFrontEnd::get().note("open", id, data, buffers, count);
    return 0;
}

EXPORTED int xcpp_comm_send(const char* id, const char* data, const char*,
                            const xcpp_buffer* buffers, std::size_t count) {
    FakeFrontEnd::get().note("msg", id, data, buffers, count);
    return 0;
}

EXPORTED int xcpp_comm_close(const char* id, const char* data, const char*) {
    FakeFrontEnd::get().note("close", id, data, nullptr, 0);
    return 0;
}

EXPORTED int xcpp_comm_on_target(const char* target, FakeFrontEnd::Handler handler, void*) {
    FakeFrontEnd::get().targets[target] = handler;
    return 0;
}

EXPORTED int xcpp_comm_on_message(const char* id, FakeFrontEnd::Handler handler, void*) {
    FakeFrontEnd::get().handlers[id] = handler;
    return 0;
}

EXPORTED int xcpp_output_area(const char* id) {
    FakeFrontEnd::get().areas.push_back(id);
    return 0;
}

EXPORTED int xcpp_cell_number(void) { return FakeFrontEnd::get().cell; }

EXPORTED int xcpp_cell_newest(int cell) {
    const auto& again = FakeFrontEnd::get().run_again;
    return again.count(cell) ? again.at(cell) : cell;
}
}
