#include "image_codec.hpp"

#include "base/math.hpp"
#include "lanes/base/error.hpp"

// A standalone build has only those of the two libraries that the machine has.
#if __has_include(<png.h>)
#include <png.h>
#define LANES_HAS_PNG
#endif
#if __has_include(<turbojpeg.h>)
#include <turbojpeg.h>
#define LANES_HAS_JPEG
#endif

#include <algorithm>
#include <array>
#include <memory>

namespace lanes {

namespace {

// Limits what a damaged header can allocate.
constexpr std::size_t most_pixels = std::size_t{1} << 28;

[[maybe_unused]] void require_size(const std::string& path, std::size_t rows, std::size_t columns) {
    LANES_REQUIRE(rows > 0 && columns > 0 && rows <= most_pixels / columns, "read_image: ", path,
                  " claims ", columns, " x ", rows, " pixels. Is it damaged? Pictures of up to ",
                  most_pixels, " pixels are read.");
}

[[maybe_unused]] ColorImage empty_image(std::size_t rows, std::size_t columns) {
    return ColorImage(std::array<std::size_t, 3>{rows, columns, 3});
}

[[noreturn, maybe_unused]] void refuse(const char* operation, const char* library) {
    throw Error(operation, ": this library was compiled without ", library,
                ". Install it with its headers and compile again.");
}

}  // namespace

#ifdef LANES_HAS_PNG

namespace {

// The file without its colour profile (chunk iCCP). Pixels are used as they are, and many programs
// write a profile into grey pictures that does not match them: libpng warns about it, and a warning
// is taken for damage below. A chunk that is longer than the file ends the search; libpng then
// reports what is wrong.
std::string without_profile(const std::string& bytes) {
    constexpr std::size_t signature = 8,
                          frame = 12;  // length, name and checksum of a chunk
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

struct PngReader {
    PngReader(const std::string& path, const std::string& bytes) {
        about.version = PNG_IMAGE_VERSION;
        const bool begun =
            png_image_begin_read_from_memory(&about, bytes.data(), bytes.size()) != 0;
        LANES_REQUIRE(begun, "read_image: ", path, " is not a complete PNG file (", about.message,
                      "). Copy it again.");
    }
    ~PngReader() { png_image_free(&about); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    png_image about{};
};

}  // namespace

codec::Size codec::size_of_png(const std::string& path, const std::string& bytes) {
    const std::string without = without_profile(bytes);  // the reader refers to it
    const PngReader reader(path, without);
    require_size(path, reader.about.height, reader.about.width);
    return {reader.about.height, reader.about.width};
}

ColorImage codec::decode_png(const std::string& path, const std::string& file) {
    const std::string bytes = without_profile(file);
    PngReader reader(path, bytes);
    png_image& about = reader.about;
    require_size(path, about.height, about.width);
    about.format = PNG_FORMAT_RGB;
    ColorImage image = empty_image(about.height, about.width);
    const png_color white{255, 255, 255};
    // A warning counts as an error: the file was cut off or changed, and the missing pixels would
    // be grey or black.
    const bool read = png_image_finish_read(&about, &white, image.data(), 0, nullptr) != 0 &&
                      about.warning_or_error == 0;
    LANES_REQUIRE(read, "read_image: ", path, " is damaged (", about.message, "). Copy it again.");
    return image;
}

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

#else

ColorImage codec::decode_png(const std::string&, const std::string&) {
    refuse("read_image", "libpng");
}
codec::Size codec::size_of_png(const std::string&, const std::string&) {
    refuse("read_image", "libpng");
}
std::string encode_png(const unsigned char*, std::size_t, std::size_t, std::size_t,
                       const std::string&) {
    refuse("encode_png", "libpng");
}

#endif

#ifdef LANES_HAS_JPEG

namespace {

struct Closer {
    void operator()(void* handle) const { tjDestroy(handle); }
};
using Jpeg = std::unique_ptr<void, Closer>;

const unsigned char* data_of(const std::string& bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

// Reads the header.
codec::Size begin_jpeg(const Jpeg& jpeg, const std::string& path, const std::string& bytes) {
    LANES_REQUIRE(jpeg, "read_image: libjpeg-turbo cannot be started (", tjGetErrorStr2(nullptr),
                  ").");
    int columns = 0;
    int rows = 0;
    int sampling = 0;
    int colours = 0;
    const bool begun = tjDecompressHeader3(jpeg.get(), data_of(bytes), bytes.size(), &columns,
                                           &rows, &sampling, &colours) == 0;
    LANES_REQUIRE(begun, "read_image: ", path, " is not a complete JPEG file (",
                  tjGetErrorStr2(jpeg.get()), "). Copy it again.");
    LANES_REQUIRE(colours != TJCS_CMYK && colours != TJCS_YCCK, "read_image: ", path,
                  " has four colours (CMYK), as for a printer. Convert it to RGB.");
    require_size(path, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    return {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
}

}  // namespace

codec::Size codec::size_of_jpeg(const std::string& path, const std::string& bytes) {
    return begin_jpeg(Jpeg(tjInitDecompress()), path, bytes);
}

ColorImage codec::decode_jpeg(const std::string& path, const std::string& bytes,
                              std::size_t reduction) {
    const Jpeg jpeg(tjInitDecompress());
    const Size size = begin_jpeg(jpeg, path, bytes);
    ColorImage image =
        empty_image(ceil_div(size.rows, reduction), ceil_div(size.columns, reduction));
    const bool read =
        tjDecompress2(jpeg.get(), data_of(bytes), bytes.size(), image.data(),
                      static_cast<int>(image.shape(1)), 0, static_cast<int>(image.shape(0)),
                      TJPF_RGB, TJFLAG_ACCURATEDCT) == 0;
    LANES_REQUIRE(read, "read_image: ", path, " is damaged (", tjGetErrorStr2(jpeg.get()),
                  "). Copy it again.");
    return image;
}

std::string codec::encode_jpeg(const unsigned char* pixels, std::size_t rows, std::size_t columns,
                               std::size_t channels, int quality) {
    const Jpeg jpeg(tjInitCompress());
    LANES_REQUIRE(jpeg, "write_image: libjpeg-turbo cannot be started (", tjGetErrorStr2(nullptr),
                  ").");
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    const int result =
        tjCompress2(jpeg.get(), pixels, static_cast<int>(columns), 0, static_cast<int>(rows),
                    channels == 1 ? TJPF_GRAY : TJPF_RGB, &memory, &size,
                    channels == 1 ? TJSAMP_GRAY : TJSAMP_444, quality, TJFLAG_ACCURATEDCT);
    const std::unique_ptr<unsigned char, void (*)(unsigned char*)> freeing(memory, tjFree);
    LANES_REQUIRE(result == 0, "write_image: an image of ", rows, " x ", columns,
                  " pixels cannot be compressed (", tjGetErrorStr2(jpeg.get()), ").");
    return {reinterpret_cast<const char*>(memory), size};
}

#else

ColorImage codec::decode_jpeg(const std::string&, const std::string&, std::size_t) {
    refuse("read_image", "libjpeg-turbo");
}
codec::Size codec::size_of_jpeg(const std::string&, const std::string&) {
    refuse("read_image", "libjpeg-turbo");
}
std::string codec::encode_jpeg(const unsigned char*, std::size_t, std::size_t, std::size_t, int) {
    refuse("write_image", "libjpeg-turbo");
}

#endif

}  // namespace lanes
