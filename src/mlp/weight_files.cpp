// NeuralNetwork::save and load.
#include "lanes/array/npy.hpp"
#include "lanes/mlp/network.hpp"

#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

std::string file_of(const std::string& folder, const char* what, std::size_t layer) {
    return (fs::path(folder) / (what + ("_" + std::to_string(layer) + ".npy"))).string();
}

template <class Array>
Array read(const std::string& path, const typename Array::shape_type& shape) {
    std::error_code failed;
    LANES_REQUIRE(fs::is_regular_file(path, failed), "NeuralNetwork::load: '", path,
                  "' is not a file. Give a folder that NeuralNetwork::save has written.");
    Array array = read_npy<Array>(path);
    LANES_REQUIRE(array.shape() == shape, "NeuralNetwork::load: '", path, "' has the shape ",
                  array.shape(), ", this network needs ", shape,
                  ". Load it into a network of the sizes it was saved from.");
    return array;
}

}  // namespace

template <class T>
void BasicNeuralNetwork<T>::save(const std::string& folder) const {
    std::error_code failed;
    fs::create_directories(folder, failed);
    LANES_REQUIRE(fs::is_directory(folder, failed), "NeuralNetwork::save: '", folder,
                  "' cannot be made. Give a folder that you may write to.");
    for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
        write_npy(file_of(folder, "weights", layer), weights_[layer]);
        write_npy(file_of(folder, "biases", layer), biases_[layer]);
    }
}

template <class T>
void BasicNeuralNetwork<T>::load(const std::string& folder) {
    Weights<T> weights;
    Biases<T> biases;
    for (std::size_t layer = 0; layer + 1 < sizes_.size(); ++layer) {
        weights.push_back(read<xt::xtensor<T, 2>>(file_of(folder, "weights", layer),
                                                  {sizes_[layer], sizes_[layer + 1]}));
        biases.push_back(
            read<xt::xtensor<T, 1>>(file_of(folder, "biases", layer), {sizes_[layer + 1]}));
    }
    set_weights(std::move(weights), std::move(biases));
}

template void BasicNeuralNetwork<float>::save(const std::string&) const;
template void BasicNeuralNetwork<double>::save(const std::string&) const;
template void BasicNeuralNetwork<float>::load(const std::string&);
template void BasicNeuralNetwork<double>::load(const std::string&);

}  // namespace lanes
