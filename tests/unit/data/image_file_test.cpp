#include "lanes/data/image_file.hpp"

#include "error_of.hpp"
#include "files.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

namespace {

using lanes::ColorImage;
using lanes::Matrix;
using lanes_test::error_of;

ColorImage colours(std::size_t rows, std::size_t columns) {
    ColorImage image(std::array<std::size_t, 3>{rows, columns, 3});
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x) {
            image(y, x, 0) = static_cast<unsigned char>(255 * y / rows);
            image(y, x, 1) = static_cast<unsigned char>(255 * x / columns);
            image(y, x, 2) = static_cast<unsigned char>(128);
        }
    return image;
}

TEST(ImageFile, APngKeepsEveryPixel) {
    const files::Folder folder;
    const ColorImage image = colours(31, 17);
    lanes::write_image(folder.path("a.PNG"), image);
    EXPECT_EQ(lanes::read_image(folder.path("a.PNG")), image);
    Matrix grey = xt::zeros<float>({5, 7});
    grey(2, 3) = 1;
    grey(4, 6) = 0.5f;
    lanes::write_image(folder.path("b.png"), grey);
    const Matrix back = lanes::to_grey(lanes::read_image(folder.path("b.png")));
    EXPECT_EQ(back.shape(), grey.shape());
    EXPECT_NEAR(back(2, 3), 1, 1e-6);
    EXPECT_NEAR(back(4, 6), 0.5, 0.5 / 255 + 1e-6);
    EXPECT_EQ(back(0, 0), 0);
}

TEST(ImageFile, AJpegComesClose) {
    const files::Folder folder;
    const ColorImage image = colours(64, 48);
    for (const char* name : {"a.jpg", "b.JPEG"}) {
        lanes::write_image(folder.path(name), image);
        const ColorImage back = lanes::read_image(folder.path(name));
        ASSERT_EQ(back.shape(), image.shape());
        for (std::size_t i = 0; i < image.size(); ++i)
            ASSERT_NEAR(back.data()[i], image.data()[i], 8) << i;
    }
    lanes::write_image(folder.path("rough.jpg"), image, 5);
    EXPECT_LT(files::read(folder.path("rough.jpg")).size(),
              files::read(folder.path("a.jpg")).size());
    lanes::write_image(folder.path("grey.jpg"), Matrix(xt::ones<float>({9, 9}) * 0.5f));
    EXPECT_NEAR(lanes::to_grey(lanes::read_image(folder.path("grey.jpg")))(4, 4), 0.5, 0.02);
}

TEST(ImageFile, GreyWeighsTheColours) {
    ColorImage image = xt::zeros<unsigned char>({1, 4, 3});
    for (std::size_t channel = 0; channel < 3; ++channel)
        image(0, channel, channel) = image(0, 3, channel) = 255;
    const Matrix grey = lanes::to_grey(image);
    EXPECT_NEAR(grey(0, 0), 0.299, 1e-6);
    EXPECT_NEAR(grey(0, 1), 0.587, 1e-6);
    EXPECT_NEAR(grey(0, 2), 0.114, 1e-6);
    EXPECT_NEAR(grey(0, 3), 1, 1e-6);
    EXPECT_THROW(lanes::to_grey(ColorImage(xt::zeros<unsigned char>({2, 2, 4}))), lanes::Error);
}

TEST(ImageFile, ValuesOutsideAreCutOff) {
    const files::Folder folder;
    lanes::write_image(folder.path("a.png"), Matrix{{-3, 7, NAN, 0.5f}});
    const ColorImage image = lanes::read_image(folder.path("a.png"));
    EXPECT_EQ(image(0, 0, 0), 0);
    EXPECT_EQ(image(0, 1, 0), 255);
    EXPECT_EQ(image(0, 2, 0), 0);
    EXPECT_EQ(image(0, 3, 0), 128);
}

TEST(ImageFile, APaletteIsLookedUp) {
    const files::Folder folder;
    const std::vector<unsigned char> places{0, 1, 1, 0};
    const std::string bytes =
        lanes::encode_png(places.data(), 2, 2, 1, std::string("\x01\x02\x03\xff\xfe\xfd", 6));
    folder.write("a.png", files::Bytes(bytes.begin(), bytes.end()));
    const ColorImage image = lanes::read_image(folder.path("a.png"));
    EXPECT_EQ(image(0, 0, 2), 3);
    EXPECT_EQ(image(0, 1, 0), 255);
    EXPECT_EQ(image(1, 0, 2), 0xfd);
    EXPECT_THROW(lanes::encode_png(places.data(), 1, 1, 3, "abc"), lanes::Error);
    EXPECT_THROW(lanes::encode_png(places.data(), 1, 1, 1, "abcd"), lanes::Error);
    EXPECT_THROW(lanes::encode_png(places.data(), 1, 1, 2), lanes::Error);
    EXPECT_THROW(lanes::encode_png(places.data(), 0, 1, 1), lanes::Error);
}

TEST(ImageFile, AlphaIsWrittenAndShownOnWhite) {
    const files::Folder folder;
    const std::vector<unsigned char> pixels{10, 20, 30, 255, 40, 50, 60, 0};  // opaque, transparent
    const std::string bytes = lanes::encode_png(pixels.data(), 2, 1, 4);
    folder.write("a.png", files::Bytes(bytes.begin(), bytes.end()));
    const ColorImage image = lanes::read_image(folder.path("a.png"));
    EXPECT_EQ(image, (ColorImage{{{10, 20, 30}, {255, 255, 255}}}));
}

