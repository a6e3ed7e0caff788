#include "lanes/data/image_folder.hpp"

#include "lanes/base/error.hpp"

#include <set>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

void make_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    LANES_REQUIRE(!failed, "split_every: ", folder.string(), " cannot be made (", failed.message(),
                  "). May you write there?");
}

void copy_picture(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    if (fs::is_regular_file(from, failed))
        fs::copy_file(from, to, fs::copy_options::overwrite_existing, failed);
    else if (!failed)
        failed = std::make_error_code(std::errc::invalid_argument);
    LANES_REQUIRE(!failed, "split_every: ", from.string(), " cannot be copied to ", to.string(),
                  " (", failed.message(), "). Is it a file, and is there space?");
}

void require_only(const fs::path& folder, const std::set<std::string>& copied) {
    for (const std::string& name : sorted_names(folder.string()))
        LANES_REQUIRE(copied.count(name) > 0, "split_every: ", (folder / name).string(),
                      " is not one of the pictures that belong there. Remove it, or split into "
                      "another folder.");
}

}  // namespace

SplitSizes split_every(std::size_t n, const std::string& from, const std::string& to) {
    LANES_REQUIRE(n >= 2, "split_every: every picture of ", n,
                  ". Give at least 2, else nothing is left for training.");
    SplitSizes sizes;
    for (const std::string& name : sorted_names(from)) {
        const fs::path of_class = fs::path(from) / name;
        LANES_REQUIRE(fs::is_directory(of_class), "split_every: ", of_class.string(),
                      " is not a folder. Put pictures into one folder per class.");
        const fs::path train = fs::path(to) / "train" / name;
        const fs::path val = fs::path(to) / "val" / name;
        make_folder(train);
        make_folder(val);
        std::set<std::string> to_train;
        std::set<std::string> to_val;
        std::size_t number = 0;
        for (const std::string& picture : sorted_names(of_class.string()))
            (number++ % n == 0 ? to_val : to_train).insert(picture);
        require_only(train, to_train);
        require_only(val, to_val);
        for (const std::string& picture : to_train)
            copy_picture(of_class / picture, train / picture);
        for (const std::string& picture : to_val) copy_picture(of_class / picture, val / picture);
        sizes.train += to_train.size();
        sizes.val += to_val.size();
    }
    return sizes;
}

}  // namespace lanes
