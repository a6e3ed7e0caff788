#include "widgets/definitions.hpp"
#include "widgets/front_end.hpp"
#include "widgets/registry.hpp"

#include <nlohmann/json.hpp>

#include <sys/random.h>

#include <iostream>

namespace xw::detail {
namespace {

// From the system's random numbers: a snapshot that takes over after a crash must not repeat the
// ids of the session that ended.
std::string new_id() {
    unsigned char random[16];
    std::size_t got = 0;
    while (got < sizeof random) {
        const ssize_t more = getrandom(random + got, sizeof random - got, 0);
        if (more > 0) got += static_cast<std::size_t>(more);
    }
    std::string id;
    for (const unsigned char byte : random) {
        id += "0123456789abcdef"[byte >> 4];
        id += "0123456789abcdef"[byte & 15];
    }
    return id;
}

}  // namespace

PropertyBase::PropertyBase(Model* owner, const char* name, bool synced)
    : owner_(owner), name_(name), synced_(synced) {
    owner->offsets_.push_back(reinterpret_cast<const char*>(this) -
                              reinterpret_cast<const char*>(owner));
}

void PropertyBase::notify_front_end() const {
    if (owner_ && !owner_->quiet_) Registry::get().send(*owner_, *this);
}

bool PropertyBase::is_quiet() const { return owner_ && owner_->quiet_; }

std::weak_ptr<bool> PropertyBase::alive() const { return owner_->life_; }

void require_one_of(const char* property, const std::string& value, const char* allowed) {
    const std::string words = std::string(" ") + allowed + " ";
    const bool found =
        value.empty() ? *allowed == ' ' : words.find(" " + value + " ") != std::string::npos;
    if (found) return;
    throw std::invalid_argument(std::string(property) + ": '" + value +
                                "' is not one of its values. Use one of:" +
                                (*allowed == ' ' ? " '' (none)" : "") + " " + allowed + ".");
}

Model::Model(Kind kind) : kind_(kind), id_(new_id()) {}
Model::Model(const Model& other) : kind_(other.kind_), id_(new_id()), offsets_(other.offsets_) {}

Model::Model(Model&& other) noexcept
    : kind_(other.kind_),
      id_(std::move(other.id_)),
      offsets_(other.offsets_),
      open_(std::exchange(other.open_, false)) {
    other.id_.clear();
    Registry::get().moved(*this);
}

Model& Model::operator=(Model&& other) noexcept {
    close();
    id_ = std::exchange(other.id_, std::string());
    open_ = std::exchange(other.open_, false);
    Registry::get().moved(*this);
    return *this;
}

Model::~Model() { close(); }

void Model::attach() {
    for (PropertyBase* property : properties()) property->owner_ = this;
}

void Model::open() { Registry::get().open(*this); }

void Model::close() noexcept {
    if (!id_.empty()) Registry::get().close(*this);
    open_ = false;
}

std::vector<PropertyBase*> Model::properties() const {
    std::vector<PropertyBase*> found;
    found.reserve(offsets_.size());
    for (const std::ptrdiff_t offset : offsets_)
        found.push_back(reinterpret_cast<PropertyBase*>(
            const_cast<char*>(reinterpret_cast<const char*>(this)) + offset));
    return found;
}

std::vector<std::string> Model::parts() const {
    std::vector<std::string> all;
    for (const PropertyBase* property : properties())
        for (auto& id : property->parts()) all.push_back(std::move(id));
    return all;
}

void Model::drop_part(const std::string& id) {
    for (PropertyBase* property : properties()) property->drop_part(id);
}

PropertyBase& Model::find(const char* name) const {
    std::string names;
    for (PropertyBase* property : properties()) {
        if (std::string_view(property->name()) == name) return *property;
        names += std::string(names.empty() ? "" : ", ") + property->name();
    }
    throw std::invalid_argument(std::string("observe: this widget has no property '") + name +
                                "'. It has: " + names + ".");
}

void Model::display() const {
    const std::string content = "{\"data\":" + mime_bundle_repr(*this).text + "}";
    std::cout << std::flush;
    if (xcpp_publish && xcpp_has_front_end && xcpp_has_front_end() == 1 &&
        xcpp_publish("display_data", content.c_str(), "") == 0)
        return;
    std::cout << text() << '\n' << std::flush;
}

Bundle mime_bundle_repr(const Model& model) {
    using nlohmann::json;
    json data{{"text/plain", model.text()}};
    const std::string view = Registry::get().show(const_cast<Model&>(model));
    if (!view.empty())
        data["application/vnd.jupyter.widget-view+json"] = {
            {"version_major", 2}, {"version_minor", 1}, {"model_id", view}};
    return {data.dump(-1, ' ', false, json::error_handler_t::replace)};
}

}  // namespace xw::detail
