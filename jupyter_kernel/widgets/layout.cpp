#include "widgets/definitions.hpp"

namespace xw {

template <class D>
xlayout<D>::xlayout()
    : detail::Observed<D>({"LayoutModel", "LayoutView", "@jupyter-widgets/base"}) {
    border.rule(nullptr, [](D& layout) {
        for (auto* side :
             {&layout.border_top, &layout.border_right, &layout.border_bottom, &layout.border_left})
            *side = layout.border();
    });
}

template <class D>
xstyle<D>::xstyle(const char* model) : detail::Observed<D>({model, "StyleView"}) {}

namespace detail {

template <class M>
Reference<M>::Reference(Model* owner, const char* name, const char* model)
    : PropertyBase(owner, name), model_name_(model) {}
template <class M>
Reference<M>::Reference(const Reference& other)
    : PropertyBase(other),
      model_name_(other.model_name_),
      model_(other.model_ ? std::make_unique<M>(*other.model_) : nullptr) {}
template <class M>
Reference<M>::Reference(Reference&& other) noexcept
    : PropertyBase(other), model_name_(other.model_name_), model_(std::move(other.model_)) {}
template <class M>
Reference<M>::~Reference() = default;

template <class M>
M& Reference<M>::operator()() {
    if (!model_) {
        if constexpr (std::is_same_v<M, xw::style>)
            model_ = std::make_unique<M>(model_name_);
        else
            model_ = std::make_unique<M>();
        notify_front_end();
    }
    return *model_;
}

template <class M>
Reference<M>& Reference<M>::operator=(const M& value) {
    model_ = std::make_unique<M>(value);
    notify_front_end();
    return *this;
}

template <class M>
Reference<M>& Reference<M>::operator=(const Reference& other) {
    if (&other == this) return *this;
    model_ = other.model_ ? std::make_unique<M>(*other.model_) : nullptr;
    notify_front_end();
    return *this;
}

template <class M>
std::vector<std::string> Reference<M>::parts() const {
    if (!model_) return {};
    return {model_->id()};
}

template <class M>
std::string Reference<M>::encode() const {
    return model_ ? json_of(std::string_view(reference_to(model_->id()))) : "null";
}

}  // namespace detail
}  // namespace xw

XW_WIDGET(xw::xlayout)
XW_PROPERTY(xw::detail::Maybe, xw::layout)
XW_WIDGET(xw::xstyle)
XW_PROPERTY(xw::detail::Maybe, xw::style)
template class xw::xlayout<xw::layout>;
template class xw::xstyle<xw::style>;
template class xw::detail::Reference<xw::layout>;
template class xw::detail::Reference<xw::style>;
