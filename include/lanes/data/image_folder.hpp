// A folder of pictures as a dataset: one folder per class, whose name is the name of the class.
//
//   lanes::split_every(6, "plates/labelled", "plates/split");  // copies into train and val
//   const lanes::ImageFolder train("plates/split/train", lanes::transforms::training());
//   lanes::Rng rng(1);
//   const auto [x, label] = train.get(0, rng);                   // (3, 224, 224), and 0
//   const std::string name = train.classes()[label];             // "cleaned"
//   const std::string path = train.path(0);                      // "plates/split/train/cleaned/…"
//
// A DataLoader takes an ImageFolder, and calls get in its workers.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/data/transforms.hpp"
#include "lanes/tensor/tensor.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lanes {

class ImageFolder {
public:
    // Classes are numbered in the order of their names, and pictures sorted by name within a class.
    // A folder with pictures and without folders is one class. Names that begin with a dot are
    // skipped. Throws Error with the path for a file that is neither PNG nor JPEG or has too many
    // pixels, and for a class without pictures.
    explicit ImageFolder(const std::string& folder,
                         transforms::Transform transform = transforms::ToTensor());

    std::size_t size() const { return files_->size(); }
    const std::vector<std::string>& classes() const { return *classes_; }
    const std::string& path(std::size_t index) const;
    int label(std::size_t index) const;

    // Throws Error with the path if the file is damaged or cut off.
    std::pair<Tensor, int> get(std::size_t index, Rng& rng) const;

    // The same folder with another transform.
    ImageFolder with(transforms::Transform transform) const;

private:
    struct File {
        std::string path;
        int label;
    };
    void require_index(std::size_t index) const;

    // Shared by copies.
    std::shared_ptr<const std::vector<std::string>> classes_;
    std::shared_ptr<const std::vector<File>> files_;
    transforms::Transform transform_;
};

// An ImageFolder whose examples also say which file they are: the third tensor of a batch holds the
// indices, and folder().path(index) is the file.
class ImageFolderWithPaths {
public:
    explicit ImageFolderWithPaths(ImageFolder folder) : folder_(std::move(folder)) {}
    explicit ImageFolderWithPaths(const std::string& folder,
                                  transforms::Transform transform = transforms::ToTensor())
        : folder_(folder, std::move(transform)) {}

    std::size_t size() const { return folder_.size(); }
    const ImageFolder& folder() const { return folder_; }
    std::tuple<Tensor, int, int> get(std::size_t index, Rng& rng) const;

private:
    ImageFolder folder_;
};

// The names in a folder, sorted, without those that begin with a dot.
std::vector<std::string> sorted_names(const std::string& folder);

struct SplitSizes {
    std::size_t train = 0;
    std::size_t val = 0;
};
// Copies the pictures of from/CLASS, sorted by name: those with a number that n divides (0, n, 2n,
// …) into to/val/CLASS, all others into to/train/CLASS. Pictures that an earlier call has copied
// are replaced. Throws Error if there are other files, because they would be trained on.
SplitSizes split_every(std::size_t n, const std::string& from, const std::string& to);

}  // namespace lanes
