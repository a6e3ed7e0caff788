#include "bind.hpp"

#include "gpu/source/type_names.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace lanes::gpu {

namespace {

using Kind = TypeTag::Kind;

std::string type_text(const TypeTag& tag) {
    return tag.name[0] ? tag.name : "a type of " + std::to_string(tag.bytes) + " bytes";
}

// An integer or bool as it is stored in the argument's bytes. Sign and size are kept apart, so that
// no 64-bit value is lost.
struct Integer {
    bool negative = false;
    unsigned long long magnitude = 0;

    std::string text() const { return (negative ? "-" : "") + std::to_string(magnitude); }
};

Integer integer_of(const Argument& argument) {
    unsigned long long bits = 0;
    // Little-endian, like every machine with CUDA.
    std::memcpy(&bits, argument.value.data(), argument.value.size());
    const std::size_t width = argument.value.size() * 8;
    const bool negative = argument.type.is_signed && (bits >> (width - 1) & 1);
    if (negative && width < 64) bits |= ~0ULL << width;
    return {negative, negative ? 0 - bits : bits};
}

std::string value_text(const Argument& argument) {
    if (argument.type.kind == Kind::boolean || argument.type.kind == Kind::integer)
        return integer_of(argument).text();
    if (argument.type.kind == Kind::floating && argument.value.size() == sizeof(float)) {
        float value;
        std::memcpy(&value, argument.value.data(), sizeof value);
        return to_text(value);
    }
    if (argument.type.kind == Kind::floating && argument.value.size() == sizeof(double)) {
        double value;
        std::memcpy(&value, argument.value.data(), sizeof value);
        return to_text(value);
    }
    return "";
}

class Binder {
public:
    Binder(const std::string& launch, const Device& device, const Parameter& parameter,
           const Argument& argument, std::size_t number)
        : launch_(launch),
          device_(device),
          parameter_(parameter),
          argument_(argument),
          number_(number) {}

    BoundArgument bind() const {
        if (parameter_.reference)
            fail("is a reference, which CUDA does not allow for a __global__ function",
                 "Take it by value or as a pointer.");
        if (parameter_.pack)
            fail("is a pack of parameters, which launch cannot check", "Write the parameters out.");
        BoundArgument bound;
        bound.parameter = &parameter_;
        parameter_.pointer ? bind_pointer(bound) : bind_scalar(bound);
        return bound;
    }

private:
    [[noreturn]] void fail(const std::string& what, const std::string& advice) const {
        throw Error(launch_ + ": parameter " + std::to_string(number_ + 1) + ", " +
                    parameter_.declaration + ", " + what + ". " + advice);
    }

    std::string given() const {
        switch (argument_.kind) {
            case Argument::Kind::buffer:
                return "a Buffer<" + type_text(argument_.type) + ">";
            case Argument::Kind::host_pointer:
                return "a pointer into the host's memory";
            case Argument::Kind::host_array:
                return "an array in the host's memory";
            case Argument::Kind::null_pointer:
                return "nullptr";
            case Argument::Kind::scalar:
                break;
        }
        const std::string value = value_text(argument_);
        return "a value of type " + type_text(argument_.type) +
               (value.empty() ? "" : " (" + value + ")");
    }

    std::string wanted_buffer() const {
        if (parameter_.type == "void") return "Buffer";
        const TypeTag component = tag_of_component(parameter_.type);
        return "Buffer<" +
               std::string(component.bytes          ? component.name
                           : parameter_.tag.name[0] ? parameter_.tag.name
                                                    : parameter_.type) +
               ">";
    }

    void bind_pointer(BoundArgument& bound) const {
        const std::string wanted = wanted_buffer();
        if (argument_.kind == Argument::Kind::null_pointer) {
            bound.value.assign(sizeof(void*), 0);
            return;
        }
        if (argument_.kind == Argument::Kind::host_pointer)
            fail("was given a pointer into the host's memory, which the device cannot follow",
                 "Copy the values into a " + wanted + " on the device and pass that.");
        if (argument_.kind == Argument::Kind::host_array)
            fail(
                "was given an array in the host's memory, which the device cannot see",
                "Copy it into a buffer first, " + wanted + " name(device, values), and pass that.");
        if (argument_.kind != Argument::Kind::buffer)
            fail("was given " + given(),
                 "Pass a " + wanted + ". Are the arguments in the order of the parameters?");
        const Storage& storage = *argument_.storage;
        if (!element_fits()) fail("was given " + given(), "Pass a " + wanted + ".");
        if (!device_.shares_memory_with(storage.device()))
            fail("was given a buffer on " + storage.device().name() +
                     ", the CUDA kernel is compiled for " + device_.name(),
                 "Make buffer and program with the same device.");
        bound.memory = storage.memory();
        bound.elements = storage.size();
        bound.element_bytes = argument_.type.bytes;
        bound.offset = argument_.offset;
    }

    bool element_fits() const {
        const TypeTag &wanted = parameter_.tag, &given = argument_.type;
        if (wanted.kind != Kind::other) return same_type(wanted, given);
        const TypeTag component = tag_of_component(parameter_.type);
        // half: any type of two bytes. void, or a type that the program defines: nothing to compare
        // with.
        if (!component.bytes)
            return wanted.bytes == 0 || given.bytes == wanted.bytes || given.bytes == 2;
        if (given.kind == Kind::other) return given.bytes == wanted.bytes;
        return same_type(component, given);  // float4* with a Buffer<float>
    }