// Some programs write the profile of their screen into grey pictures: libpng warns about it, and
// the pixels are not affected.
TEST(ImageFile, AProfileThatDoesNotFitIsPassedOver) {
    const files::Folder folder;
    Matrix grey = xt::zeros<float>({3, 5});
    grey(0, 1) = grey(2, 4) = 0.6f;
    lanes::write_image(folder.path("plain.png"), grey);
    const files::Bytes plain = files::read(folder.path("plain.png"));
    std::string profile(256, '\0');  // 144 bytes of header with one entry, and its content
    const auto put = [&profile](std::size_t at, const std::string& text) {
        profile.replace(at, text.size(), text);
    };
    put(0, std::string("\0\0\1\0", 4)), put(8, std::string("\2\x10\0\0", 4)),
        put(12, "mntrRGB XYZ "), put(36, "acsp");
    put(68, std::string("\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d", 12)),
        put(128, std::string("\0\0\0\1desc\0\0\0\x90\0\0\0\x70", 16));
    for (std::size_t i = 144; i < profile.size(); ++i) profile[i] = static_cast<char>(i * i % 251);
    uLongf size = compressBound(profile.size());
    std::string packed(size, '\0');
    ASSERT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                       reinterpret_cast<const Bytef*>(profile.data()), profile.size()),
              Z_OK);
    std::string chunk = std::string("iCCPmy screen\0\0", 15) + packed.substr(0, size);
    const auto number = [](unsigned long value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes += static_cast<char>(value >> shift & 0xff);
        return bytes;
    };
    const std::string whole = number(chunk.size() - 4) + chunk +
                              number(crc32(0, reinterpret_cast<const Bytef*>(chunk.data()),
                                           static_cast<uInt>(chunk.size())));
    files::Bytes with = plain;
    with.insert(with.begin() + 33, whole.begin(), whole.end());  // after the signature and IHDR
    folder.write("profile.png", with);
    EXPECT_EQ(lanes::read_image(folder.path("profile.png")),
              lanes::read_image(folder.path("plain.png")));
    with.resize(with.size() - 40);
    folder.write("cut.png", with);
    EXPECT_NE(error_of([&] { lanes::read_image(folder.path("cut.png")); }), "");
}

// Whatever is cut off or changed: an error that names the file, or, if the byte matters little, an
// image of the right size.
TEST(ImageFile, DamagedFilesAreTold) {
    const files::Folder folder;
    for (const char* name : {"whole.png", "whole.jpg"}) {
        lanes::write_image(folder.path(name), colours(20, 30));
        const files::Bytes whole = files::read(folder.path(name));
        // The last twelve bytes of a PNG only mark its end and hold no pixels.
        for (std::size_t size = 0; size + 17 < whole.size();
             size += std::max<std::size_t>(1, whole.size() / 60)) {
            folder.write("cut", files::Bytes(whole.begin(),
                                             whole.begin() + static_cast<std::ptrdiff_t>(size)));
            EXPECT_NE(
                error_of([&] { lanes::read_image(folder.path("cut")); }).find(folder.path("cut")),
                std::string::npos)
                << name << " cut to " << size;
        }
        for (std::size_t place = 0; place < whole.size(); place += 7) {
            files::Bytes changed = whole;
            changed[place] ^= 0x55;
            folder.write("changed", changed);
            const std::string error = error_of([&] { lanes::read_image(folder.path("changed")); });
            if (!error.empty()) EXPECT_EQ(error.find("read_image: "), 0u) << error;
        }
    }
}

#include "cmyk_jpeg.inc"

TEST(ImageFile, AJpegForPrintersIsCalledByItsName) {
    const files::Folder folder;
    const std::string error =
        error_of([&] { lanes::read_image(folder.write("a.jpg", cmyk_jpeg)); });
    EXPECT_NE(error.find("a.jpg has four colours (CMYK)"), std::string::npos) << error;
}

TEST(ImageFile, SaysWhatIsWrong) {
    const files::Folder folder;
    EXPECT_NE(
        error_of([&] { lanes::read_image(folder.path("none.png")); }).find("cannot be opened"),
        std::string::npos);
    folder.write("text.png", {'h', 'e', 'l', 'l', 'o'});
    EXPECT_NE(error_of([&] {
                  lanes::read_image(folder.path("text.png"));
              }).find("neither a PNG nor a JPEG"),
              std::string::npos);
    const Matrix image{{1}};
    EXPECT_NE(error_of([&] {
                  lanes::write_image(folder.path("a.gif"), image);
              }).find("Use a name that ends in .png, .jpg or .jpeg"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  lanes::write_image(folder.path("no/such/folder.png"), image);
              }).find("cannot be written"),
              std::string::npos);
    EXPECT_NE(
        error_of([&] { lanes::write_image(folder.path("a.jpg"), image, 0); }).find("quality 0"),
        std::string::npos);
    EXPECT_NE(
        error_of([&] { lanes::write_image(folder.path("a.png"), Matrix()); }).find("0 x 0 pixels"),
        std::string::npos);
}

}  // namespace
