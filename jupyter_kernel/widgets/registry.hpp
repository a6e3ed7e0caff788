// All widgets of the process: their ids, what the page shows, and which models can be closed. There
// is one Registry; its table may be used from any thread.
//
// A page shows a widget in the output of a cell. Running the cell again removes the output, while
// the variable of the earlier run stays alive (a function may still use it). So the model in the
// front end is closed when the cell that made its widget was run again and no output shows it any
// more. If the widget is shown again, it is opened again.
#pragma once

#include "xcpp/widgets/box.hpp"
#include "xcpp/widgets/media.hpp"
#include "xcpp/widgets/model.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace xw::detail {

struct WidgetMessage;

class Registry {
public:
    static Registry& get();

    // Returns whether the widget has a model in the front end now.
    bool open(Model& model);
    // reference: "IPY_MODEL_" and the id of a model that the front end has made. The widget, not
    // yet opened, becomes its twin. False: there is no such model.
    bool adopt(Model& model, std::string_view reference);
    void close(const Model& model) noexcept;
    void moved(Model& to) noexcept;  // the id belongs to this object from now on
    Model* find(const std::string& id) const;
    void send(const Model& model, const PropertyBase& property) const;
    // Whether `part` is visible inside `id`.
    bool shows(const std::string& id, const std::string& part) const;

    // The id of the model that the page shall show; "" without a front end: text is printed
    // instead.
    std::string show(Model& model);

    // Sends output to the output widget with this id, "": to the cell. Returns where it went
    // before.
    std::string direct_output(const std::string& area);

    // Messages from the front end.
    void on_message(const char* event, const std::string& id, std::string_view data);
    void on_offer(const char* event, const std::string& id, std::string_view data);
    void on_control(const char* event, const std::string& comm, std::string_view data) const;

private:
    struct Entry {
        Model* model;
        int cell;  // the cell that made it; 0: none
    };
    struct Display {
        std::string root;
        int cell;
        bool by_observer;
        std::unique_ptr<vbox> frame;   // null if the widget runs no code of the user
        std::unique_ptr<output> area;  // below the root, for what its observers show
    };

    static nlohmann::json state_of(const Model& model, const nlohmann::json& path,
                                   WidgetMessage& message);
    static bool listens(const Model& model);

    int origin() const;  // the cell that owns what is made now
    const Display* display_of(const std::string& id) const;
    void drop_displays(const std::function<bool(const Display&)>& condition);
    void sweep();
    void update(Model& model, const nlohmann::json& state);

    std::unique_lock<std::recursive_mutex> lock() const;

    std::map<std::string, Entry> entries_;
    std::map<std::string, std::string> offers_;  // state, as JSON, of models of the front end
    std::list<Display> displays_;
    std::string area_;
    int area_cell_ = 0, swept_cell_ = 0;
    int observers_cell_ = 0;  // cell of the display whose message is handled now
    bool hidden_ = false;     // true while a display makes its own parts
};

}  // namespace xw::detail
