#include "xcpp/widgets/number.hpp"

#include "widgets/definitions.hpp"

namespace xw {
namespace detail {

template <class D>
Bounded<D>::Bounded(Kind kind, const char* style_model) : xdescribed<D>(kind, style_model) {
    value.rule([](D& widget, value_type& proposed) {
        if (proposed < widget.min()) proposed = widget.min();
        if (proposed > widget.max()) proposed = widget.max();
    });
    min.rule(nullptr, [](D& widget) {
        if (widget.max() < widget.min()) widget.max = widget.min();
        if (widget.value() < widget.min()) widget.value = widget.min();
    });
    max.rule(nullptr, [](D& widget) {
        if (widget.min() > widget.max()) widget.min = widget.max();
        if (widget.value() > widget.max()) widget.value = widget.max();
    });
}

template <class D>
void Bounded<D>::prepare() {
    if (max() < min()) max() = min();
    value() = std::min(std::max(value(), min()), max());
}

template <class D>
std::string Bounded<D>::with_description(const std::string& text) const {
    return (this->description().empty() ? "" : this->description() + ": ") + text;
}

template <class D>
Kind kind_of(Kind whole, Kind real) {
    return std::is_floating_point_v<typename NumberOf<D>::type> ? real : whole;
}

}  // namespace detail

using detail::encode_value;
using detail::kind_of;

template <class D>
xslider<D>::xslider()
    : Base(kind_of<D>({"IntSliderModel", "IntSliderView"}, {"FloatSliderModel", "FloatSliderView"}),
           "SliderStyleModel") {
    orientation.allow("horizontal vertical");
}

template <class D>
std::string xslider<D>::plain_text() const {
    return this->with_description(encode_value(this->value()) + " (slider from " +
                                  encode_value(this->min()) + " to " + encode_value(this->max()) +
                                  " in steps of " + encode_value(step()) + ")");
}

template <class D>
xprogress<D>::xprogress()
    : detail::Bounded<D>(
          kind_of<D>({"IntProgressModel", "ProgressView"}, {"FloatProgressModel", "ProgressView"}),
          "ProgressStyleModel") {
    bar_style.allow(" success info warning danger");
    orientation.allow("horizontal vertical");
}

template <class D>
std::string xprogress<D>::plain_text() const {
    return this->with_description(encode_value(this->value()) + " of " + encode_value(this->max()));
}

template <class D>
xnumber_bounded<D>::xnumber_bounded()
    : Base(kind_of<D>({"BoundedIntTextModel", "IntTextView"},
                      {"BoundedFloatTextModel", "FloatTextView"})) {}

template <class D>
std::string xnumber_bounded<D>::plain_text() const {
    return this->with_description(encode_value(this->value()) + " (from " +
                                  encode_value(this->min()) + " to " + encode_value(this->max()) +
                                  ")");
}

template <class D>
xnumber<D>::xnumber()
    : xdescribed<D>(
          kind_of<D>({"IntTextModel", "IntTextView"}, {"FloatTextModel", "FloatTextView"})) {}

template <class D>
std::string xnumber<D>::plain_text() const {
    return (this->description().empty() ? "" : this->description() + ": ") + encode_value(value());
}

template <class D>
xplay<D>::xplay() : detail::Bounded<D>({"PlayModel", "PlayView"}) {}

template <class D>
std::string xplay<D>::plain_text() const {
    return this->with_description(encode_value(this->value()) + " (plays from " +
                                  encode_value(this->min()) + " to " + encode_value(this->max()) +
                                  ")");
}

}  // namespace xw

// NOLINTBEGIN(bugprone-macro-parentheses): names of templates take none
#define XW_NUMBER_WIDGET(TEMPLATE, NAME, T) \
    XW_WIDGET(xw::TEMPLATE, T)              \
    XW_PROPERTY(T, xw::NAME<T>)             \
    XW_PROPERTY(bool, xw::NAME<T>)          \
    XW_PROPERTY(std::string, xw::NAME<T>)   \
    template class xw::TEMPLATE<xw::NAME<T>>;
#define XW_BOUNDED_WIDGET(TEMPLATE, NAME, T) \
    XW_NUMBER_WIDGET(TEMPLATE, NAME, T)      \
    template class xw::detail::Bounded<xw::NAME<T>>;
// NOLINTEND(bugprone-macro-parentheses)
#define XW_NUMBER_WIDGETS(T)                              \
    XW_BOUNDED_WIDGET(xslider, slider, T)                 \
    XW_BOUNDED_WIDGET(xprogress, progress, T)             \
    XW_BOUNDED_WIDGET(xnumber_bounded, number_bounded, T) \
    XW_NUMBER_WIDGET(xnumber, number, T)

XW_NUMBER_WIDGETS(int)
XW_NUMBER_WIDGETS(long)
XW_NUMBER_WIDGETS(unsigned)
XW_NUMBER_WIDGETS(std::size_t)
XW_NUMBER_WIDGETS(float)
XW_NUMBER_WIDGETS(double)

XW_WIDGET(xw::xplay)
XW_PROPERTY(int, xw::play)
XW_PROPERTY(bool, xw::play)
XW_PROPERTY(std::string, xw::play)
template class xw::xplay<xw::play>;
template class xw::detail::Bounded<xw::play>;
