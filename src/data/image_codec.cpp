#include "image_codec.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <memory>

#ifndef LANES_STANDALONE

#include <png.h>
#include <turbojpeg.h>

namespace lanes::codec {

namespace {

constexpr std::size_t most_pixels = std::size_t{1}
                                    << 28;  // a damaged header shall not ask for all memory

void require_size(const std::string& path, std::size_t rows, std::size_t columns) {
    LANES_REQUIRE(rows > 0 && columns > 0 && rows <= most_pixels / columns, "read_image: ", path,
                  " claims ", columns, " x ", rows, " pixels. Is it damaged? Pictures of up to ",
                  most_pixels, " pixels are read.");
}

ColorImage room_for(std::size_t rows, std::size_t columns) {
    return ColorImage(std::array<std::size_t, 3>{rows, columns, 3});
}

// The file without its colour profile (chunk iCCP): pixels are taken as they stand, and libpng's
// warning about a profile that does not fit them, as programs like to write into grey pictures,
// would look like damage. A length that leads out of the file ends the search; libpng then says
// what is wrong.
std::string without_profile(const std::string& bytes) {
    constexpr std::size_t signature = 8,
                          frame = 12;  // length, name and checksum around a chunk's content
    std::string kept = bytes.substr(0, signature);
    std::size_t at = signature;
    while (at + frame <= bytes.size()) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
        if (length > bytes.size() - at - frame) break;
        if (bytes.compare(at + 4, 4, "iCCP") != 0) kept.append(bytes, at, length + frame);
        at += length + frame;
    }
    return kept.append(bytes, std::min(at, bytes.size()), std::string::npos);
}

struct Closer {
    void operator()(void* handle) const { tjDestroy(handle); }
};
using Jpeg = std::unique_ptr<void, Closer>;

}  // namespace

ColorImage decode_png(const std::string& path, const std::string& file) {
    const std::string bytes = without_profile(file);
    png_image about{};
    about.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, void (*)(png_image*)> freeing(
        &about, [](png_image* image) { png_image_free(image); });
    const bool begun = png_image_begin_read_from_memory(&about, bytes.data(), bytes.size()) != 0;
    LANES_REQUIRE(begun, "read_image: ", path, " is no whole PNG file (", about.message,
                  "). Copy it again.");
    require_size(path, about.height, about.width);
    about.format = PNG_FORMAT_RGB;
    ColorImage image = room_for(about.height, about.width);
    const png_color white{255, 255, 255};
    // a warning is kept, too: the file was cut off or changed, and what is missing would be grey or
    // black
    const bool read = png_image_finish_read(&about, &white, image.data(), 0, nullptr) != 0 &&
                      about.warning_or_error == 0;
    LANES_REQUIRE(read, "read_image: ", path, " is damaged (", about.message, "). Copy it again.");
    return image;
}

