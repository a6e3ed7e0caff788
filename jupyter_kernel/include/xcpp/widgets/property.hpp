// A property of a widget, as in xwidgets: assigning to it changes the widget in the browser and
// runs the observers.
//
//   #include <iostream>
//   xw::slider<double> slider = xw::slider<double>::initialize().min(0).max(10).finalize();
//   slider.value = 3;
//   const double value = slider.value;
//   std::cout << value << " " << slider.value() << "\n";
//
// Everything that would cost a cell time to compile is compiled in jupyter_kernel/widgets.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace xw::detail {

class Model;
class Registry;

class PropertyBase {
public:
    const char* name() const noexcept { return name_; }

protected:
    // synced: the front end has it, too.
    PropertyBase(Model* owner, const char* name, bool synced = true);
    // A copy belongs to no widget (`auto v = slider.value;`), unless it is part of a widget's copy:
    // that one calls Model::attach().
    PropertyBase(const PropertyBase& other) noexcept : name_(other.name_), synced_(other.synced_) {}
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is taken over
    PropertyBase& operator=(const PropertyBase&) noexcept { return *this; }
    ~PropertyBase() = default;

    void notify_front_end() const;
    bool is_quiet() const;
    std::weak_ptr<bool> alive() const;  // expires with the widget

    Model* owner_ = nullptr;
    bool busy_ = false;  // while its observers run

private:
    friend class Model;
    friend class Registry;
    virtual std::string encode() const = 0;        // as JSON text
    virtual bool take(std::string_view json) = 0;  // what the front end sent; false: no value of
                                                   // this type. Validates, runs no observer
    virtual void run_observers() {}
    virtual bool is_observed() const { return false; }
    virtual bool is_set() const { return true; }  // false: the front end uses its default
    virtual std::vector<std::string> parts() const {
        return {};
    }  // ids of the models that it refers to
    virtual bool drop_part(const std::string&) { return false; }
    virtual const std::vector<char>* bytes() const { return nullptr; }

    const char* name_;
    bool synced_;
};

// The part of a property that depends on the widget's type, but not on the value's.
template <class D>
class Observable : public PropertyBase {
public:
    using Observer = std::function<void(D&)>;

    void add(Observer observer);
    void drop_observers();
    virtual void drop_validators() = 0;

protected:
    using PropertyBase::PropertyBase;
    Observable(const Observable& other) noexcept;  // observers stay with the original
    Observable(Observable&& other) noexcept;
    Observable& operator=(const Observable&) noexcept { return *this; }
    ~Observable();

    void run_observers() override;
    bool is_observed() const override { return !observers_.empty(); }

private:
    std::vector<Observer> observers_;
};

template <class T, class D>
class Property : public Observable<D> {
public:
    using value_type = T;
    using Validator = std::function<void(D&, T&)>;
    using Settle = void (*)(D&, T&);  // before a value is stored: may change it, or throw
    using After = void (*)(D&);  // after it was stored, before front end and observers are informed

    Property(Model* owner, const char* name, T value = T(), bool synced = true);
    Property(const Property& other);
    Property(Property&& other) noexcept;
    ~Property();

    operator T&() noexcept { return value_; }
    operator const T&() const noexcept { return value_; }
    T& operator()() noexcept { return value_; }
    const T& operator()() const noexcept { return value_; }

    // Part of a chain that ends in finalize(): the front end is informed there.
    D operator()(T value) && {
        value_ = std::move(value);
        return std::move(owner());
    }

    // NOLINTBEGIN(bugprone-unhandled-self-assignment, performance-noexcept-move-constructor):
    // assign has a value of its own, and a rule may throw
    Property& operator=(const Property& other) { return assign(other.value_); }
    Property& operator=(Property&& other) { return assign(std::move(other.value_)); }
    // NOLINTEND(bugprone-unhandled-self-assignment, performance-noexcept-move-constructor)
    template <class V, class = std::enable_if_t<!std::is_base_of_v<Property, std::decay_t<V>>>>
    Property& operator=(V&& value) {
        if constexpr (std::is_base_of_v<PropertyBase, std::decay_t<V>>)
            return assign(T(value()));
        else
            return assign(T(std::forward<V>(value)));
    }

    void add_validator(Validator validator);
    void drop_validators() override;

    // For widgets: what holds for every value. allowed: words with a space between, where T is a
    // string.
    void rule(Settle settle, After after = nullptr) { settle_ = settle, after_ = after; }
    void allow(const char* allowed) { allowed_ = allowed; }

protected:
    Property& assign(T value);
    D& owner() const { return static_cast<D&>(*this->owner_); }
    void store(T value);  // after validation
    std::string encode() const override;
    bool take(std::string_view json) override;
    bool is_observed() const override;
    bool is_set() const override;
    const std::vector<char>* bytes() const override;

    T value_;

private:
    void validate(T& value);

    Settle settle_ = nullptr;
    After after_ = nullptr;
    const char* allowed_ = nullptr;
    std::vector<Validator> validators_;
};

// std::cout << slider.value, and dropdown.value == "text": templates of std would not see the
// conversion.
template <class C, class Traits, class T, class D>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out,
                                          const Property<T, D>& property) {
    return out << property();
}
template <class D>
bool operator==(const Property<std::string, D>& property, std::string_view text) {
    return std::string_view(property()) == text;
}
template <class D>
bool operator!=(const Property<std::string, D>& property, std::string_view text) {
    return !(property == text);
}

using Maybe = std::optional<std::string>;  // CSS, or nothing: the front end's default

}  // namespace xw::detail
