// All widgets of the process: who has which id, what is on the page, and what can go. One object;
// its table may be used from any thread.
//
// A page shows a widget in the output of a cell. Running the cell again takes the output away,
// while the variable of the earlier run lives on (a function may still use it). So a twin is closed
// when the cell that made its widget was run again and no output shows it any more; if the widget
// is shown again, it is opened again.
#pragma once

#include "lanes/notebook/widgets/box.hpp"
#include "lanes/notebook/widgets/media.hpp"
#include "lanes/notebook/widgets/model.hpp"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

struct xcpp_buffer;

namespace xw::detail {

class Registry {
public:
    static Registry& get();

    // True: the widget has a twin now.
    bool open(Model& model);
    void close(const Model& model) noexcept;
    void moved(Model& to) noexcept;  // the id belongs to this object from here on
    Model* find(const std::string& id) const;
    void send(const Model& model, const PropertyBase& property) const;
    // Whether `part` is seen where `id` is.
    bool shows(const std::string& id, const std::string& part) const;

    // The id of what the page shall show; "": no comms, text has to do.
    std::string show(Model& model);

    // Where output goes; returns where it went before.
    std::string direct_output(const std::string& area);

    // From the front end.
    void on_message(const char* event, const std::string& id, std::string_view data);
    void on_control(const char* event, const std::string& comm, std::string_view data) const;

private:
    struct Entry {
        Model* model;
        int cell;  // that made it; 0: none
    };
    struct Display {
        std::string root;
        int cell;
        bool by_observer;
        std::unique_ptr<vbox> frame;   // null where no code of the user's can run
        std::unique_ptr<output> area;  // below the root, for what its observers show
    };
    using Bytes = std::vector<const std::vector<char>*>;

    static std::string state_of(const Model& model, const std::string& path, Bytes& bytes,
                                std::string& paths);
    static std::string state_of(const Model& model, const PropertyBase& property, Bytes& bytes,
                                std::string& paths);
    static bool listens(const Model& model);

    int origin() const;  // the cell to whose output belongs what is made now
    const Display* display_of(const std::string& id) const;
    void drop_displays(const std::function<bool(const Display&)>& condition);
    void sweep();
    void update(Model& model, std::string_view state);

    std::unique_lock<std::recursive_mutex> lock() const;

    std::map<std::string, Entry> entries_;
    std::list<Display> displays_;
    std::string area_;
    int area_cell_ = 0, swept_cell_ = 0;
    int observers_cell_ = 0;  // of the display from which the message came that is handled now
    bool hidden_ = false;     // a display's own parts are being made
};

}  // namespace xw::detail
