#include "lanes/data/image_folder.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

struct Class {
    std::string name;
    fs::path folder;
};

std::vector<Class> classes_of(const fs::path& folder) {
    std::vector<Class> classes;
    std::string stray;
    for (const std::string& name : sorted_names(folder.string())) {
        const fs::path path = folder / name;
        if (fs::is_directory(path))
            classes.push_back({name, path});
        else
            stray = path.string();
    }
    LANES_REQUIRE(!classes.empty() || !stray.empty(), "ImageFolder: ", folder.string(),
                  " is empty. Put pictures into one folder per class.");
    if (classes.empty()) return {{folder.filename().string(), folder}};
    LANES_REQUIRE(stray.empty(), "ImageFolder: ", stray,
                  " is not a folder. Put pictures into one folder per class.");
    return classes;
}

}  // namespace

std::vector<std::string> sorted_names(const std::string& folder) {
    std::error_code failed;
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
        std::string name = entry.path().filename().string();
        if (name.front() != '.') names.push_back(std::move(name));
    }
    LANES_REQUIRE(!failed, "ImageFolder: ", folder, " cannot be read (", failed.message(),
                  "). Check the path.");
    std::sort(names.begin(), names.end());
    return names;
}

ImageFolder::ImageFolder(const std::string& folder, transforms::Transform transform)
    : transform_(std::move(transform)) {
    // A slash at the end would hide the folder's name.
    const fs::path root = (fs::path(folder) / ".").lexically_normal().parent_path();
    std::vector<std::string> names;
    std::vector<File> files;
    for (const Class& one : classes_of(root)) {
        const auto label = static_cast<int>(names.size());
        names.push_back(one.name);
        const auto pictures = sorted_names(one.folder.string());
        LANES_REQUIRE(!pictures.empty(), "ImageFolder: ", one.folder.string(),
                      " has no pictures. Add some, or remove the folder.");
        for (const std::string& name : pictures) {
            files.push_back({(one.folder / name).string(), label});
            Picture::check_file(files.back().path);
        }
    }
    classes_ = std::make_shared<const std::vector<std::string>>(std::move(names));
    files_ = std::make_shared<const std::vector<File>>(std::move(files));
}

void ImageFolder::require_index(std::size_t index) const {
    LANES_REQUIRE(index < size(), "ImageFolder: picture ", index, " of ", size(),
                  ". The first one is 0.");
}

const std::string& ImageFolder::path(std::size_t index) const {
    require_index(index);
    return (*files_)[index].path;
}

int ImageFolder::label(std::size_t index) const {
    require_index(index);
    return (*files_)[index].label;
}

std::pair<Tensor, int> ImageFolder::get(std::size_t index, Rng& rng) const {
    const Picture picture = transform_(Picture::from_file(path(index)), rng);
    return {picture.tensor(), label(index)};
}

ImageFolder ImageFolder::with(transforms::Transform transform) const {
    ImageFolder other = *this;
    other.transform_ = std::move(transform);
    return other;
}

std::tuple<Tensor, int, int> ImageFolderWithPaths::get(std::size_t index, Rng& rng) const {
    auto [image, label] = folder_.get(index, rng);
    return {std::move(image), label, static_cast<int>(index)};
}

}  // namespace lanes
