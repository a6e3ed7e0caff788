#include "widgets/definitions.hpp"
#include "widgets/registry.hpp"

namespace xw {
namespace detail {

void Children::add(const Model& child, std::shared_ptr<Model> own) {
    if (owner_ && Registry::get().shows(child.id(), owner_->id()))
        throw std::invalid_argument("add: a box cannot hold itself, nor a box in which it is.");
    // It may have been closed when nothing showed it any more.
    Registry::get().open(const_cast<Model&>(child));
    children_.push_back({child.id(), std::move(own)});
    notify_front_end();
}

bool Children::remove(const std::string& id) {
    std::vector<Child> gone;  // destroyed after the front end was informed
    for (auto child = children_.begin(); child != children_.end();) {
        if (child->id != id) {
            ++child;
            continue;
        }
        gone.push_back(std::move(*child));
        child = children_.erase(child);
    }
    if (gone.empty()) return false;
    notify_front_end();
    return true;
}

void Children::clear() {
    const auto gone = std::exchange(children_, {});
    notify_front_end();
}

Children& Children::operator=(const Children& other) {
    const auto gone = std::exchange(children_, other.children_);
    notify_front_end();
    return *this;
}

std::vector<std::string> Children::parts() const {
    std::vector<std::string> ids;
    ids.reserve(children_.size());
    for (const auto& child : children_) ids.push_back(child.id);
    return ids;
}

std::string Children::text(const char* between) const {
    std::string text;
    for (const auto& child : children_) {
        const Model* model = child.own ? child.own.get() : Registry::get().find(child.id);
        if (model) text += (text.empty() ? "" : between) + model->text();
    }
    return text;
}

std::string Children::encode() const {
    std::vector<std::string> references;
    references.reserve(children_.size());
    for (const auto& child : children_) references.push_back(reference_to(child.id));
    return json_of(references);
}

}  // namespace detail

template <class D>
xbox<D>::xbox(detail::Kind kind) : xwidget<D>(kind) {
    box_style.allow(" success info warning danger");
}

template <class D>
std::string xbox<D>::plain_text() const {
    return children.text("\n");
}

template <class D>
std::string xhbox<D>::plain_text() const {
    return this->children.text("  ");
}

namespace detail {

template <class D>
void Titled<D>::set_title(std::size_t index, std::string title) {
    auto now = titles();
    if (now.size() <= index) now.resize(index + 1);
    now[index] = std::move(title);
    titles = std::move(now);
}

}  // namespace detail
}  // namespace xw

#define XW_BOX(NAME)                   \
    XW_WIDGET(xw::x##NAME)             \
    XW_PROPERTY(std::string, xw::NAME) \
    template class xw::xbox<xw::NAME>; \
    template class xw::x##NAME<xw::NAME>;
#define XW_TITLED(NAME)                             \
    XW_BOX(NAME)                                    \
    XW_PROPERTY(int, xw::NAME)                      \
    XW_PROPERTY(std::vector<std::string>, xw::NAME) \
    template class xw::detail::Titled<xw::NAME>;

XW_BOX(hbox)
XW_BOX(vbox)
XW_TITLED(tab)
XW_TITLED(accordion)