ColorImage decode_jpeg(const std::string& path, const std::string& bytes) {
    const Jpeg jpeg(tjInitDecompress());
    LANES_REQUIRE(jpeg, "read_image: libjpeg-turbo does not start (", tjGetErrorStr2(nullptr),
                  ").");
    const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
    int columns = 0, rows = 0, sampling = 0, colours = 0;
    const bool begun = tjDecompressHeader3(jpeg.get(), data, bytes.size(), &columns, &rows,
                                           &sampling, &colours) == 0;
    LANES_REQUIRE(begun, "read_image: ", path, " is no whole JPEG file (",
                  tjGetErrorStr2(jpeg.get()), "). Copy it again.");
    require_size(path, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    ColorImage image = room_for(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    const bool read = tjDecompress2(jpeg.get(), data, bytes.size(), image.data(), columns, 0, rows,
                                    TJPF_RGB, TJFLAG_ACCURATEDCT) == 0;
    LANES_REQUIRE(read, "read_image: ", path, " is damaged (", tjGetErrorStr2(jpeg.get()),
                  "). Copy it again.");
    return image;
}

std::string encode_jpeg(const unsigned char* pixels, std::size_t rows, std::size_t columns,
                        std::size_t channels, int quality) {
    const Jpeg jpeg(tjInitCompress());
    LANES_REQUIRE(jpeg, "write_image: libjpeg-turbo does not start (", tjGetErrorStr2(nullptr),
                  ").");
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    const int result =
        tjCompress2(jpeg.get(), pixels, static_cast<int>(columns), 0, static_cast<int>(rows),
                    channels == 1 ? TJPF_GRAY : TJPF_RGB, &memory, &size,
                    channels == 1 ? TJSAMP_GRAY : TJSAMP_444, quality, TJFLAG_ACCURATEDCT);
    const std::unique_ptr<unsigned char, void (*)(unsigned char*)> freeing(memory, tjFree);
    LANES_REQUIRE(result == 0, "write_image: an image of ", rows, " x ", columns,
                  " pixels cannot be packed (", tjGetErrorStr2(jpeg.get()), ").");
    return {reinterpret_cast<const char*>(memory), size};
}

}  // namespace lanes::codec

namespace lanes {

namespace {

void require_png_arguments(std::size_t width, std::size_t height, std::size_t channels,
                           const std::string& palette) {
    LANES_REQUIRE(width > 0 && height > 0, "encode_png: an image of ", width, " x ", height,
                  " pixels. Give at least one pixel.");
    LANES_REQUIRE(channels == 1 || channels == 3 || channels == 4, "encode_png: ", channels,
                  " channels. Give 1 (grey, or indices into a palette), 3 (red, green, blue) or 4 "
                  "(red, green, blue, alpha).");
    LANES_REQUIRE(palette.empty() || channels == 1, "encode_png: a palette and ", channels,
                  " channels. Pixels with a palette have one channel: the index of their colour.");
    LANES_REQUIRE(palette.size() % 3 == 0 && palette.size() <= std::size_t{3} * 256,
                  "encode_png: a palette of ", palette.size(),
                  " bytes. Give three bytes per colour, for at most 256 colours.");
}

}  // namespace

std::string encode_png(const unsigned char* pixels, std::size_t width, std::size_t height,
                       std::size_t channels, const std::string& palette) {
    require_png_arguments(width, height, channels, palette);
    png_image about{};
    about.version = PNG_IMAGE_VERSION;
    about.width = static_cast<png_uint_32>(width);
    about.height = static_cast<png_uint_32>(height);
    about.format = !palette.empty() ? PNG_FORMAT_RGB_COLORMAP
                   : channels == 1  ? PNG_FORMAT_GRAY
                   : channels == 3  ? PNG_FORMAT_RGB
                                    : PNG_FORMAT_RGBA;
    about.colormap_entries = static_cast<png_uint_32>(palette.size() / 3);
    const void* const colours = palette.empty() ? nullptr : palette.data();
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(about);  // large enough for all compressions
    std::string bytes(size, '\0');
    const bool written =
        png_image_write_to_memory(&about, bytes.data(), &size, 0, pixels, 0, colours) != 0;
    LANES_REQUIRE(written, "encode_png: an image of ", width, " x ", height,
                  " pixels cannot be written (", about.message, "). Is memory full?");
    bytes.resize(size);
    return bytes;
}

}  // namespace lanes

#else

namespace lanes::codec {

namespace {

[[noreturn]] void refuse(const char* operation) {
    throw Error(std::string(operation) +
                ": this library was compiled without libpng and libjpeg (LANES_STANDALONE). "
                "Install them and compile it without that macro.");
}

}  // namespace

ColorImage decode_png(const std::string&, const std::string&) { refuse("read_image"); }
ColorImage decode_jpeg(const std::string&, const std::string&) { refuse("read_image"); }
std::string encode_jpeg(const unsigned char*, std::size_t, std::size_t, std::size_t, int) {
    refuse("write_image");
}

}  // namespace lanes::codec

namespace lanes {

std::string encode_png(const unsigned char*, std::size_t, std::size_t, std::size_t,
                       const std::string&) {
    codec::refuse("encode_png");
}

}  // namespace lanes

#endif
