#include "lanes/data/idx.hpp"

#include "byte_source.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

using data::ByteSource;

constexpr std::size_t most_axes = 4;

constexpr unsigned char unsigned_byte = 8;  // the type of the values, third byte of a file

void read_all(ByteSource& source, unsigned char* to, std::size_t count, const char* part) {
    const std::size_t begin = source.position(), got = source.read(to, count);
    LANES_REQUIRE(got == count, "read_idx: ", source.where(source.position()),
                  ": the file ends here, but its ", part, " goes on to byte ", begin + count,
                  ". It was cut off: get it again.");
}

std::size_t length_of_axis(ByteSource& source) {
    std::array<unsigned char, 4> bytes{};
    read_all(source, bytes.data(), bytes.size(), "header");
    return std::size_t{bytes[0]} << 24 | std::size_t{bytes[1]} << 16 | std::size_t{bytes[2]} << 8 |
           bytes[3];
}

std::size_t number_of_axes(ByteSource& source) {
    std::array<unsigned char, 4> magic{};
    read_all(source, magic.data(), magic.size(), "header");
    for (const std::size_t byte : {0, 1})
        LANES_REQUIRE(magic[byte] == 0, "read_idx: ", source.where(byte), ": ", int{magic[byte]},
                      ", an IDX file begins with two zeros. This is another kind of file, or its "
                      "beginning is damaged.");
    LANES_REQUIRE(
        magic[2] == unsigned_byte, "read_idx: ", source.where(2), ": values of type ",
        int{magic[2]},
        ", only 8 (unsigned bytes) can be read. Take the original files, or convert them.");
    LANES_REQUIRE(magic[3] >= 1 && magic[3] <= most_axes, "read_idx: ", source.where(3), ": ",
                  int{magic[3]}, " axes, 1 to ", most_axes,
                  " can be read. Labels have 1, images have 3: the beginning is damaged, get the "
                  "file again.");
    return magic[3];
}

}  // namespace

IdxArray read_idx(const std::string& path) {
    ByteSource source(path);
    IdxArray array;
    const std::size_t axes = number_of_axes(source);
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::size_t length = length_of_axis(source);
        array.shape.push_back(length);
        // checked for each axis: the product never exceeds what the file can hold, so it cannot
        // overflow
        LANES_REQUIRE(length == 0 || count <= source.most_bytes() / length,
                      "read_idx: ", source.where(source.position() - 4), ": a shape of ",
                      array.shape, " needs more bytes than this file can hold (",
                      source.most_bytes(),
                      "). The header is damaged or the file was cut off: get it again.");
        count *= length;
    }
    // piece by piece: a damaged header of a compressed file may ask for a thousand times its size
    constexpr std::size_t piece = std::size_t{1} << 24;
    while (array.values.size() < count) {
        const std::size_t begin = array.values.size(), next = std::min(count, begin + piece);
        array.values.resize(next);
        const std::size_t got = source.read(array.values.data() + begin, next - begin);
        LANES_REQUIRE(got == next - begin, "read_idx: ", source.where(source.position()),
                      ": the file ends here, but a shape of ", array.shape, " goes on to byte ",
                      4 + 4 * axes + count, ". It was cut off: get it again.");
    }
    unsigned char more = 0;
    const std::size_t end = source.position();
    LANES_REQUIRE(source.read(&more, 1) == 0, "read_idx: ", source.where(end),
                  ": the file goes on, but a shape of ", array.shape,
                  " ends here. The header is damaged, or two files were joined: get it again.");
    return array;
}

}  // namespace lanes
