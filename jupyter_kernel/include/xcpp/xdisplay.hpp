// Rich output from inside a cell, with the names of xeus-cling.
//
//   xcpp::display(x);                below the cell
//   xcpp::display(x, "id");          and can be updated
//   xcpp::display(x, "id", true);    updates it
//   xcpp::clear_output(wait);        wait: clear only when the next output comes
//
// x is anything that a cell can show as its last value; a type of one's own brings `nlohmann::json
// mime_bundle_repr(const T&)` in its namespace.
#pragma once

#include "preamble.hpp"

namespace xcpp {

template <class T>
void display(const T& value) {
    detail::publish_value<0>(detail::Where{"display_data", nullptr}, value);
}

template <class T>
void display(const T& value, const std::string& id, bool update = false) {
    detail::publish_value<0>(
        detail::Where{update ? "update_display_data" : "display_data", id.c_str()}, value);
}

inline void clear_output(bool wait = false) {
    xcpp_publish("clear_output", wait ? "{\"wait\": true}" : "{\"wait\": false}", "");
}

}  // namespace xcpp
