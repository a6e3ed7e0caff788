// What every widget is: an object with a model of the same id in the front end; a comm connects the
// two. Without a front end a widget is a value with a text.
//
//   #include <iostream>
//   xw::checkbox box;
//   box.observe([](bool value) { std::cout << value << "\n"; });
//   std::cout << box.text() << "\n";
#pragma once

#include "xcpp/widgets/property.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace xw::detail {

// Names of the model and the view in Jupyter's widget library.
struct Kind {
    const char* model;
    const char* view;  // "" if it is invisible
    const char* module = "@jupyter-widgets/controls";
};

// What a cell asks of its last value to show it (mime_bundle_repr): the part of a JSON object's
// interface that it uses.
struct Bundle {
    enum class error_handler_t { replace };
    std::string text;
    std::string dump(int = -1, char = ' ', bool = false,
                     error_handler_t = error_handler_t::replace) const {
        return text;
    }
};

class Model {
public:
    virtual ~Model();

    const std::string& id() const noexcept { return id_; }
    // Shows it below the cell. What its observers print appears below it, too.
    void display() const;
    std::string text() const { return plain_text(); }

protected:
    struct Unopened {};

    explicit Model(Kind kind);
    Model(const Model& other);  // a copy has its own model in the front end
    Model(Model&& other) noexcept;
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): the properties are assigned one by one
    Model& operator=(const Model&) { return *this; }
    Model& operator=(Model&& other) noexcept;

    void attach();  // the properties of a copy
    void open();    // makes the model in the front end, if there is one
    void close() noexcept;
    void set_kind(Kind kind) { kind_ = kind; }
    PropertyBase& find(const char* name) const;  // throws std::invalid_argument

    bool quiet_ = false;  // assignments do not inform the front end and run no observers

private:
    friend class PropertyBase;
    friend class Registry;
    friend Bundle mime_bundle_repr(const Model& model);

    virtual std::string plain_text() const = 0;
    virtual void prepare() {}                            // adjusts values that depend on each other
    virtual void on_event(std::string_view) {}           // "click", "submit"
    virtual bool has_handlers() const { return false; }  // for such events
    virtual bool is_silent() const { return false; }     // it runs no code of the user

    std::vector<PropertyBase*> properties() const;
    std::vector<std::string> parts() const;  // ids of the models inside it
    void drop_part(const std::string& id);

    Kind kind_;
    std::string id_;
    std::vector<std::ptrdiff_t> offsets_;  // where its properties are, from here
    std::shared_ptr<bool> life_ = std::make_shared<bool>(true);
    bool open_ = false;
};

Bundle mime_bundle_repr(const Model& model);

// observe and validate, under a property's name.
template <class D>
class Observed : public Model {
public:
    using Observer = std::function<void(D&)>;

    D& derived_cast() noexcept { return static_cast<D&>(*this); }
    const D& derived_cast() const noexcept { return static_cast<const D&>(*this); }

    void observe(const char* name, Observer observer);
    void observe(const std::string& name, Observer observer) {
        observe(name.c_str(), std::move(observer));
    }
    void unobserve(const char* name);
    void unobserve(const std::string& name) { unobserve(name.c_str()); }
    void unvalidate(const char* name);

    template <class V>
    void validate(const char* name, std::function<void(D&, V&)> validator) {
        static_cast<Property<V, D>&>(find(name)).add_validator(std::move(validator));
    }

    // The value alone: a function of the widget, of its new value, or of nothing.
    template <class F>
    void observe(F function) {
        using V = typename std::decay_t<decltype(std::declval<D&>().value)>::value_type;
        observe("value", Observer([function = std::move(function)](D& widget) {
                    if constexpr (std::is_invocable_v<const F&, D&>)
                        function(widget);
                    else if constexpr (std::is_invocable_v<const F&, const V&>)
                        function(widget.value());
                    else
                        function();
                }));
    }

protected:
    using Model::Model;
};

}  // namespace xw::detail

namespace xw {

// A widget that can be constructed: the constructor opens its model in the front end, the
// destructor closes it. A copy has its own model.
template <template <class> class B, class... P>
class xmaterialize final : public B<xmaterialize<B, P...>> {
    using Base = B<xmaterialize>;

public:
    xmaterialize();
    template <class A, class... More,
              class = std::enable_if_t<!std::is_base_of_v<xmaterialize, std::decay_t<A>>>>
    explicit xmaterialize(A&& first, More&&... more)
        : Base(std::forward<A>(first), std::forward<More>(more)...) {
        this->open();
    }
    xmaterialize(const xmaterialize& other);
    xmaterialize(xmaterialize&& other) noexcept;
    xmaterialize& operator=(const xmaterialize& other);
    xmaterialize& operator=(xmaterialize&& other) noexcept;
    ~xmaterialize() override;

    // xw::slider<double>::initialize().min(-1).max(1).finalize(): the front end gets one message,
    // at the end.
    static xmaterialize initialize() { return xmaterialize(typename Base::Unopened()); }
    xmaterialize finalize() &&;

private:
    explicit xmaterialize(typename Base::Unopened);
};

}  // namespace xw
