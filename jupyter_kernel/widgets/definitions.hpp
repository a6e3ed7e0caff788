// Definitions of the templates in include/xcpp/widgets. Only the files of this folder
// include it; each ends with the widgets that it instantiates.
#pragma once

#include "widgets/json.hpp"

#include "xcpp/widgets/layout.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace xw::detail {

template <class D>
Observable<D>::Observable(const Observable& other) noexcept : PropertyBase(other) {}
template <class D>
Observable<D>::Observable(Observable&& other) noexcept
    : PropertyBase(other), observers_(std::move(other.observers_)) {}
template <class D>
Observable<D>::~Observable() = default;

template <class D>
void Observable<D>::add(Observer observer) {
    observers_.push_back(std::move(observer));
}

template <class D>
void Observable<D>::drop_observers() {
    observers_.clear();
}

template <class D>
void Observable<D>::run_observers() {
    if (observers_.empty() || !owner_ || is_quiet()) return;
    // An observer may add observers, throw, and even destroy its own widget.
    const auto observers = observers_;
    const std::weak_ptr<bool> alive = this->alive();
    D& widget = static_cast<D&>(*owner_);
    busy_ = true;
    const struct Done {
        Observable& property;
        const std::weak_ptr<bool>& alive;
        ~Done() {
            if (!alive.expired()) property.busy_ = false;
        }
    } done{*this, alive};
    for (const auto& observer : observers) {
        if (alive.expired()) return;
        observer(widget);
    }
}

template <class T, class D>
Property<T, D>::Property(Model* owner, const char* name, T value, bool synced)
    : Observable<D>(owner, name, synced), value_(std::move(value)) {}
template <class T, class D>
Property<T, D>::Property(const Property& other)
    : Observable<D>(other),
      value_(other.value_),
      settle_(other.settle_),
      after_(other.after_),
      allowed_(other.allowed_) {}
template <class T, class D>
Property<T, D>::Property(Property&& other) noexcept
    : Observable<D>(static_cast<Observable<D>&&>(other)),  // moves only that base
      value_(std::move(other.value_)),
      settle_(other.settle_),
      after_(other.after_),
      allowed_(other.allowed_),
      validators_(std::move(other.validators_)) {}
template <class T, class D>
Property<T, D>::~Property() = default;

template <class T, class D>
void Property<T, D>::add_validator(Validator validator) {
    validators_.push_back(std::move(validator));
}

template <class T, class D>
void Property<T, D>::drop_validators() {
    validators_.clear();
}

// Throws std::invalid_argument if `value` is not one of the words.
void require_one_of(const char* property, const std::string& value, const char* allowed);

template <class T, class D>
void Property<T, D>::validate(T& value) {
    if constexpr (std::is_same_v<T, std::string>)
        if (allowed_) require_one_of(this->name(), value, allowed_);
    if (settle_) settle_(owner(), value);
    for (const auto& validator : std::vector<Validator>(validators_)) validator(owner(), value);
}

template <class T, class D>
void Property<T, D>::store(T value) {
    value_ = std::move(value);
    if (after_) after_(owner());
}

template <class T, class D>
Property<T, D>& Property<T, D>::assign(T value) {
    if (!this->owner_ || this->is_quiet()) {
        value_ = std::move(value);
        return *this;
    }
    validate(value);
    const bool same = value == value_;
    if (same && this->busy_) return *this;  // a cycle of links ends here
    store(std::move(value));
    if (!same) this->notify_front_end();
    this->run_observers();
    return *this;
}

template <class T, class D>
std::string Property<T, D>::encode() const {
    return encode_value(value_);
}

template <class T, class D>
bool Property<T, D>::take(std::string_view json) {
    T value{};
    if (!decode_value(json, value)) return false;
    validate(value);
    store(std::move(value));
    return true;
}

template <class T, class D>
bool Property<T, D>::is_observed() const {
    return Observable<D>::is_observed() || !validators_.empty();
}

template <class T, class D>
bool Property<T, D>::is_set() const {
    if constexpr (std::is_same_v<T, Maybe>)
        return value_.has_value();
    else
        return true;
}

template <class T, class D>
const std::vector<char>* Property<T, D>::bytes() const {
    if constexpr (std::is_same_v<T, std::vector<char>>)
        return &value_;
    else
        return nullptr;
}

template <class D>
void Observed<D>::observe(const char* name, Observer observer) {
    static_cast<Observable<D>&>(find(name)).add(std::move(observer));
}
template <class D>
void Observed<D>::unobserve(const char* name) {
    static_cast<Observable<D>&>(find(name)).drop_observers();
}
template <class D>
void Observed<D>::unvalidate(const char* name) {
    static_cast<Observable<D>&>(find(name)).drop_validators();
}

}  // namespace xw::detail

namespace xw {

template <template <class> class B, class... P>
xmaterialize<B, P...>::xmaterialize() {
    this->open();
}
template <template <class> class B, class... P>
xmaterialize<B, P...>::xmaterialize(typename Base::Unopened) {}
template <template <class> class B, class... P>
xmaterialize<B, P...>::xmaterialize(const xmaterialize& other) : Base(other) {
    this->attach();
    this->open();
}
template <template <class> class B, class... P>
xmaterialize<B, P...>::xmaterialize(xmaterialize&& other) noexcept : Base(std::move(other)) {
    this->attach();
}
template <template <class> class B, class... P>
xmaterialize<B, P...>& xmaterialize<B, P...>::operator=(const xmaterialize& other) {
    Base::operator=(other);
    return *this;
}
template <template <class> class B, class... P>
xmaterialize<B, P...>& xmaterialize<B, P...>::operator=(xmaterialize&& other) noexcept {
    if (&other == this) return *this;
    this->quiet_ = true;  // the front end has these values already
    Base::operator=(std::move(other));
    this->quiet_ = false;
    return *this;
}
template <template <class> class B, class... P>
xmaterialize<B, P...>::~xmaterialize() {
    this->close();
}
template <template <class> class B, class... P>
xmaterialize<B, P...> xmaterialize<B, P...>::finalize() && {
    this->open();
    return std::move(*this);
}

}  // namespace xw

// Instantiates the templates of a widget: XW_WIDGET(xw::xbutton);
// XW_WIDGET(xw::xslider, int).
#define XW_WIDGET(...)                                                    \
    template class xw::xmaterialize<__VA_ARGS__>;                         \
    template class xw::detail::Observable<xw::xmaterialize<__VA_ARGS__>>; \
    template class xw::detail::Observed<xw::xmaterialize<__VA_ARGS__>>;
#define XW_PROPERTY(TYPE, ...) template class xw::detail::Property<TYPE, __VA_ARGS__>;
