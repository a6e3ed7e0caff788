#include "registry.hpp"

#include "../front_end.hpp"
#include "json.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <atomic>
#include <exception>
#include <iostream>
#include <new>

namespace xw::detail {
namespace {

using lanes::notebook::front_end;
using nlohmann::json;

constexpr const char* protocol = R"({"version":"2.1.0"})";

void message_came(const char* event, const char* comm_id, const char* data, const char*,
                  const xcpp_buffer*, std::size_t, void*) {
    Registry::get().on_message(event, comm_id, data);
}

void control_came(const char* event, const char* comm_id, const char* data, const char*,
                  const xcpp_buffer*, std::size_t, void*) {
    Registry::get().on_control(event, comm_id, data);
}

std::vector<xcpp_buffer> buffers_of(const std::vector<const std::vector<char>*>& bytes) {
    std::vector<xcpp_buffer> buffers;
    buffers.reserve(bytes.size());
    for (const auto* part : bytes) buffers.push_back({part->data(), part->size()});
    return buffers;
}

void send_state(const std::string& id, const char* method, const std::string& state,
                const std::string& paths = "",
                const std::vector<const std::vector<char>*>& bytes = {}) {
    if (!front_end().comm_send) return;
    const std::string data = std::string(R"({"method":")") + method + R"(","state":{)" + state +
                             R"(},"buffer_paths":[)" + paths + "]}";
    const auto buffers = buffers_of(bytes);
    front_end().comm_send(id.c_str(), data.c_str(), "", buffers.data(), buffers.size());
}

void append(std::string& list, const std::string& item) {
    if (!list.empty()) list += ',';
    list += item;
}

int cell_number() { return front_end().cell_number ? front_end().cell_number() : 0; }
bool was_run_again(int cell) {
    return cell != 0 && front_end().cell_newest && front_end().cell_newest(cell) != cell;
}

}  // namespace

// Never destroyed: widgets that are variables of a program end after it would.
Registry& Registry::get() {
    static Registry& registry = *new Registry;
    return registry;
}

// A frozen copy of the session has one thread and may have been made while another one held the
// lock: in a new process it is made anew.
std::unique_lock<std::recursive_mutex> Registry::lock() const {
    alignas(std::recursive_mutex) static unsigned char memory[sizeof(std::recursive_mutex)];
    static std::atomic<pid_t> process{0};
    if (const pid_t here = getpid(); process != here) {
        new (memory) std::recursive_mutex;
        process = here;
    }
    return std::unique_lock(*std::launder(reinterpret_cast<std::recursive_mutex*>(memory)));
}

// "name":value, …; adds the bytes of binary properties and their paths. path: what stands before
// the property's name in such a path.
std::string Registry::state_of(const Model& model, const std::string& path, Bytes& bytes,
                               std::string& paths) {
    const Kind& kind = model.kind_;
    const std::string module = json_of(std::string_view(kind.module));
    const std::string version =
        std::string_view(kind.module) == "@jupyter-widgets/output" ? R"("1.0.0")" : R"("2.0.0")";
    std::string state = R"("_model_module":)" + module + R"(,"_model_module_version":)" + version +
                        R"(,"_model_name":")" + kind.model + R"(","_view_module":)" + module +
                        R"(,"_view_module_version":)" + version + R"(,"_view_name":)" +
                        (*kind.view ? "\"" + std::string(kind.view) + "\"" : "null") +
                        R"(,"_view_count":null)";
    for (const PropertyBase* property : model.properties()) {
        if (!property->synced_ || !property->is_set()) continue;
        state += std::string(",\"") + property->name() + "\":" + property->encode();
        if (!property->bytes()) continue;
        bytes.push_back(property->bytes());
        append(paths, "[" + path + "\"" + property->name() + "\"]");
    }
    return state;
}

bool Registry::open(Model& model) {
    const auto locked = lock();
    if (model.open_) return true;
    model.prepare();
    sweep();
    entries_[model.id_] = {&model, hidden_ ? 0 : origin()};
    if (!front_end().comm_open) return false;
    for (const auto& id : model.parts())
        if (const auto part = entries_.find(id); part != entries_.end()) open(*part->second.model);
    Bytes bytes;
    std::string paths;
    const std::string data = R"({"state":{)" + state_of(model, "", bytes, paths) +
                             R"(},"buffer_paths":[)" + paths + "]}";
    const auto buffers = buffers_of(bytes);
    if (front_end().comm_open(model.id_.c_str(), "jupyter.widget", data.c_str(), protocol,
                              buffers.data(), buffers.size()) != 0)
        return false;
    model.open_ = true;
    front_end().comm_on_target("jupyter.widget.control", control_came, nullptr);
    front_end().comm_on_message(model.id_.c_str(), message_came, nullptr);
    return true;
}

void Registry::close(const Model& model) noexcept {
    const auto locked = lock();
    if (model.open_ && front_end().comm_close) front_end().comm_close(model.id_.c_str(), "", "");
    entries_.erase(model.id_);
    drop_displays([&model](const Display& display) { return display.root == model.id_; });
    for (const auto& [id, entry] : std::map(entries_))
        if (entry.model != &model) entry.model->drop_part(model.id_);
}

void Registry::moved(Model& to) noexcept {
    const auto locked = lock();
    if (const auto found = entries_.find(to.id_); found != entries_.end())
        found->second.model = &to;
}

Model* Registry::find(const std::string& id) const {
    const auto locked = lock();
    const auto found = entries_.find(id);
    return found == entries_.end() ? nullptr : found->second.model;
}

void Registry::send(const Model& model, const PropertyBase& property) const {
    const auto locked = lock();
    if (!model.open_ || !property.synced_) return;
    const std::string name = std::string("\"") + property.name() + "\"";
    const bool binary = property.bytes() != nullptr;
    send_state(model.id_, "update", name + ":" + property.encode(), binary ? "[" + name + "]" : "",
               binary ? Bytes{property.bytes()} : Bytes{});
}

std::string Registry::show(Model& model) {
    const auto locked = lock();
    sweep();
    if (!open(model)) return "";
    Display display{model.id_, origin(), cell_number() == 0, nullptr, nullptr};
    // An observer that shows a widget at each drag shows it once.
    if (display.by_observer)
        drop_displays([&model](const Display& other) {
            return other.by_observer && other.root == model.id_;
        });
    if (!model.is_silent()) {
        const struct Hidden {
            bool& hidden;
            explicit Hidden(bool& flag) : hidden(flag) { hidden = true; }
            ~Hidden() { hidden = false; }
        } hidden(hidden_);
        display.area = std::make_unique<output>();
        vbox frame = vbox::initialize();
        frame.add(model);
        frame.add(*display.area);
        display.frame = std::make_unique<vbox>(std::move(frame).finalize());
    }
    displays_.push_back(std::move(display));
    return displays_.back().frame ? displays_.back().frame->id() : model.id_;
}

bool Registry::shows(const std::string& id, const std::string& part) const {
    if (id == part) return true;
    const auto found = entries_.find(id);
    if (found == entries_.end()) return false;
    for (const auto& child : found->second.model->parts())
        if (shows(child, part)) return true;
    return false;
}

int Registry::origin() const { return cell_number() != 0 ? cell_number() : observers_cell_; }

// The last one that shows it.
const Registry::Display* Registry::display_of(const std::string& id) const {
    for (auto display = displays_.rbegin(); display != displays_.rend(); ++display)
        if (shows(display->root, id)) return &*display;
    return nullptr;
}

// They are taken out before they end: they hold widgets themselves.
void Registry::drop_displays(const std::function<bool(const Display&)>& condition) {
    std::list<Display> gone;
    for (auto display = displays_.begin(); display != displays_.end();) {
        const auto next = std::next(display);
        if (condition(*display)) gone.splice(gone.end(), displays_, display);
        display = next;
    }
}

// Closes what no page shows and no new run will name. Once a cell.
void Registry::sweep() {
    if (hidden_ || swept_cell_ == cell_number()) return;
    swept_cell_ = cell_number();
    drop_displays([](const Display& display) { return was_run_again(display.cell); });
    for (const auto& [id, entry] : entries_) {
        if (!entry.model->open_ || !was_run_again(entry.cell)) continue;
        if (display_of(id)) continue;
        front_end().comm_close(id.c_str(), "", "");
        entry.model->open_ = false;
    }
}

std::string Registry::direct_output(const std::string& area) {
    const auto locked = lock();
    if (area_cell_ != cell_number()) area_.clear();  // that request has ended
    area_cell_ = cell_number();
    if (area != area_ && front_end().output_area) {
        std::cout << std::flush;
        front_end().output_area(area.c_str());
    }
    return std::exchange(area_, area);
}

bool Registry::listens(const Model& model) {
    if (model.has_handlers()) return true;
    for (const PropertyBase* property : model.properties())
        if (property->is_observed()) return true;
    return false;
}

void Registry::on_message(const char* event, const std::string& id, std::string_view text) {
    Model* model = find(id);
    if (!model) return;
    if (std::string_view(event) == "close") {  // by the front end
        model->open_ = false;
        return;
    }
    const json data = json::parse(text.begin(), text.end(), nullptr, false);
    if (!data.is_object()) return;
    const std::string method = data.value("method", "");
    area_.clear();
    area_cell_ = 0;
    if (method == "request_state") {
        Bytes bytes;
        std::string paths;
        const std::string state = state_of(*model, "", bytes, paths);
        send_state(id, "update", state, paths, bytes);
        return;
    }
    const Display* display = display_of(id);
    observers_cell_ = display ? display->cell : 0;
    if (display && display->area && listens(*model)) direct_output(display->area->id());
    if (method == "custom" && data.contains("content") && data["content"].is_object()) {
        const json told = data["content"].value("event", json());
        if (told.is_string()) model->on_event(told.get<std::string>());
    } else if (method == "update" && data.contains("state") && data["state"].is_object()) {
        update(*model, data["state"].dump());
    }
}

// First all values, then word to the front end, then the observers: they see the widget as the
// person does.
void Registry::update(Model& model, std::string_view text) {
    const json state = json::parse(text.begin(), text.end());
    std::vector<PropertyBase*> changed;
    std::vector<PropertyBase*> refused;
    std::string echo;
    std::exception_ptr problem;
    for (PropertyBase* property : model.properties()) {
        if (!property->synced_ || !state.contains(property->name())) continue;
        const json& value = state[property->name()];
        bool taken = false;
        try {
            taken = property->take(value.dump());
        } catch (...) {  // of a validator
            if (!problem) problem = std::current_exception();
        }
        const std::string now = property->encode();
        if (taken && json::parse(now) == value) {
            if (std::string_view(property->name()) != "outputs")
                append(echo, std::string("\"") + property->name() + "\":" + now);
        } else {
            refused.push_back(property);
        }
        if (taken) changed.push_back(property);
    }
    if (!echo.empty()) send_state(model.id_, "echo_update", echo);  // another page may show it, too
    for (const PropertyBase* property : refused) send(model, *property);
    if (problem) std::rethrow_exception(problem);
    const std::weak_ptr<bool> alive = model.life_;
    for (PropertyBase* property : changed) {
        if (alive.expired()) return;
        property->run_observers();
    }
}

// A page that was loaded again asks for everything.
void Registry::on_control(const char* event, const std::string& comm, std::string_view text) const {
    const json data = json::parse(text.begin(), text.end(), nullptr, false);
    if (std::string_view(event) != "msg" || !data.is_object() ||
        data.value("method", "") != "request_states")
        return;
    const auto locked = lock();
    Bytes bytes;
    std::string paths, states;
    for (const auto& [id, entry] : entries_) {
        if (!entry.model->open_) continue;
        const Kind& kind = entry.model->kind_;
        const std::string quoted = "\"" + id + "\"";
        const std::string version =
            std::string_view(kind.module) == "@jupyter-widgets/output" ? "1.0.0" : "2.0.0";
        std::string state = quoted;
        state.append(R"(:{"model_name":")")
            .append(kind.model)
            .append(R"(","model_module":")")
            .append(kind.module);
        state.append(R"(","model_module_version":")").append(version).append(R"(","state":{)");
        state.append(state_of(*entry.model, quoted + R"(,"state",)", bytes, paths)).append("}}");
        append(states, state);
    }
    const std::string answer =
        R"({"method":"update_states","states":{)" + states + R"(},"buffer_paths":[)" + paths + "]}";
    const auto buffers = buffers_of(bytes);
    front_end().comm_send(comm.c_str(), answer.c_str(), "", buffers.data(), buffers.size());
}

}  // namespace xw::detail
