#include "lanes/data/image_file.hpp"

#include "image_codec.hpp"

#include "base/large_pages.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace lanes {

namespace {

bool begins_with(const std::string& text, const std::string& begin) {
    return text.compare(0, begin.size(), begin) == 0;
}

bool ends_with(const std::string& text, const std::string& end) {
    if (text.size() < end.size()) return false;
    return std::equal(end.rbegin(), end.rend(), text.rbegin(), [](char a, char b) {
        return a == std::tolower(static_cast<unsigned char>(b));
    });
}

[[noreturn]] void refuse_format(const std::string& path) {
    throw Error("read_image: " + path +
                " is neither a PNG nor a JPEG file. Convert it to one of them.");
}

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.flush();
    LANES_REQUIRE(file, "write_image: ", path,
                  " cannot be written. Is its folder there, and may you write to it?");
}

// pixels: (rows, columns, channels)
void write_pixels(const std::string& path, const unsigned char* pixels, std::size_t rows,
                  std::size_t columns, std::size_t channels, int quality) {
    LANES_REQUIRE(rows > 0 && columns > 0, "write_image: ", path, ": an image of ", rows, " x ",
                  columns, " pixels. Give at least one pixel.");
    if (ends_with(path, ".png")) {
        write_bytes(path, encode_png(pixels, columns, rows, channels));
    } else if (ends_with(path, ".jpg") || ends_with(path, ".jpeg")) {
        LANES_REQUIRE(quality >= 1 && quality <= 100, "write_image: quality ", quality,
                      ". Give a number from 1 to 100.");
        write_bytes(path, codec::encode_jpeg(pixels, rows, columns, channels, quality));
    } else {
        throw Error("write_image: " + path +
                    ": unknown format. Use a name that ends in .png, .jpg or .jpeg.");
    }
}

}  // namespace

std::string codec::read_file(const std::string& path, std::size_t most) {
    std::error_code failed;
    std::ifstream file;
    if (std::filesystem::is_regular_file(path, failed)) file.open(path, std::ios::binary);
    LANES_REQUIRE(
        file.is_open(), "read_image: ", path,
        " cannot be opened. Is it there, and is the name relative to the notebook's folder?");
    std::string bytes(std::min<std::size_t>(most, std::filesystem::file_size(path, failed)), '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool codec::is_png(const std::string& bytes) { return begins_with(bytes, "\x89PNG\r\n\x1a\n"); }
bool codec::is_jpeg(const std::string& bytes) { return begins_with(bytes, "\xff\xd8\xff"); }

codec::Size codec::size_of(const std::string& path, const std::string& bytes) {
    if (is_png(bytes)) return size_of_png(path, bytes);
    if (is_jpeg(bytes)) return size_of_jpeg(path, bytes);
    refuse_format(path);
}

ColorImage codec::decode(const std::string& path, const std::string& bytes) {
    if (is_png(bytes)) return decode_png(path, bytes);
    if (is_jpeg(bytes)) return decode_jpeg(path, bytes);
    refuse_format(path);
}

ColorImage read_image(const std::string& path) {
    return codec::decode(path, codec::read_file(path));
}

Matrix to_grey(const ColorImage& image) {
    LANES_REQUIRE(image.shape(2) == 3, "to_grey: an image ", image.shape(),
                  ". Its third axis must have 3 entries: red, green, blue.");
    Matrix grey(std::array<std::size_t, 2>{image.shape(0), image.shape(1)});
    prefer_large_pages(grey.data(), grey.size() * sizeof(float));
    const unsigned char* pixel = image.data();
    for (float& value : grey) {
        value = (0.299f * static_cast<float>(pixel[0]) + 0.587f * static_cast<float>(pixel[1]) +
                 0.114f * static_cast<float>(pixel[2])) /
                255.0f;
        pixel += 3;
    }
    return grey;
}

void write_image(const std::string& path, const Matrix& image, int quality) {
    std::string pixels(image.size(), '\0');
    std::transform(image.begin(), image.end(), pixels.begin(), [](float value) {
        return static_cast<char>(static_cast<unsigned char>(
            std::lround(255 * std::clamp(std::isnan(value) ? 0.0f : value, 0.0f, 1.0f))));
    });
    write_pixels(path, reinterpret_cast<const unsigned char*>(pixels.data()), image.shape(0),
                 image.shape(1), 1, quality);
}

void write_image(const std::string& path, const ColorImage& image, int quality) {
    LANES_REQUIRE(image.shape(2) == 3, "write_image: an image ", image.shape(),
                  ". Its third axis must have 3 entries: red, green, blue.");
    write_pixels(path, image.data(), image.shape(0), image.shape(1), 3, quality);
}

}  // namespace lanes
