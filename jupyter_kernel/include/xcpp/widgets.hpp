// Widgets, with the names of xwidgets: a notebook written for it finds <xwidgets/xslider.hpp> and
// the other headers, which include this one.
//
//   #include <iostream>
//   xw::slider<double> rate;
//   rate.min = 0, rate.max = 1, rate.step = 0.01, rate.description = "rate";
//   rate.observe([](double value) { std::cout << value << "\n"; });
//   rate.display();
//
// A widget lives as long as its variable. What its observers print or show appears below it. To
// replace what an observer showed before, it calls xcpp::clear_output(true) first. Without a front
// end (a program, a test) a widget is a value, and display() prints it as text.
#pragma once

#include "xcpp/widgets/box.hpp"
#include "xcpp/widgets/choice.hpp"
#include "xcpp/widgets/controller.hpp"
#include "xcpp/widgets/layout.hpp"
#include "xcpp/widgets/media.hpp"
#include "xcpp/widgets/model.hpp"
#include "xcpp/widgets/number.hpp"
#include "xcpp/widgets/property.hpp"
#include "xcpp/widgets/text.hpp"

// Macros, because xwidgets' users write them: the second argument is a property's name.
#define XOBSERVE(widget, property, ...) (widget).observe((widget).property.name(), __VA_ARGS__)
#define XUNOBSERVE(widget, property) (widget).unobserve((widget).property.name())
#define XVALIDATE(widget, property, ...) (widget).property.add_validator(__VA_ARGS__)
#define XUNVALIDATE(widget, property) (widget).unvalidate((widget).property.name())
#define XDLINK(source, source_property, target, target_property) \
    ((target).target_property = (source).source_property,        \
     (source).observe((source).source_property.name(),           \
                      [&](const auto&) { (target).target_property = (source).source_property; }))
#define XLINK(source, source_property, target, target_property) \
    (XDLINK(source, source_property, target, target_property),  \
     (target).observe((target).target_property.name(),          \
                      [&](const auto&) { (source).source_property = (target).target_property; }))

namespace xw {

// As in xwidgets before 0.26: xw::slider_generator<double>().min(0).finalize().
template <class T>
slider<T> slider_generator() {
    return slider<T>::initialize();
}
template <class T>
progress<T> progress_generator() {
    return progress<T>::initialize();
}
inline button button_generator() { return button::initialize(); }
inline checkbox checkbox_generator() { return checkbox::initialize(); }
inline label label_generator() { return label::initialize(); }
inline html html_generator() { return html::initialize(); }
inline text text_generator() { return text::initialize(); }
inline image image_generator() { return image::initialize(); }
inline audio audio_generator() { return audio::initialize(); }
inline video video_generator() { return video::initialize(); }
inline hbox hbox_generator() { return hbox::initialize(); }
inline vbox vbox_generator() { return vbox::initialize(); }

}  // namespace xw
