#include "widgets/registry.hpp"

#include "widgets/front_end.hpp"
#include "widgets/json.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <atomic>
#include <exception>
#include <iostream>
#include <new>

namespace xw::detail {

using nlohmann::json;

// A message to the front end. Binary values travel in buffers beside the JSON text, which lists
// their paths.
struct WidgetMessage {
    json data;
    json paths = json::array();
    std::vector<xcpp_buffer> buffers;

    void add(const std::vector<char>& bytes, const json& path) {
        buffers.push_back({bytes.data(), bytes.size()});
        paths.push_back(path);
    }
    std::string text() {
        data["buffer_paths"] = paths;
        return data.dump(-1, ' ', false, json::error_handler_t::replace);
    }
};

namespace {

constexpr const char* protocol = R"({"version":"2.1.0"})";

void message_came(const char* event, const char* comm_id, const char* data, const char*,
                  const xcpp_buffer*, std::size_t, void*) {
    Registry::get().on_message(event, comm_id, data);
}

void control_came(const char* event, const char* comm_id, const char* data, const char*,
                  const xcpp_buffer*, std::size_t, void*) {
    Registry::get().on_control(event, comm_id, data);
}

void offer_came(const char* event, const char* comm_id, const char* data, const char*,
                const xcpp_buffer*, std::size_t, void*) {
    Registry::get().on_offer(event, comm_id, data);
}

void send_message(const std::string& comm, WidgetMessage message) {
    if (!xcpp_comm_send) return;
    xcpp_comm_send(comm.c_str(), message.text().c_str(), "", message.buffers.data(),
                   message.buffers.size());
}

const char* version_of(const Kind& kind) {
    return std::string_view(kind.module) == "@jupyter-widgets/output" ? "1.0.0" : "2.0.0";
}

json value_of(const std::string& encoded) { return json::parse(encoded); }

int cell_number() { return xcpp_cell_number ? xcpp_cell_number() : 0; }
bool was_run_again(int cell) {
    return cell != 0 && xcpp_cell_newest && xcpp_cell_newest(cell) != cell;
}

}  // namespace

// Never destroyed: widgets that are global variables are destroyed after it would be.
Registry& Registry::get() {
    static Registry& registry = *new Registry;
    return registry;
}

// A snapshot of the session (a fork) has one thread and may have been made while another thread
// held the lock: each process makes its own.
std::unique_lock<std::recursive_mutex> Registry::lock() const {
    alignas(std::recursive_mutex) static unsigned char memory[sizeof(std::recursive_mutex)];
    static std::atomic<pid_t> process{0};
    if (const pid_t here = getpid(); process != here) {
        new (memory) std::recursive_mutex;
        process = here;
    }
    return std::unique_lock(*std::launder(reinterpret_cast<std::recursive_mutex*>(memory)));
}

// The values of all properties. The bytes of binary ones are added to the message; path: what
// stands before the property's name in their paths.
json Registry::state_of(const Model& model, const json& path, WidgetMessage& message) {
    const Kind& kind = model.kind_;
    json state{{"_model_module", kind.module},
               {"_model_module_version", version_of(kind)},
               {"_model_name", kind.model},
               {"_view_module", kind.module},
               {"_view_module_version", version_of(kind)},
               {"_view_name", *kind.view ? json(kind.view) : json(nullptr)},
               {"_view_count", nullptr}};
    for (const PropertyBase* property : model.properties()) {
        if (!property->synced_ || !property->is_set()) continue;
        state[property->name()] = value_of(property->encode());
        if (!property->bytes()) continue;
        json full_path = path;
        full_path.push_back(property->name());
        message.add(*property->bytes(), full_path);
    }
    return state;
}

bool Registry::open(Model& model) {
    const auto locked = lock();
    if (model.open_) return true;
    model.prepare();
    sweep();
    entries_[model.id_] = {&model, hidden_ ? 0 : origin()};
    if (!xcpp_comm_open) return false;
    for (const auto& id : model.parts())
        if (const auto part = entries_.find(id); part != entries_.end()) open(*part->second.model);
    WidgetMessage message;
    message.data["state"] = state_of(model, json::array(), message);
    if (xcpp_comm_open(model.id_.c_str(), "jupyter.widget", message.text().c_str(), protocol,
                       message.buffers.data(), message.buffers.size()) != 0)
        return false;
    model.open_ = true;
    xcpp_comm_on_target("jupyter.widget.control", control_came, nullptr);
    xcpp_comm_on_target("jupyter.widget", offer_came, nullptr);
    xcpp_comm_on_message(model.id_.c_str(), message_came, nullptr);
    return true;
}

// The front end makes the parts of some widgets itself, such as the buttons of a controller.
void Registry::on_offer(const char* event, const std::string& id, std::string_view text) {
    const auto locked = lock();
    if (std::string_view(event) != "open") {
        offers_.erase(id);
        return;
    }
    const json data = json::parse(text.begin(), text.end(), nullptr, false);
    if (data.is_object() && data.contains("state")) offers_[id] = data["state"].dump();
}

bool Registry::adopt(Model& model, std::string_view reference) {
    const auto locked = lock();
    const std::string prefix = reference_to("");
    if (reference.substr(0, prefix.size()) != prefix) return false;
    const auto offer = offers_.find(std::string(reference.substr(prefix.size())));
    if (offer == offers_.end()) return false;
    const json state = json::parse(offer->second, nullptr, false);
    model.id_ = offer->first;
    offers_.erase(offer);
    entries_[model.id_] = {&model, 0};
    xcpp_comm_on_message(model.id_.c_str(), message_came, nullptr);
    if (state.is_object()) update(model, state);
    model.open_ = true;
    return true;
}

void Registry::close(const Model& model) noexcept {
    const auto locked = lock();
    if (model.open_ && xcpp_comm_close) xcpp_comm_close(model.id_.c_str(), "", "");
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
    WidgetMessage message;
    message.data = {{"method", "update"},
                    {"state", {{property.name(), value_of(property.encode())}}}};
    if (property.bytes()) message.add(*property.bytes(), json::array({property.name()}));
    send_message(model.id_, std::move(message));
}

std::string Registry::show(Model& model) {
    const auto locked = lock();
    sweep();
    if (!open(model)) return "";
    Display display{model.id_, origin(), cell_number() == 0, nullptr, nullptr};
    // An observer that shows a widget on each drag replaces its earlier display.
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

// The most recent display that shows it.
const Registry::Display* Registry::display_of(const std::string& id) const {
    for (auto display = displays_.rbegin(); display != displays_.rend(); ++display)
        if (shows(display->root, id)) return &*display;
    return nullptr;
}

// They are removed from the list before they are destroyed: they hold widgets themselves.
void Registry::drop_displays(const std::function<bool(const Display&)>& condition) {
    std::list<Display> gone;
    for (auto display = displays_.begin(); display != displays_.end();) {
        const auto next = std::next(display);
        if (condition(*display)) gone.splice(gone.end(), displays_, display);
        display = next;
    }
}

// Closes models that no output shows and whose cell was run again. Once per cell.
void Registry::sweep() {
    if (hidden_ || swept_cell_ == cell_number()) return;
    swept_cell_ = cell_number();
    drop_displays([](const Display& display) { return was_run_again(display.cell); });
    for (const auto& [id, entry] : entries_) {
        if (!entry.model->open_ || !was_run_again(entry.cell)) continue;
        if (display_of(id)) continue;
        xcpp_comm_close(id.c_str(), "", "");
        entry.model->open_ = false;
    }
}

std::string Registry::direct_output(const std::string& area) {
    const auto locked = lock();
    if (area_cell_ != cell_number()) area_.clear();  // it was that of an earlier request
    area_cell_ = cell_number();
    if (area != area_ && xcpp_output_area) {
        std::cout << std::flush;
        xcpp_output_area(area.c_str());
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
        WidgetMessage message;
        message.data["method"] = "update";
        message.data["state"] = state_of(*model, json::array(), message);
        send_message(id, std::move(message));
        return;
    }
    const Display* display = display_of(id);
    observers_cell_ = display ? display->cell : 0;
    if (display && display->area && listens(*model)) direct_output(display->area->id());
    if (method == "custom" && data.contains("content") && data["content"].is_object()) {
        const json event_name = data["content"].value("event", json());
        if (event_name.is_string()) model->on_event(event_name.get<std::string>());
    } else if (method == "update" && data.contains("state") && data["state"].is_object()) {
        update(*model, data["state"]);
    }
}

// First all values are stored, then the front end is informed, then the observers run: they see the
// widget as the person does.
void Registry::update(Model& model, const json& state) {
    std::vector<PropertyBase*> changed;
    std::vector<PropertyBase*> refused;
    json echo = json::object();
    std::exception_ptr problem;
    for (PropertyBase* property : model.properties()) {
        if (!property->synced_ || !state.contains(property->name())) continue;
        const json& value = state[property->name()];
        bool taken = false;
        try {
            taken = property->take(value.dump());
        } catch (...) {  // thrown by a validator
            if (!problem) problem = std::current_exception();
        }
        const json now = value_of(property->encode());
        if (taken && now == value) {
            if (std::string_view(property->name()) != "outputs") echo[property->name()] = now;
        } else {
            refused.push_back(property);
        }
        if (taken) changed.push_back(property);
    }
    if (!echo.empty()) {  // another page may show the widget, too
        WidgetMessage message;
        message.data = {{"method", "echo_update"}, {"state", echo}};
        send_message(model.id_, std::move(message));
    }
    for (const PropertyBase* property : refused) send(model, *property);
    if (problem) std::rethrow_exception(problem);
    const std::weak_ptr<bool> alive = model.life_;
    for (PropertyBase* property : changed) {
        if (alive.expired()) return;
        property->run_observers();
    }
}

// A page that was reloaded asks for all states.
void Registry::on_control(const char* event, const std::string& comm, std::string_view text) const {
    const json data = json::parse(text.begin(), text.end(), nullptr, false);
    if (std::string_view(event) != "msg" || !data.is_object() ||
        data.value("method", "") != "request_states")
        return;
    const auto locked = lock();
    WidgetMessage message;
    json states = json::object();
    for (const auto& [id, entry] : entries_) {
        if (!entry.model->open_) continue;
        const Kind& kind = entry.model->kind_;
        states[id] = {{"model_name", kind.model},
                      {"model_module", kind.module},
                      {"model_module_version", version_of(kind)},
                      {"state", state_of(*entry.model, json::array({id, "state"}), message)}};
    }
    message.data = {{"method", "update_states"}, {"states", states}};
    send_message(comm, std::move(message));
}

}  // namespace xw::detail
