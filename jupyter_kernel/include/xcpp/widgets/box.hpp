// Widgets inside a widget: hbox, vbox, tab, accordion.
//
//   xw::vbox box;
//   xw::slider<int> slider;
//   box.add(slider);
//   box.add(xw::button());
//
// The slider remains a variable of its own, and leaves the box when it is destroyed. The button
// belongs to the box.
#pragma once

#include "xcpp/widgets/layout.hpp"

namespace xw {

namespace detail {

class Children : public PropertyBase {
public:
    struct Child {
        std::string id;
        std::shared_ptr<Model> own;  // null: not owned by the box
    };

    explicit Children(Model* owner) : PropertyBase(owner, "children") {}
    Children(const Children&) = default;
    Children& operator=(const Children& other);
    std::size_t size() const noexcept { return children_.size(); }

    void add(const Model& child, std::shared_ptr<Model> own = nullptr);
    bool remove(const std::string& id);
    void clear();
    std::string text(const char* between) const;

private:
    std::string encode() const override;
    bool take(std::string_view) override { return true; }
    std::vector<std::string> parts() const override;
    bool drop_part(const std::string& id) override { return remove(id); }

    std::vector<Child> children_;
};

}  // namespace detail

template <class D>
class xbox : public xwidget<D> {
public:
    detail::Children children{this};
    detail::Property<std::string, D> box_style{this, "box_style"};

    template <class W>
    void add(W&& child) {
        static_assert(std::is_base_of_v<detail::Model, std::decay_t<W>>, "a box holds widgets");
        if constexpr (std::is_lvalue_reference_v<W>) {
            children.add(child);
        } else {
            auto own = std::make_shared<std::decay_t<W>>(std::forward<W>(child));
            children.add(*own, own);
        }
    }
    void remove(const detail::Model& child) { children.remove(child.id()); }
    void clear() { children.clear(); }

protected:
    explicit xbox(detail::Kind kind);

private:
    std::string plain_text() const override;
};

template <class D>
class xhbox : public xbox<D> {
protected:
    xhbox() : xbox<D>({"HBoxModel", "HBoxView"}) {}

private:
    std::string plain_text() const override;
};
using hbox = xmaterialize<xhbox>;

template <class D>
class xvbox : public xbox<D> {
protected:
    xvbox() : xbox<D>({"VBoxModel", "VBoxView"}) {}
};
using vbox = xmaterialize<xvbox>;

namespace detail {

template <class D>
class Titled : public xbox<D> {
public:
    Property<std::vector<std::string>, D> titles{this, "titles"};
    Property<int, D> selected_index{this, "selected_index", 0};

    void set_title(std::size_t index, std::string title);

protected:
    using xbox<D>::xbox;
};

}  // namespace detail

template <class D>
class xtab : public detail::Titled<D> {
protected:
    xtab() : detail::Titled<D>({"TabModel", "TabView"}) {}
};
using tab = xmaterialize<xtab>;

template <class D>
class xaccordion : public detail::Titled<D> {
protected:
    xaccordion() : detail::Titled<D>({"AccordionModel", "AccordionView"}) {}
};
using accordion = xmaterialize<xaccordion>;

}  // namespace xw
