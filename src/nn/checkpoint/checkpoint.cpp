#include "lanes/nn/checkpoint.hpp"

#include "tensor_arrays.hpp"

#include "nn/layers/module_state.hpp"
#include "tensor/core/tensor_impl.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace lanes {

using nn::Array;
using nn::FileContext;

namespace {

constexpr const char* model_prefix = "model.";
constexpr const char* kept_prefix = "optimizer.tensors.";

template <class T>
Array numbers(const std::string& name, const nn::ElementType& type, const T* values,
              std::vector<std::size_t> shape) {
    Array array;
    array.name = name;
    array.type = &type;
    array.bytes.resize(nn::bytes_of(shape, sizeof(T), 1 << 20));
    array.shape = std::move(shape);
    std::memcpy(array.bytes.data(), values, array.bytes.size());
    return array;
}

const Array& find(const FileContext& file, const std::vector<Array>& arrays,
                  const std::string& name, const nn::ElementType& type) {
    const auto found = std::find_if(arrays.begin(), arrays.end(),
                                    [&](const Array& array) { return array.name == name; });
    LANES_REQUIRE(found != arrays.end() && found->type == &type, file.text(), " has no \"", name,
                  "\" of type ", type.safetensors,
                  ". It is no checkpoint; load_weights reads the weights of a model alone.");
    return *found;
}

template <class T, std::size_t count = 1>
std::array<T, count> values(const FileContext& file, const std::vector<Array>& arrays,
                            const std::string& name, const nn::ElementType& type) {
    const Array& array = find(file, arrays, name, type);
    std::array<T, count> result{};
    LANES_REQUIRE(array.bytes.size() == sizeof result, file.text(), ", tensor \"", name,
                  "\" has the shape ", array.shape, ", expected ", count,
                  " numbers. The file is damaged: get it again.");
    std::memcpy(result.data(), array.bytes.data(), sizeof result);
    return result;
}

// The tensors whose names begin with the prefix, without it.
NamedTensors with_prefix(const FileContext& file, const std::vector<Array>& arrays,
                         const std::string& prefix) {
    NamedTensors tensors;
    for (const Array& array : arrays)
        if (array.name.compare(0, prefix.size(), prefix) == 0)
            tensors.emplace_back(array.name.substr(prefix.size()), nn::tensor_of(file, array));
    return tensors;
}

}  // namespace

void save_checkpoint(const std::string& path, const Module& model, const Optimizer& optimizer,
                     std::size_t epoch) {
    const Optimizer::State state = optimizer.state();
    const Rng::State random = tensor::random_generator().state();
    const auto epochs = static_cast<std::int64_t>(epoch);
    const auto steps = static_cast<std::int64_t>(state.scheduled_steps);
    std::vector<Array> arrays{
        numbers("epoch", nn::i64, &epochs, {}),
        numbers("random", nn::u64, random.data(), {random.size()}),
        numbers("optimizer.kind", nn::u8, state.kind.data(), {state.kind.size()}),
        numbers("optimizer.learning_rate", nn::f64, &state.learning_rate, {}),
        numbers("optimizer.initial_learning_rate", nn::f64, &state.initial_learning_rate, {}),
        numbers("optimizer.scheduled_steps", nn::i64, &steps, {}),
    };
    for (const auto& [name, tensor] : model.state_dict())
        arrays.push_back(nn::array_of(model_prefix + name, tensor));
    for (const auto& [name, tensor] : state.tensors)
        arrays.push_back(nn::array_of(kept_prefix + name, tensor));
    nn::write_arrays({"save_checkpoint", path}, arrays);
}

std::size_t load_checkpoint(const std::string& path, Module& model, Optimizer& optimizer) {
    const FileContext file{"load_checkpoint", path};
    const std::vector<Array> arrays = nn::read_arrays(file);
    const auto epoch = values<std::int64_t>(file, arrays, "epoch", nn::i64)[0];
    const auto random =
        values<std::uint64_t, std::tuple_size_v<Rng::State>>(file, arrays, "random", nn::u64);
    const Array& kind = find(file, arrays, "optimizer.kind", nn::u8);
    Optimizer::State state;
    state.kind.assign(kind.bytes.begin(), kind.bytes.end());
    state.learning_rate = values<double>(file, arrays, "optimizer.learning_rate", nn::f64)[0];
    state.initial_learning_rate =
        values<double>(file, arrays, "optimizer.initial_learning_rate", nn::f64)[0];
    state.scheduled_steps = static_cast<std::size_t>(
        values<std::int64_t>(file, arrays, "optimizer.scheduled_steps", nn::i64)[0]);
    state.tensors = with_prefix(file, arrays, kept_prefix);

    const NamedTensors tensors = with_prefix(file, arrays, model_prefix);
    const NamedTensors all = model.state_dict();
    nn::require_fitting(all, tensors, file.text());
    const Rng generator = Rng::from_state(random);
    try {
        optimizer.load_state(state);
    } catch (const Error& error) {
        throw Error(file.text(), ": ", error.what());
    }
    nn::copy_values(all, tensors);
    tensor::random_generator() = generator;
    return static_cast<std::size_t>(epoch);
}

}  // namespace lanes
