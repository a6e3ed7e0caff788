#include "xcpp/widgets/text.hpp"

#include "widgets/definitions.hpp"

namespace xw {

template <class D>
std::string xstring<D>::plain_text() const {
    return (this->description().empty() ? "" : this->description() + ": ") + value();
}

template <class D>
std::string xhtml<D>::plain_text() const {
    std::string text;
    bool in_tag = false;
    for (const char c : this->value()) {
        if (c == '<') in_tag = true;
        if (!in_tag) text += c;
        if (c == '>') in_tag = false;
    }
    return (this->description().empty() ? "" : this->description() + ": ") + text;
}

template <class D>
void xtext<D>::on_submit(std::function<void()> callback) {
    submitted_.push_back(std::move(callback));
}

template <class D>
void xtext<D>::on_event(std::string_view event) {
    if (event != "submit") return;
    for (const auto& callback : std::vector<std::function<void()>>(submitted_)) callback();
}

template <class D>
std::string xpassword<D>::plain_text() const {
    return (this->description().empty() ? "" : this->description() + ": ") + "***";
}

template <class D>
std::string xcolor_picker<D>::plain_text() const {
    return (this->description().empty() ? "" : this->description() + ": ") + value();
}

template <class D>
xbutton<D>::xbutton() : xwidget<D>({"ButtonModel", "ButtonView"}) {
    button_style.allow(" primary success info warning danger");
}

template <class D>
void xbutton<D>::on_click(std::function<void()> callback) {
    clicked_.push_back(std::move(callback));
}

// The callbacks are copied: one of them may destroy the button.
template <class D>
void xbutton<D>::on_event(std::string_view event) {
    if (event != "click") return;
    for (const auto& callback : std::vector<std::function<void()>>(clicked_)) callback();
}

template <class D>
std::string xbutton<D>::plain_text() const {
    return "[" + (description().empty() ? std::string("button") : description()) + "]";
}

}  // namespace xw

#define XW_TEXT(NAME)                  \
    XW_WIDGET(xw::x##NAME)             \
    XW_PROPERTY(bool, xw::NAME)        \
    XW_PROPERTY(std::string, xw::NAME) \
    template class xw::x##NAME<xw::NAME>;

XW_TEXT(label)
XW_TEXT(html)
XW_TEXT(text)
XW_TEXT(password)
XW_TEXT(textarea)
XW_TEXT(color_picker)
XW_TEXT(button)
template class xw::xstring<xw::label>;
template class xw::xstring<xw::html>;
template class xw::xstring<xw::text>;
template class xw::xstring<xw::password>;
template class xw::xstring<xw::textarea>;
template class xw::xtext<xw::password>;
