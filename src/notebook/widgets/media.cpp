#include "notebook/widgets/definitions.hpp"
#include "notebook/widgets/registry.hpp"

#include <fstream>
#include <iterator>

namespace xw {

template <class D>
std::string ximage<D>::plain_text() const {
    return value().empty() ? "image (empty)" : "image (" + format() + ")";
}

std::vector<char> read_file(const std::string& filename) {
    std::ifstream file(filename, std::ios::binary);
    if (!file)
        throw lanes::Error(
            "read_file: '" + filename +
            "' cannot be opened. Give a path from the notebook's folder, or an absolute one.");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

image image_from_file(const std::string& filename) {
    auto picture = image::initialize();
    picture.value() = read_file(filename);
    const auto dot = filename.rfind('.');
    std::string ending = dot == std::string::npos ? "png" : filename.substr(dot + 1);
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    picture.format() = ending == "jpg" ? "jpeg" : ending == "svg" ? "svg+xml" : ending;
    return picture;
}

image image_from_url(const std::string& url) {
    auto picture = image::initialize();
    picture.value() = std::vector<char>(url.begin(), url.end());
    picture.format() = "url";
    return picture;
}

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

LANES_WIDGET(xw::ximage)
LANES_PROPERTY(std::string, xw::image)
LANES_PROPERTY(std::vector<char>, xw::image)
template class xw::ximage<xw::image>;
LANES_WIDGET(xw::xoutput)
template class xw::xoutput<xw::output>;
LANES_WIDGET(xw::xlink)
template class xw::xlink<xw::link>;
LANES_WIDGET(xw::xdirectional_link)
template class xw::xlink<xw::directional_link>;
template class xw::xdirectional_link<xw::directional_link>;
