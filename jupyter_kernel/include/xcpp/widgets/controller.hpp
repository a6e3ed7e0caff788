// A gamepad: the page shows which buttons are pressed, and the widget has their values.
//
//   #include <iostream>
//   xw::controller pad;
//   XOBSERVE(pad, connected, [](auto& widget) {
//       std::cout << widget.name() << ": " << widget.buttons().size() << " buttons\n";
//   });
//   pad.display();
#pragma once

#include "xcpp/widgets/layout.hpp"

namespace xw {

template <class D>
class xcontroller_button : public xwidget<D> {
public:
    detail::Property<double, D> value{this, "value"};  // from 0 to 1
    detail::Property<bool, D> pressed{this, "pressed"};

protected:
    xcontroller_button() : xwidget<D>({"ControllerButtonModel", "ControllerButtonView"}) {}

private:
    std::string plain_text() const override;
};
using controller_button = xmaterialize<xcontroller_button>;

template <class D>
class xcontroller_axis : public xwidget<D> {
public:
    detail::Property<double, D> value{this, "value"};  // from -1 to 1

protected:
    xcontroller_axis() : xwidget<D>({"ControllerAxisModel", "ControllerAxisView"}) {}

private:
    std::string plain_text() const override;
};
using controller_axis = xmaterialize<xcontroller_axis>;

namespace detail {

// The buttons or axes of a controller. The page makes them when the gamepad is connected.
template <class W>
class Controls : public PropertyBase {
public:
    Controls(Model* owner, const char* name) : PropertyBase(owner, name) {}
    Controls(const Controls& other) noexcept : PropertyBase(other) {}
    Controls& operator=(const Controls&) noexcept { return *this; }

    std::vector<W>& operator()() noexcept { return controls_; }
    const std::vector<W>& operator()() const noexcept { return controls_; }

private:
    std::string encode() const override;
    bool take(std::string_view json) override;
    std::vector<std::string> parts() const override;

    std::vector<W> controls_;
};

}  // namespace detail

template <class D>
class xcontroller : public xwidget<D> {
public:
    detail::Property<int, D> index{this, "index"};  // which of the connected gamepads
    detail::Property<std::string, D> name{this, "name"};
    detail::Property<std::string, D> mapping{this, "mapping"};
    detail::Property<bool, D> connected{this, "connected"};
    detail::Property<double, D> timestamp{this, "timestamp"};
    detail::Controls<controller_button> buttons{this, "buttons"};
    detail::Controls<controller_axis> axes{this, "axes"};

protected:
    xcontroller() : xwidget<D>({"ControllerModel", "ControllerView"}) {}

private:
    std::string plain_text() const override;
};
using controller = xmaterialize<xcontroller>;

}  // namespace xw
