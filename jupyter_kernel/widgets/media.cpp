#include "widgets/definitions.hpp"
#include "widgets/registry.hpp"

#include <fstream>
#include <iterator>

namespace xw {

template <class D>
std::string xmedia<D>::plain_text() const {
    return std::string(word_) + " (" + (value().empty() ? "empty" : format()) + ")";
}

std::vector<char> read_file(const std::string& filename) {
    std::ifstream file(filename, std::ios::binary);
    if (!file)
        throw std::runtime_error(
            "read_file: '" + filename +
            "' cannot be opened. Give a path from the notebook's folder, or an absolute one.");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

namespace {

// What follows the last dot of the name, in lower case.
std::string ending_of(const std::string& filename) {
    const auto dot = filename.rfind('.');
    std::string ending = dot == std::string::npos ? "" : filename.substr(dot + 1);
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

template <class Widget>
Widget media_from_file(const std::string& filename) {
    auto widget = Widget::initialize();
    widget.value() = read_file(filename);
    const std::string ending = ending_of(filename);
    if (!ending.empty())
        widget.format() = ending == "jpg" ? "jpeg" : ending == "svg" ? "svg+xml" : ending;
    return widget;
}

template <class Widget>
Widget media_from_url(const std::string& url) {
    auto widget = Widget::initialize();
    widget.value() = std::vector<char>(url.begin(), url.end());
    widget.format() = "url";
    return widget;
}

}  // namespace

image image_from_file(const std::string& filename) { return media_from_file<image>(filename); }
image image_from_url(const std::string& url) { return media_from_url<image>(url); }
audio audio_from_file(const std::string& filename) { return media_from_file<audio>(filename); }
audio audio_from_url(const std::string& url) { return media_from_url<audio>(url); }
video video_from_file(const std::string& filename) { return media_from_file<video>(filename); }
video video_from_url(const std::string& url) { return media_from_url<video>(url); }

namespace detail {

OutputGuard::OutputGuard(const std::string& id) : before_(Registry::get().direct_output(id)) {}

OutputGuard::~OutputGuard() {
    if (active_) Registry::get().direct_output(before_);
}

Ends::Ends(Model* owner, const char* name, const Model& widget, const std::string& property)
    : PropertyBase(owner, name),
      json_(json_of(std::vector<std::string>{reference_to(widget.id()), property})) {}

}  // namespace detail

template <class D>
xlink<D>::xlink(const detail::Model& source, const std::string& source_property,
                const detail::Model& target, const std::string& target_property, const char* model)
    : detail::Observed<D>({model, ""}),
      source_(this, "source", source, source_property),
      target_(this, "target", target, target_property) {}

template <class D>
void xoutput<D>::capture() {
    detail::Registry::get().direct_output(this->id());
}

template <class D>
void xoutput<D>::release() {
    detail::Registry::get().direct_output("");
}

}  // namespace xw

#define XW_MEDIA(NAME)                       \
    XW_WIDGET(xw::x##NAME)                   \
    XW_PROPERTY(std::string, xw::NAME)       \
    XW_PROPERTY(std::vector<char>, xw::NAME) \
    template class xw::xmedia<xw::NAME>;     \
    template class xw::x##NAME<xw::NAME>;

XW_MEDIA(image)
XW_MEDIA(audio)
XW_PROPERTY(bool, xw::audio)
XW_MEDIA(video)
XW_PROPERTY(bool, xw::video)
XW_WIDGET(xw::xoutput)
template class xw::xoutput<xw::output>;
XW_WIDGET(xw::xlink)
template class xw::xlink<xw::link>;
XW_WIDGET(xw::xdirectional_link)
template class xw::xlink<xw::directional_link>;
template class xw::xdirectional_link<xw::directional_link>;
