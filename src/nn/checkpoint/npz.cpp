// An .npz file is a zip archive with one .npy file per array. It is written without compression;
// numpy.savez_compressed's files are read as well. Formats: PKWARE's APPNOTE, and numpy.lib.format.
#include "array_file.hpp"
#include "zip.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace lanes::nn {

namespace {

// The text between two marks behind 'name': in the header of an .npy file.
std::string item(const std::string& header, const std::string& name, const std::string& open,
                 char close) {
    const std::string key = "'" + name + "': " + open;
    const std::size_t begin = header.find(key);
    if (begin == std::string::npos) return "";
    const std::size_t end = header.find(close, begin + key.size());
    return end == std::string::npos ? ""
                                    : header.substr(begin + key.size(), end - begin - key.size());
}

// "2, 3" or, for one axis, "2,"
std::vector<std::size_t> extents(const Zip& zip, const std::string& name, const std::string& text) {
    std::vector<std::size_t> shape;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        std::size_t extent = 0;
        const auto [after, error] = std::from_chars(at, end, extent);
        if (error != std::errc()) zip.damaged(name, "its shape is (" + text + ")");
        shape.push_back(extent);
        at = std::find_if(after, end, [](char c) { return c != ',' && c != ' '; });
    }
    return shape;
}

// From the first axis fastest to the last one fastest.
std::vector<unsigned char> row_major(const std::vector<unsigned char>& bytes,
                                     const std::vector<std::size_t>& shape, std::size_t element) {
    std::vector<unsigned char> result(bytes.size());
    const std::size_t count = bytes.size() / element;
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t rest = i;
        std::size_t to = 0;
        std::size_t stride = count;
        for (const std::size_t extent : shape) {
            stride /= extent;
            to += rest % extent * stride;
            rest /= extent;
        }
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i * element), element,
                    result.begin() + static_cast<std::ptrdiff_t>(to * element));
    }
    return result;
}

Array parse_npy(const FileName& file, const Zip& zip, const std::string& name,
                const std::vector<unsigned char>& bytes) {
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (bytes.size() < 12 || !std::equal(std::begin(magic), std::end(magic), bytes.begin()))
        zip.damaged(name, "it does not begin like an .npy file");
    const std::size_t digits = bytes[6] == 1 ? 2 : 4;  // of the header's length, by version
    std::size_t length = 0;
    for (std::size_t i = 0; i < digits; ++i) length |= std::size_t{bytes[8 + i]} << (8 * i);
    const std::size_t first = 8 + digits + length;
    if (first > bytes.size()) zip.damaged(name, "it ends within its header");
    const std::string header(bytes.begin() + static_cast<std::ptrdiff_t>(8 + digits),
                             bytes.begin() + static_cast<std::ptrdiff_t>(first));
    Array array;
    array.name = name;
    const std::string type = item(header, "descr", "'", '\'');
    array.type = type_of_numpy(type);
    LANES_REQUIRE(array.type != nullptr, file.text(), ", tensor \"", name, "\": its type is '",
                  type, "', which is not supported. Convert it by astype(numpy.float32).");
    array.shape = extents(zip, name, item(header, "shape", "(", ')'));
    const std::size_t available = bytes.size() - first;
    if (bytes_of(array.shape, array.type->bytes, available) != available)
        zip.damaged(name, "it has " + std::to_string(available) +
                              " bytes of values for a shape of " +
                              detail::Part(array.shape).text());
    array.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(first), bytes.end());
    if (item(header, "fortran_order", "", ',') == "True")
        array.bytes = row_major(array.bytes, array.shape, array.type->bytes);
    return array;
}

// --- writing

void append(std::string& text, std::size_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
}

std::string npy_header(const Array& array) {
    std::string shape;
    for (const std::size_t extent : array.shape) shape += std::to_string(extent) + ",";
    std::string dictionary = std::string("{'descr': '") + array.type->numpy +
                             "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t in_front = 10;
    const std::size_t whole = (in_front + dictionary.size() + 1 + 63) / 64 * 64;  // aligned values
    dictionary.resize(whole - in_front - 1, ' ');
    std::string header = "\x93NUMPY";
    append(header, 1, 2);  // version 1.0
    append(header, dictionary.size() + 1, 2);
    return header + dictionary + "\n";
}

// What a local header and the list at the end have in common.
std::string fields(std::uint32_t sum, std::size_t bytes, std::size_t name) {
    std::string text;
    append(text, 20, 2);      // version 2.0 is needed
    append(text, 0x0800, 2);  // names are UTF-8
    append(text, 0, 2);       // not compressed
    append(text, 0, 2);       // 00:00
    append(text, 0x21, 2);    // 1980-01-01, as numpy writes: equal tensors make equal files
    append(text, sum, 4);
    append(text, bytes, 4);
    append(text, bytes, 4);
    append(text, name, 2);
    append(text, 0, 2);  // no extra field
    return text;
}

}  // namespace

std::vector<Array> parse_npz(const FileName& file, const std::vector<unsigned char>& bytes) {
    Zip zip(file, bytes);
    std::vector<Array> arrays;
    for (const ZipEntry& entry : zip.entries()) {
        std::string name = entry.name;
        const std::string end = ".npy";
        if (name.size() >= end.size() &&
            name.compare(name.size() - end.size(), end.size(), end) == 0)
            name.resize(name.size() - end.size());
        ZipEntry named = entry;
        named.name = name;  // for errors
        arrays.push_back(parse_npy(file, zip, name, zip.contents(named)));
    }
    return arrays;
}

std::vector<std::string> npz_pieces(const FileName& file, const std::vector<Array>& arrays) {
    std::vector<std::string> pieces;
    std::string list;
    std::size_t position = 0;
    for (const Array& array : arrays) {
        const std::string header = npy_header(array);
        const std::string name = array.name + ".npy";
        std::uint32_t sum =
            checksum(0, reinterpret_cast<const unsigned char*>(header.data()), header.size());
        sum = checksum(sum, array.bytes.data(), array.bytes.size());
        const std::size_t bytes = header.size() + array.bytes.size();
        const std::string common = fields(sum, bytes, name.size());
        std::string piece;
        append(piece, local_signature, 4);
        piece.append(common).append(name).append(header);
        append(list, central_signature, 4);
        append(list, 20, 2);  // made by version 2.0
        list += common;
        append(list, 0, 2);  // no comment
        append(list, 0, 2);  // on disk 0
        append(list, 0, 2);  // internal attributes
        append(list, 0, 4);  // external attributes
        append(list, position, 4);
        list += name;
        position += piece.size() + array.bytes.size();
        LANES_REQUIRE(position + list.size() < in_extra_field && arrays.size() < 0xffff,
                      file.text(), ": ", arrays.size(), " tensors of ", position,
                      " bytes so far are too many for .npz. Save them as .safetensors.");
        pieces.push_back(std::move(piece));
    }
    std::string end;
    append(end, end_signature, 4);
    append(end, 0, 4);  // on one disk
    append(end, arrays.size(), 2);
    append(end, arrays.size(), 2);
    append(end, list.size(), 4);
    append(end, position, 4);
    append(end, 0, 2);  // no comment
    pieces.push_back(list + end);
    return pieces;
}

}  // namespace lanes::nn
