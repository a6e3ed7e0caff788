#include "lanes/data/idx.hpp"

#include "byte_source.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace lanes {

namespace {

using data::ByteSource;

constexpr std::size_t most_axes = 4;

enum class Type : unsigned char { byte = 8, single = 13 };  // as the third byte of a file says

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

std::size_t number_of_axes(ByteSource& source, Type type) {
    std::array<unsigned char, 4> magic{};
    read_all(source, magic.data(), magic.size(), "header");
    for (const std::size_t byte : {0, 1})
        LANES_REQUIRE(magic[byte] == 0, "read_idx: ", source.where(byte), ": ", int{magic[byte]},
                      ", an IDX file begins with two zeros. This is another kind of file, or its "
                      "beginning is damaged.");
    LANES_REQUIRE(
        magic[2] == static_cast<unsigned char>(type), "read_idx: ", source.where(2),
        ": values of type ", int{magic[2]},
        type == Type::byte
            ? ", only 8 (unsigned bytes) can be read. Take the original files, or convert them."
            : ", matrices are of type 13 (floats). Take the original files, or use read_idx.");
    LANES_REQUIRE(magic[3] >= 1 && magic[3] <= most_axes, "read_idx: ", source.where(3), ": ",
                  int{magic[3]}, " axes, 1 to ", most_axes,
                  " can be read. Labels have 1, images have 3: the beginning is damaged, get the "
                  "file again.");
    return magic[3];
}

// The values as the bytes that they are in the file.
IdxArray read_values(const std::string& path, Type type) {
    ByteSource source(path);
    IdxArray array;
    const std::size_t axes = number_of_axes(source, type);
    std::size_t count = type == Type::single ? sizeof(float) : 1;  // of bytes
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::size_t length = length_of_axis(source);
        array.shape.push_back(length);
        // at each axis, so that the product never grows beyond what the file can hold, and cannot
        // overflow
        LANES_REQUIRE(length == 0 || count <= source.most_bytes() / length,
                      "read_idx: ", source.where(source.position() - 4), ": a shape of ",
                      array.shape, " needs more bytes than this file can hold (",
                      source.most_bytes(),
                      "). The header is damaged or the file was cut off: get it again.");
        count *= length;
    }
    // piece by piece: a packed file of zeros may promise a thousand times what it holds
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

float float_of(const unsigned char* bytes) {
    const std::uint32_t bits = std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
                               std::uint32_t{bytes[2]} << 8 | bytes[3];
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace

IdxArray read_idx(const std::string& path) { return read_values(path, Type::byte); }

std::vector<Matrix> read_matrices(const std::string& path) {
    const IdxArray array =
        read_values(std::filesystem::exists(path) ? path : path + ".gz", Type::single);
    LANES_REQUIRE(array.shape.size() == 3, "read_matrices: ", path, ": a shape of ", array.shape,
                  ", expected (count, rows, columns). Is it the right file?");
    std::vector<Matrix> matrices;
    if (array.values.empty())
        return matrices;  // a damaged header may promise billions of empty ones
    const unsigned char* from = array.values.data();
    for (std::size_t i = 0; i < array.shape[0]; ++i) {
        matrices.push_back(Matrix::from_shape({array.shape[1], array.shape[2]}));
        for (float& value : matrices.back()) {
            value = float_of(from);
            from += sizeof(float);
        }
    }
    return matrices;
}

}  // namespace lanes
