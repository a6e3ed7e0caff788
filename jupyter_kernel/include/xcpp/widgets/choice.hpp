// Yes or no: checkbox, togglebutton, valid. One of several texts: dropdown, radiobuttons,
// togglebuttons, select, selectionslider. Several of them: select_multiple, and from one to
// another: selection_rangeslider.
//
//   #include <iostream>
//   xw::dropdown optimizer(std::vector<std::string>{"sgd", "adam"}, "sgd");
//   std::cout << optimizer.value() << "\n";
//   xw::select_multiple columns(std::vector<std::string>{"loss", "accuracy", "time"});
//   columns.value = std::vector<std::string>{"loss", "time"};
#pragma once

#include "xcpp/widgets/layout.hpp"

namespace xw {

template <class D>
class xboolean : public xdescribed<D> {
public:
    detail::Property<bool, D> value{this, "value"};

protected:
    using xdescribed<D>::xdescribed;

private:
    std::string plain_text() const override;
};

template <class D>
class xcheckbox : public xboolean<D> {
public:
    detail::Property<bool, D> indent{this, "indent", true};

protected:
    xcheckbox() : xboolean<D>({"CheckboxModel", "CheckboxView"}, "CheckboxStyleModel") {}
};
using checkbox = xmaterialize<xcheckbox>;

template <class D>
class xtogglebutton : public xboolean<D> {
public:
    detail::Property<std::string, D> tooltip{this, "tooltip"};
    detail::Property<std::string, D> icon{this, "icon"};
    detail::Property<std::string, D> button_style{this, "button_style"};

protected:
    xtogglebutton();
};
using togglebutton = xmaterialize<xtogglebutton>;

template <class D>
class xvalid : public xboolean<D> {
public:
    detail::Property<std::string, D> readout{this, "readout", "Invalid"};

protected:
    xvalid() : xboolean<D>({"ValidModel", "ValidView"}) {}

private:
    bool is_silent() const override { return true; }
};
using valid = xmaterialize<xvalid>;

namespace detail {

// The index of the choice among the options. None: -1 here, null in the front end.
template <class D>
class Index : public Property<int, D> {
public:
    using Property<int, D>::Property;
    using Property<int, D>::operator=;

private:
    std::string encode() const override;
    bool take(std::string_view json) override;
};

}  // namespace detail

template <class D>
class xselection : public xdescribed<D> {
public:
    using options_type = std::vector<std::string>;

    detail::Property<options_type, D> _options_labels{this, "_options_labels"};
    detail::Index<D> index{this, "index", -1};
    detail::Property<std::string, D> value{
        this, "value", {}, false};  // kept equal to the option at index

protected:
    explicit xselection(detail::Kind kind, options_type options = {}, std::string chosen = {},
                        const char* style_model = "DescriptionStyleModel");

private:
    void prepare() override;
    std::string plain_text() const override;
};

template <class D>
class xdropdown : public xselection<D> {
protected:
    explicit xdropdown(std::vector<std::string> options = {}, std::string chosen = {});
};
using dropdown = xmaterialize<xdropdown>;

template <class D>
class xradiobuttons : public xselection<D> {
protected:
    explicit xradiobuttons(std::vector<std::string> options = {}, std::string chosen = {});
};
using radiobuttons = xmaterialize<xradiobuttons>;

template <class D>
class xtogglebuttons : public xselection<D> {
public:
    detail::Property<std::string, D> button_style{this, "button_style"};

protected:
    explicit xtogglebuttons(std::vector<std::string> options = {}, std::string chosen = {});
};
using togglebuttons = xmaterialize<xtogglebuttons>;

template <class D>
class xselect : public xselection<D> {
public:
    detail::Property<int, D> rows{this, "rows", 5};

protected:
    explicit xselect(std::vector<std::string> options = {}, std::string chosen = {});
};
using select = xmaterialize<xselect>;

template <class D>
class xselectionslider : public xselection<D> {
public:
    detail::Property<std::string, D> orientation{this, "orientation", "horizontal"};
    detail::Property<bool, D> readout{this, "readout", true};
    detail::Property<bool, D> continuous_update{this, "continuous_update", true};

protected:
    explicit xselectionslider(std::vector<std::string> options = {}, std::string chosen = {});
};
using selectionslider = xmaterialize<xselectionslider>;

// Any number of the options.
template <class D>
class xmultiple_selection : public xdescribed<D> {
public:
    using options_type = std::vector<std::string>;

    detail::Property<options_type, D> _options_labels{this, "_options_labels"};
    detail::Property<std::vector<int>, D> index{this, "index"};
    detail::Property<options_type, D> value{
        this, "value", {}, false};  // kept equal to the options at index

protected:
    // required: so many are always chosen; 0: any number.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): all constructors of widgets take values
    explicit xmultiple_selection(detail::Kind kind, options_type options, options_type chosen,
                                 const char* style_model = "DescriptionStyleModel",
                                 std::size_t required = 0);

private:
    void prepare() override;
    std::string plain_text() const override;

    std::size_t required_;
};

template <class D>
class xselect_multiple : public xmultiple_selection<D> {
public:
    detail::Property<int, D> rows{this, "rows", 5};

protected:
    explicit xselect_multiple(std::vector<std::string> options = {},
                              std::vector<std::string> chosen = {});
};
using select_multiple = xmaterialize<xselect_multiple>;

// value: the first and the last option of the range.
template <class D>
class xselection_rangeslider : public xmultiple_selection<D> {
public:
    detail::Property<std::string, D> orientation{this, "orientation", "horizontal"};
    detail::Property<bool, D> readout{this, "readout", true};
    detail::Property<bool, D> continuous_update{this, "continuous_update", true};

protected:
    explicit xselection_rangeslider(std::vector<std::string> options = {},
                                    std::vector<std::string> chosen = {});
};
using selection_rangeslider = xmaterialize<xselection_rangeslider>;

}  // namespace xw
