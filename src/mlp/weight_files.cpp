// NeuralNetwork::save and load.
#include "lanes/array/npy.hpp"
#include "lanes/mlp/network.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

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

// Files beside those of the same names, which they replace when all of them are complete: if the
// disk is full, the folder still holds the weights of before, and not some of each.
class NewFiles {
public:
    NewFiles() = default;
    NewFiles(const NewFiles&) = delete;
    NewFiles& operator=(const NewFiles&) = delete;
    ~NewFiles() {
        std::error_code ignored;
        for (const std::string& path : paths_) fs::remove(part_of(path), ignored);
    }

    template <class Array>
    void write(const std::string& path, const Array& array) {
        paths_.push_back(path);
        try {
            write_npy(part_of(path), array);
        } catch (const Error&) {  // it names the part
            throw Error("NeuralNetwork::save: '", path,
                        "' cannot be written. Check the folder and the space on the disk.");
        }
    }

    void replace_old() {
        for (const std::string& path : paths_) {
            std::error_code failed;
            fs::rename(part_of(path), path, failed);
            LANES_REQUIRE(!failed, "NeuralNetwork::save: '", path,
                          "' cannot be replaced: ", failed.message(),
                          ". Give a folder that you may write to.");
        }
    }

private:
    static std::string part_of(const std::string& path) {
        return path + ".part" + std::to_string(getpid());
    }

    std::vector<std::string> paths_;
};

}  // namespace

template <class T>
void BasicNeuralNetwork<T>::save(const std::string& folder) const {
    std::error_code failed;
    fs::create_directories(folder, failed);
    LANES_REQUIRE(fs::is_directory(folder, failed), "NeuralNetwork::save: '", folder,
                  "' cannot be made. Give a folder that you may write to.");
    NewFiles files;
    for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
        files.write(file_of(folder, "weights", layer), weights_[layer]);
        files.write(file_of(folder, "biases", layer), biases_[layer]);
    }
    files.replace_old();
    // Further layers, of a network that was saved before: load would refuse the folder.
    for (std::size_t layer = weights_.size(); fs::remove(file_of(folder, "weights", layer), failed);
         ++layer)
        fs::remove(file_of(folder, "biases", layer), failed);
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
    Sizes all = sizes_;
    std::error_code failed;
    const auto next_layer = [&] { return file_of(folder, "weights", all.size() - 1); };
    while (fs::is_regular_file(next_layer(), failed))
        all.push_back(read_npy<xt::xtensor<T, 2>>(next_layer()).shape(1));
    LANES_REQUIRE(all.size() == sizes_.size(), "NeuralNetwork::load: '", folder,
                  "' holds a network of sizes ", all, ", this network has ", sizes_,
                  ". Load it into a network of the sizes it was saved from.");
    set_weights(std::move(weights), std::move(biases));
}

template void BasicNeuralNetwork<float>::save(const std::string&) const;
template void BasicNeuralNetwork<double>::save(const std::string&) const;
template void BasicNeuralNetwork<float>::load(const std::string&);
template void BasicNeuralNetwork<double>::load(const std::string&);

}  // namespace lanes
