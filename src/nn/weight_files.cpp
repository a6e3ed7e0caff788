// Weights as .npy files. The header of a file is checked before xtensor reads it, because xtensor
// trusts the shape that it finds there.
#include "lanes/nn/network.hpp"

#include <xtensor/xnpy.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

std::string file_of(const std::string& folder, const char* what, std::size_t layer) {
    return (fs::path(folder) / (what + ("_" + std::to_string(layer) + ".npy"))).string();
}

template <class Array>
void write(const std::string& path, const Array& array) {
    std::ofstream file(path, std::ios::binary);
    file << xt::dump_npy(array) << std::flush;
    LANES_REQUIRE(file.good(), "NeuralNetwork::save: '", path,
                  "' cannot be written. Check the folder and the space on the disk.");
}

template <class Array>
Array read(const std::string& path, const typename Array::shape_type& shape) {
    std::error_code failed;
    LANES_REQUIRE(fs::is_regular_file(path, failed), "NeuralNetwork::load: '", path,
                  "' is not a file. Give a folder that NeuralNetwork::save has written.");
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    std::ifstream file(path, std::ios::binary);
    // The header is far shorter than 4096 bytes.
    std::string bytes(count * sizeof(typename Array::value_type) + 4096, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    std::ostringstream expected;
    expected << "'shape': (" << shape[0] << ","
             << (shape.size() > 1 ? " " + std::to_string(shape[shape.size() - 1]) : "") << ")";
    const std::size_t header = bytes.size() >= 10
                                   ? 10 + (static_cast<unsigned char>(bytes[8]) |
                                           std::size_t{static_cast<unsigned char>(bytes[9])} << 8)
                                   : bytes.size() + 1;
    LANES_REQUIRE(bytes.compare(0, 6, "\x93NUMPY", 6) == 0 && header <= bytes.size(),
                  "NeuralNetwork::load: '", path,
                  "' does not begin like an .npy file. Save the network again.");
    LANES_REQUIRE(bytes.substr(0, header).find(expected.str()) != std::string::npos,
                  "NeuralNetwork::load: '", path, "' says ",
                  bytes.substr(10, bytes.find_last_not_of(" \n", header - 1) - 9),
                  ", this network needs ", expected.str(),
                  ". Load it into a network of the sizes it was saved from.");
    LANES_REQUIRE(bytes.size() == header + count * sizeof(typename Array::value_type),
                  "NeuralNetwork::load: '", path, "' holds ", bytes.size() - header,
                  " bytes of numbers, ", count * sizeof(typename Array::value_type),
                  " are needed. It was cut off, or holds another type of numbers.");
    try {
        std::istringstream stream(bytes);
        return xt::load_npy<typename Array::value_type>(stream);
    } catch (const std::exception& error) {
        throw Error("NeuralNetwork::load: '" + path + "' cannot be read (" + error.what() +
                    "). Save the network again.");
    }
}

}  // namespace

template <class T>
void BasicNeuralNetwork<T>::save(const std::string& folder) const {
    std::error_code failed;
    fs::create_directories(folder, failed);
    LANES_REQUIRE(fs::is_directory(folder, failed), "NeuralNetwork::save: '", folder,
                  "' cannot be made. Give a folder that you may write to.");
    for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
        write(file_of(folder, "weights", layer), weights_[layer]);
        write(file_of(folder, "biases", layer), biases_[layer]);
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
