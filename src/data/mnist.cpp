#include "lanes/data/mnist.hpp"

#include "base/checkout.hpp"
#include "base/large_pages.hpp"

#include "lanes/base/error.hpp"
#include "lanes/data/idx.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

constexpr std::size_t classes = 10;

// The plain file if both exist: the compressed one came with the checkout, so somebody has put the
// plain one there on purpose.
std::string plain_or_packed(const std::string& folder, const char* name) {
    const fs::path plain = fs::path(folder) / name, packed = plain.string() + ".gz";
    std::error_code failed;
    if (fs::is_regular_file(plain, failed)) return plain.string();
    LANES_REQUIRE(fs::is_regular_file(packed, failed), "load_mnist: neither '", plain.string(),
                  "' nor '", packed.string(),
                  "' is a file. Give the folder that holds both images and labels, or set "
                  "LANES_DATA to the folder above it.");
    return packed.string();
}

void require_axes(const std::string& path, const IdxArray& array, std::size_t axes,
                  const char* what) {
    const bool swapped = array.shape.size() == 4 - axes;  // 1 for labels, 3 for images
    LANES_REQUIRE(array.shape.size() == axes, "load_images: '", path,
                  "', byte 3: ", array.shape.size(), " axes, ", what, " have ", axes, ". ",
                  swapped ? "Images and labels are swapped: exchange the two files."
                          : "This is another file than its name says: get it again.");
}

SplitDataset load_split(const std::string& folder, const Dataset& training, Dataset test) {
    constexpr std::size_t parts = 6;  // one for validation: the last 10,000 of 60,000
    LANES_REQUIRE(training.size() >= parts, "load_mnist: ", training.size(),
                  " images in the training file of '", folder, "'. A split needs at least ", parts,
                  ".");
    const std::size_t train = training.size() - training.size() / parts;
    return {slice_of(training, 0, train), slice_of(training, train, training.size()),
            std::move(test)};
}

Dataset load_named(const std::string& folder, const char* images, const char* labels) {
    return load_images(plain_or_packed(folder, images), plain_or_packed(folder, labels));
}

Dataset joined(const Dataset& first, const Dataset& second) {
    Dataset both{
        Matrix(std::array<std::size_t, 2>{first.size() + second.size(), first.x.shape(1)}),
        Matrix(std::array<std::size_t, 2>{first.size() + second.size(), first.y.shape(1)})};
    prefer_large_pages(both.x.data(), both.x.size() * sizeof(float));
    std::copy(second.x.begin(), second.x.end(),
              std::copy(first.x.begin(), first.x.end(), both.x.begin()));
    std::copy(second.y.begin(), second.y.end(),
              std::copy(first.y.begin(), first.y.end(), both.y.begin()));
    return both;
}

SplitDataset load_folder(const std::string& folder) {
    const Dataset training =
        load_named(folder, "train-images-idx3-ubyte", "train-labels-idx1-ubyte");
    Dataset test = load_named(folder, "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
    LANES_REQUIRE(training.x.shape(1) == test.x.shape(1), "load_mnist: images of ",
                  training.x.shape(1), " pixels to train and of ", test.x.shape(1), " to test in '",
                  folder, "'. The files belong to different sets: get them again.");
    return load_split(folder, training, std::move(test));
}

}  // namespace

std::string data_folder(const std::string& name) {
    std::string tried;
    for (const fs::path& place : data_candidates()) {
        std::error_code failed;
        const fs::path folder = place / name;
        if (fs::is_directory(folder, failed)) return folder.string();
        tried += (tried.empty() ? "" : ", ") + folder.string();
    }
    throw Error("data_folder: no folder '" + name + "'. Tried: " + tried +
                ". Set LANES_DATA to the folder that holds it.");
}

Dataset load_images(const std::string& images_path, const std::string& labels_path) {
    const IdxArray images = read_idx(images_path), labels = read_idx(labels_path);
    require_axes(images_path, images, 3, "images");
    require_axes(labels_path, labels, 1, "labels");
    const std::size_t count = images.shape[0], pixels = images.shape[1] * images.shape[2];
    LANES_REQUIRE(
        count == labels.shape[0], "load_images: '", images_path, "', byte 4: ", count,
        " images, but '", labels_path, "', byte 4: ", labels.shape[0],
        " labels. The files belong to different sets (train and t10k?): take both from one.");
    for (std::size_t i = 0; i < count; ++i)
        LANES_REQUIRE(labels.values[i] < classes, "load_images: '", labels_path, "', byte ", 8 + i,
                      ": label ", int{labels.values[i]}, ", the classes are 0 to ", classes - 1,
                      ". The file is damaged or holds no labels: get it again.");
    Dataset data{Matrix(std::array<std::size_t, 2>{count, pixels}),
                 one_hot(labels.values, classes)};
    prefer_large_pages(data.x.data(), data.x.size() * sizeof(float));
    std::array<float, 256> pixel{};
    for (std::size_t byte = 0; byte < pixel.size(); ++byte)
        pixel[byte] = static_cast<float>(byte) / 255.f;
    std::transform(images.values.begin(), images.values.end(), data.x.data(),
                   [&](unsigned char byte) { return pixel[byte]; });
    return data;
}

SplitDataset load_mnist(MnistSplit split, const std::string& folder) {
    SplitDataset all = load_folder(folder.empty() ? data_folder("mnist") : folder);
    if (split == MnistSplit::assignment_1) return all;
    constexpr std::size_t few = 500;
    LANES_REQUIRE(all.train.size() >= few, "load_mnist: ", all.train.size(),
                  " images to train. Assignment 2 takes ", few, " of them: use the full MNIST.");
    return {slice_of(all.train, 0, few), std::move(all.validation),
            joined(all.test, slice_of(all.train, few, all.train.size()))};
}

SplitDataset load_fashion_mnist(const std::string& folder) {
    return load_folder(folder.empty() ? data_folder("fashion-mnist") : folder);
}

}  // namespace lanes