    void bind_scalar(BoundArgument& bound) const {
        if (argument_.kind != Argument::Kind::scalar)
            fail("was given " + given(), "Pass a value of type " + parameter_.type +
                                             ". Are the arguments in the order of the parameters?");
        const TypeTag &wanted = parameter_.tag, &given_type = argument_.type;
        if (wanted.kind == Kind::floating) {
            bind_floating(bound);
        } else if (wanted.kind == Kind::integer || wanted.kind == Kind::boolean) {
            bind_integer(bound);
        } else {
            if (wanted.bytes && wanted.bytes != given_type.bytes)
                fail("has " + std::to_string(wanted.bytes) + " bytes, " + given() + " of " +
                         std::to_string(given_type.bytes) + " bytes was given",
                     "Pass a value of the same layout.");
            bound.value = argument_.value;
        }
    }

    void bind_floating(BoundArgument& bound) const {
        const TypeTag &wanted = parameter_.tag, &given_type = argument_.type;
        const bool narrows = given_type.bytes > wanted.bytes;
        if (given_type.kind != Kind::floating || narrows)
            fail("was given " + given(), "Pass a " + std::string(wanted.name) + ": float(...)" +
                                             (wanted.bytes == sizeof(float)
                                                  ? ", or a literal such as 2.0f."
                                                  : " or double(...), or a literal such as 2.0."));
        bound.value = argument_.value;
        if (given_type.bytes == wanted.bytes) return;
        float value;
        std::memcpy(&value, argument_.value.data(), sizeof value);
        const double wide = value;
        bound.value.resize(sizeof wide);
        std::memcpy(bound.value.data(), &wide, sizeof wide);
    }

    void bind_integer(BoundArgument& bound) const {
        const TypeTag& wanted = parameter_.tag;
        if (argument_.type.kind != Kind::integer && argument_.type.kind != Kind::boolean)
            fail("was given " + given(), "Pass a value of type " + parameter_.type + ".");
        const Integer value = integer_of(argument_);
        const auto bits = static_cast<unsigned>(wanted.bytes * 8);
        const unsigned long long largest = wanted.kind == Kind::boolean ? 1
                                           : wanted.is_signed           ? ~0ULL >> (65 - bits)
                                                                        : ~0ULL >> (64 - bits);
        const bool fits = value.negative ? wanted.is_signed && value.magnitude <= largest + 1
                                         : value.magnitude <= largest;
        if (!fits)
            fail("cannot hold " + value.text() + " (" + type_text(argument_.type) +
                     "): it goes from " +
                     (wanted.is_signed ? "-" + std::to_string(largest + 1) : "0") + " to " +
                     std::to_string(largest),
                 "Pass a value in that range, or give the CUDA kernel a wider parameter.");
        const unsigned long long made = value.negative ? 0 - value.magnitude : value.magnitude;
        bound.value.resize(wanted.bytes);
        std::memcpy(bound.value.data(), &made, wanted.bytes);
    }

    const std::string& launch_;
    const Device& device_;
    const Parameter& parameter_;
    const Argument& argument_;
    std::size_t number_;
};

std::string parameters_text(const Signature& signature) {
    std::string text = "(";
    for (const Parameter& parameter : signature.parameters)
        text += (text.size() > 1 ? ", " : "") + parameter.declaration;
    return text + ")";
}

}  // namespace

std::vector<BoundArgument> bind_arguments(const std::string& launch, const Device& device,
                                          const Signature& signature,
                                          const std::vector<Argument>& arguments) {
    const std::size_t wanted = signature.parameters.size();
    if (arguments.size() != wanted)
        throw Error(launch + ": " + std::to_string(arguments.size()) +
                    (arguments.size() == 1 ? " argument" : " arguments") +
                    ", the CUDA kernel has " + std::to_string(wanted) +
                    (wanted == 1 ? " parameter: " : " parameters: ") + parameters_text(signature) +
                    ". Give one argument for each parameter.");
    std::vector<BoundArgument> bound;
    bound.reserve(wanted);
    for (std::size_t i = 0; i < wanted; ++i)
        bound.push_back(Binder(launch, device, signature.parameters[i], arguments[i], i).bind());
    return bound;
}

void check_sizes(const std::string& launch, const std::vector<BoundArgument>& bound,
                 const std::vector<std::size_t>& sizes) {
    if (sizes.empty()) return;
    if (sizes.size() != bound.size())
        throw Error(launch + ": the text was read as " + std::to_string(bound.size()) +
                    " parameters, the compiled CUDA kernel has " + std::to_string(sizes.size()) +
                    ". Write its parameter list without macros.");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t given =
            bound[i].parameter->pointer ? sizeof(void*) : bound[i].value.size();
        if (given != sizes[i])
            throw Error(launch + ": parameter " + std::to_string(i + 1) + ", " +
                        bound[i].parameter->declaration + ", has " + std::to_string(sizes[i]) +
                        " bytes, the argument has " + std::to_string(given) +
                        ". Pass a value of exactly that type.");
    }
}

}  // namespace lanes::gpu
