#include "xcpp/widgets/controller.hpp"

#include "widgets/definitions.hpp"
#include "widgets/registry.hpp"

#include <map>

namespace xw {
namespace detail {

template <class W>
std::string Controls<W>::encode() const {
    std::vector<std::string> references;
    references.reserve(controls_.size());
    for (const W& control : controls_) references.push_back(reference_to(control.id()));
    return json_of(references);
}

template <class W>
bool Controls<W>::take(std::string_view json) {
    std::vector<std::string> references;
    if (!read_json(json, references)) return false;
    std::map<std::string, W> added;  // all of them, before one that is known is moved
    const auto find = [this](const std::string& reference) {
        return std::find_if(controls_.begin(), controls_.end(), [&](const W& control) {
            return reference_to(control.id()) == reference;
        });
    };
    for (const std::string& reference : references) {
        if (find(reference) != controls_.end()) continue;
        auto control = W::initialize();
        if (!Registry::get().adopt(control, reference)) return false;
        added.emplace(reference, std::move(control));
    }
    std::vector<W> controls;
    for (const std::string& reference : references) {
        const auto known = find(reference);
        controls.push_back(std::move(known != controls_.end() ? *known : added.at(reference)));
    }
    controls_ = std::move(controls);
    return true;
}

template <class W>
std::vector<std::string> Controls<W>::parts() const {
    std::vector<std::string> ids;
    ids.reserve(controls_.size());
    for (const W& control : controls_) ids.push_back(control.id());
    return ids;
}

}  // namespace detail

template <class D>
std::string xcontroller_button<D>::plain_text() const {
    return std::string("button (") + (pressed() ? "pressed)" : "not pressed)");
}

template <class D>
std::string xcontroller_axis<D>::plain_text() const {
    return "axis at " + detail::json_of(value());
}

template <class D>
std::string xcontroller<D>::plain_text() const {
    if (!connected()) return "controller (press a button of the gamepad to connect it)";
    return "controller " + name() + " (" + std::to_string(buttons().size()) + " buttons, " +
           std::to_string(axes().size()) + " axes)";
}

}  // namespace xw

#define XW_CONTROL(NAME)          \
    XW_WIDGET(xw::x##NAME)        \
    XW_PROPERTY(bool, xw::NAME)   \
    XW_PROPERTY(double, xw::NAME) \
    template class xw::x##NAME<xw::NAME>;

XW_CONTROL(controller_button)
XW_CONTROL(controller_axis)
template class xw::detail::Controls<xw::controller_button>;
template class xw::detail::Controls<xw::controller_axis>;
XW_CONTROL(controller)
XW_PROPERTY(int, xw::controller)
XW_PROPERTY(std::string, xw::controller)
