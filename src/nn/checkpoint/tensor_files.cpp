#include "lanes/nn/tensor_files.hpp"

#include "tensor_arrays.hpp"

#include "nn/layers/module_state.hpp"
#include "tensor/core/tensor_impl.hpp"

#include "lanes/base/error.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace lanes {

namespace nn {

namespace {

// sign 1 | exponent 5 | fraction 10
float from_f16(std::uint16_t bits) {
    const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
    const int exponent = bits >> 10 & 0x1f;
    const int fraction = bits & 0x3ff;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    if (exponent < 0x1f)
        return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
}

// The upper half of a float32.
float from_bf16(std::uint16_t bits) {
    const std::uint32_t wide = std::uint32_t{bits} << 16;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

template <class From, class To, class Convert>
void convert(const Array& array, To* to, const Convert& one) {
    for (std::size_t i = 0; i < array.bytes.size() / sizeof(From); ++i) {
        From value;
        std::memcpy(&value, array.bytes.data() + i * sizeof(From), sizeof(From));
        to[i] = one(value);
    }
}

template <class From>
void convert_integers(const FileContext& file, const Array& array, int* to) {
    using Wide = std::conditional_t<std::is_signed_v<From>, std::int64_t, std::uint64_t>;
    convert<From>(array, to, [&](From value) {
        const Wide wide{value};
        const auto narrow = static_cast<int>(wide);
        LANES_REQUIRE(static_cast<Wide>(narrow) == wide && (narrow < 0) == (wide < Wide{0}),
                      file.text(), ", tensor \"", array.name, "\" holds ", wide,
                      ", which int32 cannot hold. Save it with smaller numbers.");
        return narrow;
    });
}

}  // namespace

Array array_of(const std::string& name, const Tensor& tensor) {
    const Tensor here = tensor.detach().cpu();
    Array array;
    array.name = name;
    array.type = tensor.dtype() == DType::float32 ? &f32 : &i32;
    array.shape.assign(tensor.shape().begin(), tensor.shape().end());
    array.bytes.resize(here.size() * tensor::element_bytes);
    if (!array.bytes.empty())
        std::memcpy(array.bytes.data(), tensor::address(here), array.bytes.size());
    return array;
}

Tensor tensor_of(const FileContext& file, const Array& array) {
    LANES_REQUIRE(array.shape.size() <= Shape::max_rank, file.text(), ", tensor \"", array.name,
                  "\" has the shape ", array.shape, ". A tensor has at most ", Shape::max_rank,
                  " axes.");
    const std::string type = array.type->safetensors;
    const bool floating = type.find('F') != std::string::npos;
    Tensor tensor =
        Tensor::empty(Shape(array.shape), Device::cpu(), floating ? DType::float32 : DType::int32);
    if (tensor.size() == 0) return tensor;
    float* const floats = tensor::floats(tensor);
    int* const ints = tensor::ints(tensor);
    if (array.type == &f32 || array.type == &i32)
        std::memcpy(floats, array.bytes.data(), array.bytes.size());
    else if (type == "F64")
        convert<double>(array, floats, [](double value) { return static_cast<float>(value); });
    else if (type == "F16")
        convert<std::uint16_t>(array, floats, from_f16);
    else if (type == "BF16")
        convert<std::uint16_t>(array, floats, from_bf16);
    else if (type == "I64")
        convert_integers<std::int64_t>(file, array, ints);
    else if (type == "U64")
        convert_integers<std::uint64_t>(file, array, ints);
    else if (type == "U32")
        convert_integers<std::uint32_t>(file, array, ints);
    else if (type == "I16")
        convert_integers<std::int16_t>(file, array, ints);
    else if (type == "U16")
        convert_integers<std::uint16_t>(file, array, ints);
    else if (type == "I8")
        convert_integers<std::int8_t>(file, array, ints);
    else
        convert_integers<std::uint8_t>(file, array, ints);  // bools as well
    return tensor;
}

}  // namespace nn

namespace {

void save(const nn::FileContext& file, const NamedTensors& tensors) {
    std::vector<nn::Array> arrays;
    for (const auto& [name, tensor] : tensors) {
        LANES_REQUIRE(tensor.defined(), file.text(), ": the tensor \"", name,
                      "\" holds nothing. Make it first, or leave it out.");
        arrays.push_back(nn::array_of(name, tensor));
    }
    nn::write_arrays(file, arrays);
}

NamedTensors load(const nn::FileContext& file) {
    NamedTensors tensors;
    for (const nn::Array& array : nn::read_arrays(file))
        tensors.emplace_back(array.name, nn::tensor_of(file, array));
    return tensors;
}

}  // namespace

void save_tensors(const std::string& path, const NamedTensors& tensors) {
    save({"save_tensors", path}, tensors);
}

NamedTensors load_tensors(const std::string& path) { return load({"load_tensors", path}); }

void save_weights(const std::string& path, const Module& module) {
    save({"save_weights", path}, module.state_dict());
}

void load_weights(const std::string& path, Module& module) {
    const nn::FileContext file{"load_weights", path};
    const NamedTensors tensors = load(file);
    const NamedTensors all = module.state_dict();
    nn::require_fitting(all, tensors, file.text());
    nn::copy_values(all, tensors);
}

}  // namespace lanes
