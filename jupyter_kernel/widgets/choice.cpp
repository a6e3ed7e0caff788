#include "xcpp/widgets/choice.hpp"

#include "widgets/definitions.hpp"

namespace xw {

template <class D>
std::string xboolean<D>::plain_text() const {
    return std::string(value() ? "[x]" : "[ ]") +
           (this->description().empty() ? "" : " " + this->description());
}

template <class D>
xtogglebutton<D>::xtogglebutton()
    : xboolean<D>({"ToggleButtonModel", "ToggleButtonView"}, "ToggleButtonStyleModel") {
    button_style.allow(" primary success info warning danger");
}

namespace detail {

template <class D>
std::string Index<D>::encode() const {
    return this->value_ < 0 ? "null" : json_of(static_cast<long long>(this->value_));
}

template <class D>
bool Index<D>::take(std::string_view json) {
    return Property<int, D>::take(json == "null" ? "-1" : json);
}

template <class D>
int position_of(const D& widget, const std::string& option) {
    const auto& options = widget._options_labels();
    const auto found = std::find(options.begin(), options.end(), option);
    return found == options.end() ? -1 : static_cast<int>(found - options.begin());
}

inline std::string listed(const std::vector<std::string>& options) {
    std::string list;
    for (const auto& option : options) list += (list.empty() ? "" : ", ") + option;
    return list;
}

}  // namespace detail

template <class D>
xselection<D>::xselection(detail::Kind kind, options_type options, std::string chosen,
                          const char* style_model)
    : xdescribed<D>(kind, style_model) {
    _options_labels() = std::move(options);
    if (!(chosen.empty() || detail::position_of(*this, chosen) >= 0))
        throw std::invalid_argument(
            "selection: '" + chosen +
            "' is not an option. The options are: " + detail::listed(_options_labels()) + ".");
    value() = std::move(chosen);
    xselection::prepare();
    value.rule(
        [](D& widget, std::string& option) {
            if (!(detail::position_of(widget, option) >= 0))
                throw std::invalid_argument("value: '" + option +
                                            "' is not an option. The options are: " +
                                            detail::listed(widget._options_labels()) + ".");
        },
        [](D& widget) {
            const int place = detail::position_of(widget, widget.value());
            if (place != widget.index()) widget.index = place;
        });
    index.rule(
        [](D& widget, int& place) {
            const auto count = widget._options_labels().size();
            if (!(place >= -1 && (place < 0 || static_cast<std::size_t>(place) < count)))
                throw std::invalid_argument("index: " + std::to_string(place) +
                                            " is out of range for " + std::to_string(count) +
                                            " options.");
        },
        [](D& widget) {
            if (widget.index() < 0) return;
            const std::string& option =
                widget._options_labels()[static_cast<std::size_t>(widget.index())];
            if (option != widget.value()) widget.value = option;
        });
    _options_labels.rule(nullptr, [](D& widget) {
        const int place = detail::position_of(widget, widget.value());
        widget.index = place >= 0 || widget._options_labels().empty() ? place : 0;
    });
}

template <class D>
void xselection<D>::prepare() {
    const auto& options = _options_labels();
    if (const int place = detail::position_of(*this, value()); place >= 0) index() = place;
    if (index() < 0 || static_cast<std::size_t>(index()) >= options.size())
        index() = options.empty() ? -1 : 0;
    value() = index() < 0 ? "" : options[static_cast<std::size_t>(index())];
}

template <class D>
std::string xselection<D>::plain_text() const {
    return (this->description().empty() ? "" : this->description() + ": ") + value() + " (one of " +
           detail::listed(_options_labels()) + ")";
}

template <class D>
xdropdown<D>::xdropdown(std::vector<std::string> options, std::string chosen)
    : xselection<D>({"DropdownModel", "DropdownView"}, std::move(options), std::move(chosen)) {}

template <class D>
xradiobuttons<D>::xradiobuttons(std::vector<std::string> options, std::string chosen)
    : xselection<D>({"RadioButtonsModel", "RadioButtonsView"}, std::move(options),
                    std::move(chosen)) {}

template <class D>
xtogglebuttons<D>::xtogglebuttons(std::vector<std::string> options, std::string chosen)
    : xselection<D>({"ToggleButtonsModel", "ToggleButtonsView"}, std::move(options),
                    std::move(chosen), "ToggleButtonsStyleModel") {
    button_style.allow(" primary success info warning danger");
}

template <class D>
xselect<D>::xselect(std::vector<std::string> options, std::string chosen)
    : xselection<D>({"SelectModel", "SelectView"}, std::move(options), std::move(chosen)) {}

template <class D>
xselectionslider<D>::xselectionslider(std::vector<std::string> options, std::string chosen)
    : xselection<D>({"SelectionSliderModel", "SelectionSliderView"}, std::move(options),
                    std::move(chosen), "SliderStyleModel") {
    orientation.allow("horizontal vertical");
}

namespace detail {

template <class D>
std::vector<int> positions_of(const D& widget, const std::vector<std::string>& options) {
    std::vector<int> positions;
    for (const auto& option : options) {
        positions.push_back(position_of(widget, option));
        if (positions.back() < 0)
            throw std::invalid_argument(
                "value: '" + option +
                "' is not an option. The options are: " + listed(widget._options_labels()) + ".");
    }
    return positions;
}

template <class D>
std::vector<std::string> options_at(const D& widget, const std::vector<int>& positions) {
    const auto& options = widget._options_labels();
    std::vector<std::string> chosen;
    for (const int place : positions) {
        if (place < 0 || static_cast<std::size_t>(place) >= options.size())
            throw std::invalid_argument("index: " + std::to_string(place) +
                                        " is out of range for " + std::to_string(options.size()) +
                                        " options.");
        chosen.push_back(options[static_cast<std::size_t>(place)]);
    }
    return chosen;
}

// required: 0 for any number
inline void require_count(const char* property, std::size_t count, std::size_t required) {
    if (required > 0 && count != required)
        throw std::invalid_argument(std::string(property) + ": " + std::to_string(count) +
                                    " given, this widget needs " + std::to_string(required) +
                                    ": the first and the last of a range.");
}

}  // namespace detail

template <class D>
xmultiple_selection<D>::xmultiple_selection(detail::Kind kind, options_type options,
                                            options_type chosen, const char* style_model,
                                            std::size_t required)
    : xdescribed<D>(kind, style_model), required_(required) {
    _options_labels() = std::move(options);
    index() = detail::positions_of(*this, chosen);
    if (!chosen.empty()) detail::require_count("value", chosen.size(), required_);
    xmultiple_selection::prepare();
    value.rule(
        [](D& widget, options_type& proposed) {
            detail::require_count("value", proposed.size(),
                                  static_cast<xmultiple_selection&>(widget).required_);
            detail::positions_of(widget, proposed);
        },
        [](D& widget) {
            auto positions = detail::positions_of(widget, widget.value());
            if (positions != widget.index()) widget.index = std::move(positions);
        });
    index.rule(
        [](D& widget, std::vector<int>& proposed) {
            detail::require_count("index", proposed.size(),
                                  static_cast<xmultiple_selection&>(widget).required_);
            detail::options_at(widget, proposed);
        },
        [](D& widget) {
            auto chosen = detail::options_at(widget, widget.index());
            if (chosen != widget.value()) widget.value = std::move(chosen);
        });
    _options_labels.rule(
        [](D& widget, options_type& proposed) {
            if (proposed.empty() && static_cast<xmultiple_selection&>(widget).required_ > 0)
                throw std::invalid_argument("_options_labels: a range needs at least one option.");
        },
        [](D& widget) {
            std::vector<int> kept;
            for (const auto& option : widget.value())
                if (const int place = detail::position_of(widget, option); place >= 0)
                    kept.push_back(place);
            const std::size_t required = static_cast<xmultiple_selection&>(widget).required_;
            if (kept.size() < required) kept.assign(required, 0);
            widget.index = std::move(kept);
        });
}

template <class D>
void xmultiple_selection<D>::prepare() {
    if (index().empty() && !_options_labels().empty()) index().assign(required_, 0);
    value() = detail::options_at(*this, index());
}

template <class D>
std::string xmultiple_selection<D>::plain_text() const {
    return (this->description().empty() ? "" : this->description() + ": ") +
           (value().empty() ? "none" : detail::listed(value())) + " (of " +
           detail::listed(_options_labels()) + ")";
}

template <class D>
xselect_multiple<D>::xselect_multiple(std::vector<std::string> options,
                                      std::vector<std::string> chosen)
    : xmultiple_selection<D>({"SelectMultipleModel", "SelectMultipleView"}, std::move(options),
                             std::move(chosen)) {}

template <class D>
xselection_rangeslider<D>::xselection_rangeslider(std::vector<std::string> options,
                                                  std::vector<std::string> chosen)
    : xmultiple_selection<D>({"SelectionRangeSliderModel", "SelectionRangeSliderView"},
                             std::move(options), std::move(chosen), "SliderStyleModel", 2) {
    orientation.allow("horizontal vertical");
}

}  // namespace xw

