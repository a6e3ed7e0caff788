// Where a widget stands and what it looks like. Both are made when they are first used.
//
//   xw::slider<int> slider;
//   slider.layout().width = "50%";
//   slider.style().handle_color = "blue";
#pragma once

#include "xcpp/widgets/model.hpp"

namespace xw {

template <class D>
class xlayout : public detail::Observed<D> {
    template <class T>
    using Property = detail::Property<T, D>;
    using Maybe = detail::Maybe;

public:
    Property<Maybe> align_content{this, "align_content"};
    Property<Maybe> align_items{this, "align_items"};
    Property<Maybe> align_self{this, "align_self"};
    Property<Maybe> border{this, "border", {}, false};  // all four
    Property<Maybe> border_top{this, "border_top"};
    Property<Maybe> border_right{this, "border_right"};
    Property<Maybe> border_bottom{this, "border_bottom"};
    Property<Maybe> border_left{this, "border_left"};
    Property<Maybe> bottom{this, "bottom"};
    Property<Maybe> display{this, "display"};
    Property<Maybe> flex{this, "flex"};
    Property<Maybe> flex_flow{this, "flex_flow"};
    Property<Maybe> height{this, "height"};
    Property<Maybe> justify_content{this, "justify_content"};
    Property<Maybe> left{this, "left"};
    Property<Maybe> margin{this, "margin"};
    Property<Maybe> max_height{this, "max_height"};
    Property<Maybe> max_width{this, "max_width"};
    Property<Maybe> min_height{this, "min_height"};
    Property<Maybe> min_width{this, "min_width"};
    Property<Maybe> object_fit{this, "object_fit"};
    Property<Maybe> order{this, "order"};
    Property<Maybe> overflow{this, "overflow"};
    Property<Maybe> padding{this, "padding"};
    Property<Maybe> right{this, "right"};
    Property<Maybe> top{this, "top"};
    Property<Maybe> visibility{this, "visibility"};
    Property<Maybe> width{this, "width"};

protected:
    xlayout();

private:
    std::string plain_text() const override { return "layout"; }
    bool is_silent() const override { return true; }
};
using layout = xmaterialize<xlayout>;

// One type for the styles of all widgets; the front end ignores what a widget does not use.
template <class D>
class xstyle : public detail::Observed<D> {
    template <class T>
    using Property = detail::Property<T, D>;
    using Maybe = detail::Maybe;

public:
    Property<Maybe> background{this, "background"};
    Property<Maybe> bar_color{this, "bar_color"};
    Property<Maybe> button_color{this, "button_color"};
    Property<Maybe> button_width{this, "button_width"};
    Property<Maybe> description_width{this, "description_width"};
    Property<Maybe> font_family{this, "font_family"};
    Property<Maybe> font_size{this, "font_size"};
    Property<Maybe> font_style{this, "font_style"};
    Property<Maybe> font_weight{this, "font_weight"};
    Property<Maybe> handle_color{this, "handle_color"};
    Property<Maybe> text_color{this, "text_color"};

protected:
    explicit xstyle(const char* model = "DescriptionStyleModel");

private:
    std::string plain_text() const override { return "style"; }
    bool is_silent() const override { return true; }
};
using style = xmaterialize<xstyle>;
using slider_style = style;
using button_style = style;
using progress_style = style;
using description_style = style;

namespace detail {

// A model that belongs to a widget and is made when it is first used. M: layout or style.
template <class M>
class Reference : public PropertyBase {
public:
    Reference(Model* owner, const char* name, const char* model = nullptr);
    Reference(const Reference& other);
    Reference(Reference&& other) noexcept;
    ~Reference();

    M& operator()();
    operator M&() { return (*this)(); }
    Reference& operator=(const M& value);
    Reference& operator=(const Reference& other);

private:
    std::string encode() const override;
    bool take(std::string_view) override { return true; }
    std::vector<std::string> parts() const override;

    const char* model_name_;
    std::unique_ptr<M> model_;
};

}  // namespace detail

// A visible widget.
template <class D>
class xwidget : public detail::Observed<D> {
public:
    detail::Reference<xw::layout> layout{this, "layout"};

protected:
    using detail::Observed<D>::Observed;
};

// A widget with a description beside it, and a style.
template <class D>
class xdescribed : public xwidget<D> {
public:
    detail::Property<std::string, D> description{this, "description"};
    detail::Property<bool, D> description_allow_html{this, "description_allow_html"};
    detail::Property<bool, D> disabled{this, "disabled"};
    detail::Reference<xw::style> style;

protected:
    explicit xdescribed(detail::Kind kind, const char* style_model = "DescriptionStyleModel")
        : xwidget<D>(kind), style(this, "style", style_model) {}
};

}  // namespace xw
