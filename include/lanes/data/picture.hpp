// An image on its way through transforms: first a file, then pixels, then a tensor.
//
//   const std::string path = lanes::data_folder("pictures") + "/coffee.png";
//   auto picture = lanes::Picture::from_file(path);  // only the header is decoded
//   lanes::Picture small = picture.crop_and_resize({0, 40, 160, 160}, 64, 64);
//   const lanes::ColorImage& pixels = small.pixels();  // (64, 64, 3)
//
// A file is decoded when its pixels are needed. A JPEG file that is made much smaller is decoded at
// 1/2, 1/4 or 1/8 of its size, which is faster; at least the last reduction by 2 is left to the
// resizing, so that a difference can hardly be seen.
#pragma once

#include "lanes/data/image_file.hpp"
#include "lanes/tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace lanes {

struct CropBox {
    std::size_t top = 0;
    std::size_t left = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;
};

class Picture {
public:
    Picture(ColorImage pixels);  // (rows, columns, 3)
    Picture(Tensor tensor);      // (channels, rows, columns)

    // Reads the bytes and decodes the size. Throws Error with the path if the file is missing, is
    // neither PNG nor JPEG, or has more than max_pixels; damage further on is found by decoding.
    static Picture from_file(const std::string& path);
    static void check_file(const std::string& path);  // the same errors, from the header alone
    static constexpr std::size_t max_pixels = 100'000'000;

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    bool is_tensor() const { return tensor_.defined(); }

    // Throws Error if the picture is a tensor already.
    const ColorImage& pixels();
    ColorImage take_pixels();  // moves them out
    // Throws Error if it is none yet.
    const Tensor& tensor() const;

    // Throws Error if the box is not inside the picture.
    Picture crop(const CropBox& box);
    // Bilinear with antialiasing. Differs from crop and resize of Pillow by at most 1/255 for
    // pixels that are decoded at full size.
    Picture crop_and_resize(const CropBox& box, std::size_t rows, std::size_t columns);

private:
    Picture() = default;
    void require_pixels(const char* operation) const;
    void require_inside(const CropBox& box, const char* operation) const;

    std::string path_;
    std::string bytes_;  // of the file; empty once it is decoded
    ColorImage pixels_;
    Tensor tensor_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
};

}  // namespace lanes
