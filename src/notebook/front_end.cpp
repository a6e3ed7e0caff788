#include "notebook/front_end.hpp"

#include "notebook/text.hpp"

#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <iostream>

namespace lanes::notebook {

namespace {

template <class Function>
void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(jupyter_kernel_function(name));
}

FrontEnd look_up() {
    FrontEnd found;
    find(found.publish, "xcpp_publish");
    find(found.interrupted, "xcpp_interrupted");
    find(found.has_front_end, "xcpp_has_front_end");
    find(found.on_cell_end, "xcpp_on_cell_end");
    return found;
}

}  // namespace

const FrontEnd& front_end() {
    static const FrontEnd found = look_up();
    return found;
}

void* jupyter_kernel_function(const char* name) { return dlsym(RTLD_DEFAULT, name); }

bool is_rich() {
    return front_end().publish && front_end().has_front_end && front_end().has_front_end() == 1;
}

bool is_interrupted() { return front_end().interrupted && front_end().interrupted() == 1; }

void publish(const Bundle& bundle, const std::string& display_id, bool update) {
    using nlohmann::json;
    std::cout << std::flush;
    if (is_rich()) {
        json data{{"text/plain", bundle.text}};
        json metadata = json::object();
        if (!bundle.html.empty()) data["text/html"] = bundle.html;
        if (!bundle.vega_lite.empty())
            data["application/vnd.vegalite.v5+json"] = json::parse(bundle.vega_lite);
        if (!bundle.svg.empty()) data["image/svg+xml"] = bundle.svg;
        if (!bundle.png.empty()) data["image/png"] = base64(bundle.png);
        if (!bundle.png.empty() && bundle.png_width > 0)
            metadata["image/png"] = {{"width", bundle.png_width}, {"height", bundle.png_height}};
        json content{{"data", data}, {"metadata", metadata}};
        if (!display_id.empty()) content["transient"] = {{"display_id", display_id}};
        // A title may hold bytes that are not UTF-8: they are replaced.
        const std::string text = content.dump(-1, ' ', false, json::error_handler_t::replace);
        if (front_end().publish(update ? "update_display_data" : "display_data", text.c_str(),
                                "") == 0)
            return;
    }
    std::cout << bundle.text << '\n' << std::flush;
}

std::string new_display_id() {
    static std::atomic<unsigned> count{0};
    // A snapshot of the session that takes over after a crash counts from where it was made. The
    // process id keeps its displays apart from those of the session that ended.
    return "lanes-" + std::to_string(getpid()) + "-" + std::to_string(++count);
}

}  // namespace lanes::notebook
