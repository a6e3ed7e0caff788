// Widgets that hold a number: slider, progress, number (a field), number_bounded, play. T: int,
// long, unsigned, std::size_t, float or double.
//
//   xw::slider<double> rate;
//   rate.min = 0, rate.max = 1, rate.step = 0.01;
//   xw::progress<int> done;
//   done.max = 50, done.value = 20;
#pragma once

#include "xcpp/widgets/layout.hpp"

#include <cstddef>

namespace xw {

namespace detail {

template <class D>
struct NumberOf;
template <template <class> class B, class T>
struct NumberOf<xmaterialize<B, T>> {
    using type = T;
};
template <template <class> class B>
struct NumberOf<xmaterialize<B>> {
    using type = int;  // play
};

template <class T>
inline constexpr bool is_number =
    std::is_same_v<T, int> || std::is_same_v<T, long> || std::is_same_v<T, unsigned> ||
    std::is_same_v<T, std::size_t> || std::is_same_v<T, float> || std::is_same_v<T, double>;

// value, min, max: the value stays between the two; if one bound crosses the other, it moves it.
template <class D>
class Bounded : public xdescribed<D> {
public:
    using value_type = typename NumberOf<D>::type;
    static_assert(is_number<value_type>,
                  "a widget's number is an int, long, unsigned, std::size_t, float or double");

    Property<value_type, D> value{this, "value"};
    Property<value_type, D> min{this, "min"};
    Property<value_type, D> max{this, "max", value_type(100)};

protected:
    Bounded(Kind kind, const char* style_model = "DescriptionStyleModel");
    std::string with_description(const std::string& text) const;

private:
    void prepare() override;
};

}  // namespace detail

template <class D>
class xslider : public detail::Bounded<D> {
    using Base = detail::Bounded<D>;

public:
    using value_type = typename Base::value_type;

    detail::Property<value_type, D> step{
        this, "step", std::is_floating_point_v<value_type> ? value_type(0.1) : value_type(1)};
    detail::Property<std::string, D> orientation{this, "orientation", "horizontal"};
    detail::Property<bool, D> readout{this, "readout", true};
    detail::Property<std::string, D> readout_format{
        this, "readout_format", std::is_floating_point_v<value_type> ? ".2f" : "d"};
    detail::Property<bool, D> continuous_update{this, "continuous_update", true};

protected:
    xslider();

private:
    std::string plain_text() const override;
};
template <class T>
using slider = xmaterialize<xslider, T>;

template <class D>
class xprogress : public detail::Bounded<D> {
public:
    detail::Property<std::string, D> bar_style{this, "bar_style"};
    detail::Property<std::string, D> orientation{this, "orientation", "horizontal"};

protected:
    xprogress();

private:
    std::string plain_text() const override;
    bool is_silent() const override { return true; }
};
template <class T>
using progress = xmaterialize<xprogress, T>;

template <class D>
class xnumber_bounded : public detail::Bounded<D> {
    using Base = detail::Bounded<D>;

public:
    using value_type = typename Base::value_type;

    detail::Property<value_type, D> step{
        this, "step", std::is_floating_point_v<value_type> ? value_type(0.1) : value_type(1)};
    detail::Property<bool, D> continuous_update{this, "continuous_update"};

protected:
    xnumber_bounded();

private:
    std::string plain_text() const override;
};
template <class T>
using number_bounded = xmaterialize<xnumber_bounded, T>;
template <class T>
using numeral = number_bounded<T>;

template <class D>
class xnumber : public xdescribed<D> {
public:
    using value_type = typename detail::NumberOf<D>::type;
    static_assert(detail::is_number<value_type>,
                  "a widget's number is an int, long, unsigned, std::size_t, float or double");

    detail::Property<value_type, D> value{this, "value"};
    detail::Property<value_type, D> step{
        this, "step", std::is_floating_point_v<value_type> ? value_type(0.1) : value_type(1)};
    detail::Property<bool, D> continuous_update{this, "continuous_update"};

protected:
    xnumber();

private:
    std::string plain_text() const override;
};
template <class T>
using number = xmaterialize<xnumber, T>;

// Counts from min to max, one step per interval.
template <class D>
class xplay : public detail::Bounded<D> {
public:
    detail::Property<int, D> step{this, "step", 1};
    detail::Property<int, D> interval{this, "interval", 100};  // ms
    detail::Property<bool, D> playing{this, "playing"};
    detail::Property<bool, D> repeat{this, "repeat"};
    detail::Property<bool, D> show_repeat{this, "show_repeat", true};

protected:
    xplay();

private:
    std::string plain_text() const override;
};
using play = xmaterialize<xplay>;

}  // namespace xw
