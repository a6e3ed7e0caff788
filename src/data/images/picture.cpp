#include "lanes/data/picture.hpp"

#include "resize.hpp"

#include "data/image_codec.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

// By how much a JPEG file may be decoded smaller: 1, 2, 4 or 8.
std::size_t decode_reduction(const CropBox& box, std::size_t rows, std::size_t columns) {
    std::size_t reduction = 1;
    while (reduction < 8 && box.rows >= 4 * reduction * rows &&
           box.columns >= 4 * reduction * columns)
        reduction *= 2;
    return reduction;
}

// Of the header in these first bytes of the file.
codec::Size checked_size(const std::string& path, const std::string& bytes) {
    const codec::Size size = codec::size_of(path, bytes);
    LANES_REQUIRE(size.rows <= Picture::max_pixels / size.columns, "Picture: ", path, " has ",
                  size.columns, " x ", size.rows, " pixels. At most ", Picture::max_pixels,
                  " are read: make the picture smaller.");
    return size;
}

}  // namespace

Picture::Picture(ColorImage pixels)
    : pixels_(std::move(pixels)), rows_(pixels_.shape(0)), columns_(pixels_.shape(1)) {
    LANES_REQUIRE(pixels_.shape(2) == 3, "Picture: an image ", pixels_.shape(),
                  ". Its third axis must have 3 entries: red, green, blue.");
}

Picture::Picture(Tensor tensor) : tensor_(std::move(tensor)) {
    LANES_REQUIRE(tensor_.defined() && tensor_.rank() == 3,
                  "Picture: the tensor must have the shape (channels, rows, columns).");
    rows_ = tensor_.shape(1);
    columns_ = tensor_.shape(2);
}

Picture Picture::from_file(const std::string& path) {
    Picture picture;
    picture.path_ = path;
    picture.bytes_ = codec::read_file(path);
    const codec::Size size = checked_size(path, picture.bytes_);
    picture.rows_ = size.rows;
    picture.columns_ = size.columns;
    return picture;
}

void Picture::check_file(const std::string& path) {
    constexpr std::size_t first = 64 << 10;
    const std::string head = codec::read_file(path, first);
    try {
        checked_size(path, head);
    } catch (const Error&) {
        if (head.size() < first) throw;
        checked_size(path, codec::read_file(path));  // a long profile or preview comes first
    }
}

void Picture::require_pixels(const char* operation) const {
    LANES_REQUIRE(!is_tensor(), operation,
                  ": the picture is a tensor already. Use it before ToTensor.");
}

void Picture::require_inside(const CropBox& box, const char* operation) const {
    // by differences: a sum may wrap around, as of a top that was computed as 20 - 22
    LANES_REQUIRE(box.rows > 0 && box.rows <= rows_ && box.top <= rows_ - box.rows &&
                      box.columns > 0 && box.columns <= columns_ &&
                      box.left <= columns_ - box.columns,
                  operation, ": a box of ", box.rows, " x ", box.columns, " pixels at row ",
                  box.top, ", column ", box.left, " of a picture of ", rows_, " x ", columns_,
                  " pixels. The box must be inside the picture.");
}

const ColorImage& Picture::pixels() {
    require_pixels("pixels");
    if (!bytes_.empty()) {
        pixels_ = codec::decode(path_, bytes_);
        bytes_.clear();
    }
    return pixels_;
}

ColorImage Picture::take_pixels() {
    pixels();
    return std::move(pixels_);
}

const Tensor& Picture::tensor() const {
    LANES_REQUIRE(is_tensor(), "Picture: it is no tensor yet. Add ToTensor to the transforms.");
    return tensor_;
}

Picture Picture::crop(const CropBox& box) {
    require_inside(box, "crop");
    const ColorImage& from = pixels();
    ColorImage to(std::array<std::size_t, 3>{box.rows, box.columns, 3});
    for (std::size_t y = 0; y < box.rows; ++y)
        std::copy_n(from.data() + 3 * ((box.top + y) * columns_ + box.left), 3 * box.columns,
                    to.data() + 3 * y * box.columns);
    return to;
}

Picture Picture::crop_and_resize(const CropBox& box, std::size_t rows, std::size_t columns) {
    require_pixels("crop_and_resize");
    require_inside(box, "crop_and_resize");
    const std::size_t reduction = bytes_.empty() ? 1 : decode_reduction(box, rows, columns);
    if (reduction == 1 || !codec::is_jpeg(bytes_)) {
        const data::Part part{static_cast<double>(box.top), static_cast<double>(box.left),
                              static_cast<double>(box.rows), static_cast<double>(box.columns)};
        return data::resize(pixels(), part, rows, columns);
    }
    const ColorImage reduced = codec::decode_jpeg(path_, bytes_, reduction);
    // The last pixel of an axis may cover less than `reduction` pixels of the file.
    const auto factor = static_cast<double>(reduction);
    const data::Part part{
        static_cast<double>(box.top) / factor, static_cast<double>(box.left) / factor,
        static_cast<double>(box.rows) / factor, static_cast<double>(box.columns) / factor};
    return data::resize(reduced, part, rows, columns);
}

}  // namespace lanes
