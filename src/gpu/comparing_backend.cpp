#include "backend.hpp"
#include "gpu/source/type_names.hpp"

#include "lanes/base/error.hpp"

#include <cmath>
#include <cstring>
#include <map>

namespace lanes::gpu {

namespace {

using Bytes = std::vector<unsigned char>;

Bytes contents_of(const Memory& memory) {
    Bytes bytes(memory.bytes());
    if (!bytes.empty()) memory.download(0, bytes.data(), bytes.size());
    return bytes;
}

// Sums in another order differ in their last digits.
template <class T>
bool agree(T a, T b) {
    constexpr T relative = sizeof(T) == sizeof(float) ? T(1e-4) : T(1e-9),
                absolute = sizeof(T) == sizeof(float) ? T(1e-5) : T(1e-12);
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= absolute + relative * std::max(std::abs(a), std::abs(b));
}

template <class T>
T element(const Bytes& bytes, std::size_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

struct Difference {
    std::size_t index = 0, count = 0, elements = 0;
    std::string device, reference;
};

template <class T, class Same>
Difference compare(const Bytes& device, const Bytes& reference, Same same) {
    Difference difference;
    difference.elements = device.size() / sizeof(T);
    for (std::size_t i = 0; i < difference.elements; ++i) {
        const T a = element<T>(device, i), b = element<T>(reference, i);
        if (same(a, b)) continue;
        if (difference.count++ > 0) continue;
        difference.index = i;
        using Wide = std::conditional_t<
            std::is_floating_point_v<T>, T,
            std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;
        difference.device = to_text(static_cast<Wide>(a));
        difference.reference = to_text(static_cast<Wide>(b));
    }
    return difference;
}

template <class Signed, class Unsigned>
Difference compare_integers(bool is_signed, const Bytes& device, const Bytes& reference) {
    const auto same = [](auto a, auto b) { return a == b; };
    return is_signed ? compare<Signed>(device, reference, same)
                     : compare<Unsigned>(device, reference, same);
}

Difference compare_as(const TypeTag& tag, const Bytes& device, const Bytes& reference) {
    if (tag.kind == TypeTag::Kind::floating && tag.bytes == sizeof(float))
        return compare<float>(device, reference, agree<float>);
    if (tag.kind == TypeTag::Kind::floating)
        return compare<double>(device, reference, agree<double>);
    if (tag.bytes == 8)
        return compare_integers<long long, unsigned long long>(tag.is_signed, device, reference);
    if (tag.bytes == 4) return compare_integers<int, unsigned>(tag.is_signed, device, reference);
    if (tag.bytes == 2)
        return compare_integers<short, unsigned short>(tag.is_signed, device, reference);
    // The bytes of a struct.
    return compare_integers<signed char, unsigned char>(tag.is_signed, device, reference);
}

class ComparedEntry : public Entry {
public:
    ComparedEntry(std::shared_ptr<Entry> device, std::shared_ptr<Entry> reference,
                  std::shared_ptr<Backend> reference_backend)
        : device_(std::move(device)),
          reference_(std::move(reference)),
          reference_backend_(std::move(reference_backend)) {}

    const std::string& name() const override { return device_->name(); }
    const Signature& signature() const override { return device_->signature(); }
    EntryAttributes attributes() const override { return device_->attributes(); }

    LaunchReport launch(const LaunchConfig& config,
                        const std::vector<BoundArgument>& arguments) override {
        // One copy per piece of memory, even if it is passed several times.
        std::map<Memory*, std::shared_ptr<Memory>> copies;
        std::vector<BoundArgument> for_reference = arguments;
        for (BoundArgument& argument : for_reference) {
            if (!argument.memory) continue;
            std::shared_ptr<Memory>& copy = copies[argument.memory.get()];
            if (!copy) {
                copy =
                    reference_backend_->allocate(argument.memory->bytes(), argument.element_bytes);
                const Bytes bytes = contents_of(*argument.memory);
                if (!bytes.empty()) copy->upload(0, bytes.data(), bytes.size());
            }
            argument.memory = copy;
        }
        const LaunchReport checked = reference_->launch(config, for_reference);
        LaunchReport report = device_->launch(config, arguments);
        report.hints = checked.hints;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (arguments[i].memory)
                check(config, *arguments[i].parameter, *arguments[i].memory,
                      *for_reference[i].memory, report.device);
        report.compared = true;
        return report;
    }

private:
    void check(const LaunchConfig& config, const Parameter& parameter, const Memory& device,
               const Memory& reference, const std::string& device_name) const {
        const TypeTag component = tag_of_component(parameter.type);
        const Difference found = compare_as(component.bytes ? component : parameter.tag,
                                            contents_of(device), contents_of(reference));
        if (!found.count) return;
        throw Error(launch_text(name(), config) + ": " +
                    (parameter.name.empty() ? parameter.declaration : parameter.name) + "[" +
                    std::to_string(found.index) + "] is " + found.device + " on " + device_name +
                    " and " + found.reference + " on " + reference_backend_->name() + "; " +
                    std::to_string(found.count) + " of " + std::to_string(found.elements) +
                    " elements differ. Look for a race, memory that nothing wrote, or a sum whose "
                    "order changes its value.");
    }

    std::shared_ptr<Entry> device_, reference_;
    std::shared_ptr<Backend> reference_backend_;
};

class ComparedVariable : public Memory {
public:
    ComparedVariable(std::shared_ptr<Memory> device, std::shared_ptr<Memory> reference)
        : device_(std::move(device)), reference_(std::move(reference)) {}

    void upload(std::size_t offset, const void* from, std::size_t bytes) override {
        device_->upload(offset, from, bytes);
        reference_->upload(offset, from, bytes);
    }
    void download(std::size_t offset, void* to, std::size_t bytes) const override {
        device_->download(offset, to, bytes);
    }
    void fill_zero() override {
        device_->fill_zero();
        reference_->fill_zero();
    }
    std::size_t bytes() const override { return device_->bytes(); }
    void* address() const override { return device_->address(); }

private:
    std::shared_ptr<Memory> device_, reference_;
};

class ComparedModule : public Module {
public:
    ComparedModule(const ProgramText& program, const std::shared_ptr<Backend>& device,
                   std::shared_ptr<Backend> reference)
        : Module(program),
          reference_backend_(std::move(reference)),
          device_(device->compile(program)),
          reference_(reference_backend_->compile(program)) {}

    std::shared_ptr<Entry> entry(const std::string& name) override {
        return std::make_shared<ComparedEntry>(device_->entry(name), reference_->entry(name),
                                               reference_backend_);
    }
    std::shared_ptr<Memory> variable(const std::string& name) override {
        return std::make_shared<ComparedVariable>(device_->variable(name),
                                                  reference_->variable(name));
    }

private:
    std::shared_ptr<Backend> reference_backend_;
    std::shared_ptr<Module> device_, reference_;
};

class ComparedBackend : public Backend {
public:
    ComparedBackend(std::shared_ptr<Backend> device, std::shared_ptr<Backend> reference)
        : device_(std::move(device)), reference_(std::move(reference)) {}

    bool is_simulator() const override { return device_->is_simulator(); }
    std::string id() const override { return device_->id(); }
    const std::string& name() const override { return device_->name(); }
    const std::string& architecture() const override { return device_->architecture(); }
    const DeviceLimits& limits() const override { return device_->limits(); }
    const Checks& checks() const override { return reference_->checks(); }
    std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t element_bytes) override {
        return device_->allocate(bytes, element_bytes);
    }
    std::shared_ptr<Module> compile(const ProgramText& program) override {
        return std::make_shared<ComparedModule>(program, device_, reference_);
    }
    std::size_t free_bytes() const override { return device_->free_bytes(); }
    void synchronize() override { device_->synchronize(); }
    bool shares_memory_with(const Backend& other) const override {
        const auto* compared = dynamic_cast<const ComparedBackend*>(&other);
        return device_->shares_memory_with(compared ? *compared->device_ : other);
    }

private:
    std::shared_ptr<Backend> device_, reference_;
};

}  // namespace

std::shared_ptr<Backend> make_comparing_backend(std::shared_ptr<Backend> device,
                                                std::shared_ptr<Backend> reference) {
    return std::make_shared<ComparedBackend>(std::move(device), std::move(reference));
}

}  // namespace lanes::gpu
