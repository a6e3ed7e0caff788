#include "lanes/data/plates.hpp"

#include "lanes/base/error.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

// Streams of random numbers of one seed: picture i of a set has its own.
constexpr std::uint64_t labelled_stream = 0;
constexpr std::uint64_t test_stream = 1;
constexpr std::uint64_t label_stream = 2;

const char* const class_names[] = {"cleaned", "dirty"};

LabelledPlate draw_numbered(int label, std::uint64_t stream, std::size_t number,
                            const PlatesOptions& options) {
    Rng rng = Rng(options.seed()).split(stream).split(number);
    return {draw_plate(label == 1, rng), label};
}

void require_number(const char* operation, std::size_t number, std::size_t count) {
    LANES_REQUIRE(number < count, operation, ": picture ", number, " of ", count,
                  ". The first one is 0.");
}

int test_label(std::size_t number, const PlatesOptions& options) {
    return static_cast<int>(Rng(options.seed()).split(label_stream).split(number).integer(0, 1));
}

int label_of_labelled(std::size_t number, const PlatesOptions& options) {
    return number < options.labelled() / 2 ? 0 : 1;
}

std::string file_name(std::size_t number) {
    char name[32];
    std::snprintf(name, sizeof name, "%04zu.jpg", number);
    return name;
}

void make_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    LANES_REQUIRE(!failed, "write_plates: ", folder.string(), " cannot be made (", failed.message(),
                  "). May you write there?");
}

// The file is renamed when it is complete: an interrupt leaves no half of one.
void write_once(const fs::path& path, const ColorImage& image) {
    const fs::path part = path.parent_path() / (".part-" + path.filename().string());
    write_image(part.string(), image, 90);
    fs::rename(part, path);
}

}  // namespace

LabelledPlate labelled_plate(std::size_t number, const PlatesOptions& options) {
    require_number("labelled_plate", number, options.labelled());
    return draw_numbered(label_of_labelled(number, options), labelled_stream, number, options);
}

LabelledPlate test_plate(std::size_t number, const PlatesOptions& options) {
    require_number("test_plate", number, options.test());
    return draw_numbered(test_label(number, options), test_stream, number, options);
}

void write_plates(const std::string& folder, const PlatesOptions& options) {
    const fs::path root(folder);
    const fs::path labels = root / "test_labels.txt";
    std::error_code ignored;
    for (const char* name : class_names) make_folder(root / "train" / name);
    make_folder(root / "test");
    const auto on_picture = options.on_picture();
    for (std::size_t i = 0; i < options.labelled(); ++i) {
        const int label = label_of_labelled(i, options);
        const std::size_t number = label == 0 ? i : i - options.labelled() / 2;
        const fs::path path = root / "train" / class_names[label] / file_name(number);
        if (!fs::exists(path, ignored)) write_once(path, labelled_plate(i, options).image);
        if (on_picture) on_picture(i + 1);
    }
    std::string lines;
    for (std::size_t i = 0; i < options.test(); ++i) {
        const fs::path path = root / "test" / file_name(i);
        if (!fs::exists(path, ignored)) write_once(path, test_plate(i, options).image);
        if (on_picture) on_picture(options.labelled() + i + 1);
        lines += file_name(i) + " " + class_names[test_label(i, options)] + "\n";
    }
    std::ofstream file(labels);
    file << lines << std::flush;
    LANES_REQUIRE(file, "write_plates: ", labels.string(),
                  " cannot be written. Is there space on the disk?");
}

std::vector<int> read_test_labels(const std::string& folder) {
    std::ifstream file(fs::path(folder) / "test_labels.txt");
    std::vector<int> labels;
    std::string name;
    std::string label;
    while (file >> name >> label) {
        LANES_REQUIRE(label == class_names[0] || label == class_names[1],
                      "read_test_labels: ", folder, "/test_labels.txt: '", label, "' for ", name,
                      ". Write ", class_names[0], " or ", class_names[1], ".");
        labels.push_back(label == class_names[1] ? 1 : 0);
    }
    return labels;
}

}  // namespace lanes
