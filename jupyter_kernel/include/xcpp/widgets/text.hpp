// Text to read: label, html. Text to write: text, textarea, password. A colour: color_picker. A
// button.
//
//   #include <iostream>
//   xw::text name;
//   xw::button greet;
//   greet.description = "greet";
//   greet.on_click([&name] { std::cout << "Hello " << name.value() << "\n"; });
#pragma once

#include "xcpp/widgets/layout.hpp"

namespace xw {

template <class D>
class xstring : public xdescribed<D> {
public:
    detail::Property<std::string, D> value{this, "value"};
    detail::Property<std::string, D> placeholder{this, "placeholder"};

protected:
    using xdescribed<D>::xdescribed;
    std::string plain_text() const override;
};

template <class D>
class xlabel : public xstring<D> {
protected:
    xlabel() : xstring<D>({"LabelModel", "LabelView"}, "LabelStyleModel") {}

private:
    bool is_silent() const override { return true; }
};
using label = xmaterialize<xlabel>;

template <class D>
class xhtml : public xstring<D> {
protected:
    xhtml() : xstring<D>({"HTMLModel", "HTMLView"}, "HTMLStyleModel") {}

private:
    std::string plain_text() const override;  // without its tags
    bool is_silent() const override { return true; }
};
using html = xmaterialize<xhtml>;

template <class D>
class xtext : public xstring<D> {
public:
    detail::Property<bool, D> continuous_update{this, "continuous_update", true};

    // Called when Enter is pressed.
    void on_submit(std::function<void()> callback);

protected:
    explicit xtext(const char* model = "TextModel", const char* view = "TextView")
        : xstring<D>({model, view}, "TextStyleModel") {}

private:
    void on_event(std::string_view event) override;
    bool has_handlers() const override { return !submitted_.empty(); }

    std::vector<std::function<void()>> submitted_;
};
using text = xmaterialize<xtext>;

template <class D>
class xpassword : public xtext<D> {
protected:
    xpassword() : xtext<D>("PasswordModel", "PasswordView") {}

private:
    std::string plain_text() const override;  // asterisks
};
using password = xmaterialize<xpassword>;

template <class D>
class xtextarea : public xstring<D> {
public:
    detail::Property<bool, D> continuous_update{this, "continuous_update", true};

protected:
    xtextarea() : xstring<D>({"TextareaModel", "TextareaView"}, "TextStyleModel") {}
};
using textarea = xmaterialize<xtextarea>;

template <class D>
class xcolor_picker : public xdescribed<D> {
public:
    detail::Property<std::string, D> value{this, "value", "black"};
    detail::Property<bool, D> concise{this, "concise"};

protected:
    xcolor_picker() : xdescribed<D>({"ColorPickerModel", "ColorPickerView"}) {}

private:
    std::string plain_text() const override;
};
using color_picker = xmaterialize<xcolor_picker>;

template <class D>
class xbutton : public xwidget<D> {
public:
    detail::Property<std::string, D> description{this, "description"};
    detail::Property<std::string, D> tooltip{this, "tooltip"};
    detail::Property<bool, D> disabled{this, "disabled"};
    detail::Property<std::string, D> icon{this, "icon"};
    detail::Property<std::string, D> button_style{this, "button_style"};
    detail::Reference<xw::style> style{this, "style", "ButtonStyleModel"};

    void on_click(std::function<void()> callback);

protected:
    xbutton();

private:
    std::string plain_text() const override;
    void on_event(std::string_view event) override;
    bool has_handlers() const override { return !clicked_.empty(); }

    std::vector<std::function<void()>> clicked_;
};
using button = xmaterialize<xbutton>;

}  // namespace xw