#define XW_CHOICE(NAME)                \
    XW_WIDGET(xw::x##NAME)             \
    XW_PROPERTY(bool, xw::NAME)        \
    XW_PROPERTY(std::string, xw::NAME) \
    template class xw::x##NAME<xw::NAME>;
#define XW_BOOLEAN(NAME) \
    XW_CHOICE(NAME)      \
    template class xw::xboolean<xw::NAME>;
#define XW_SELECTION(NAME)                          \
    XW_CHOICE(NAME)                                 \
    XW_PROPERTY(int, xw::NAME)                      \
    XW_PROPERTY(std::vector<std::string>, xw::NAME) \
    template class xw::detail::Index<xw::NAME>;     \
    template class xw::xselection<xw::NAME>;

#define XW_MULTIPLE_SELECTION(NAME)                 \
    XW_CHOICE(NAME)                                 \
    XW_PROPERTY(std::vector<int>, xw::NAME)         \
    XW_PROPERTY(std::vector<std::string>, xw::NAME) \
    template class xw::xmultiple_selection<xw::NAME>;

XW_BOOLEAN(checkbox)
XW_BOOLEAN(togglebutton)
XW_BOOLEAN(valid)
XW_SELECTION(dropdown)
XW_SELECTION(radiobuttons)
XW_SELECTION(togglebuttons)
XW_SELECTION(select)
XW_SELECTION(selectionslider)
XW_MULTIPLE_SELECTION(select_multiple)
XW_PROPERTY(int, xw::select_multiple)
XW_MULTIPLE_SELECTION(selection_rangeslider)
