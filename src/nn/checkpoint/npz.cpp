// An .npz file is a zip archive with one .npy file per array. It is written without compression;
// numpy.savez_compressed's files are read as well. Formats: PKWARE's APPNOTE, and numpy.lib.format.
#include "array_file.hpp"
#include "zip.hpp"

#include "array/npy_header.hpp"
#include "base/text.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstdint>

namespace lanes::nn {

namespace {

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

Array parse_npy(const FileContext& file, const Zip& zip, const std::string& name,
                const std::vector<unsigned char>& bytes) {
    const NpyHeader header =
        parse_npy_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                         file.text() + ", tensor \"" + name + "\"");
    Array array;
    array.name = name;
    array.type = type_of_numpy(header.type);
    LANES_REQUIRE(array.type != nullptr, file.text(), ", tensor \"", name, "\": its type is '",
                  header.type, "', which is not supported. Convert it by astype(numpy.float32).");
    array.shape = header.shape;
    const std::size_t available = bytes.size() - header.bytes;
    if (bytes_of(array.shape, array.type->bytes, available) != available)
        zip.damaged(name, "it has " + std::to_string(available) +
                              " bytes of values for a shape of " +
                              detail::Part(array.shape).text());
    array.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(header.bytes), bytes.end());
    if (header.column_major) array.bytes = row_major(array.bytes, array.shape, array.type->bytes);
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

std::vector<Array> parse_npz(const FileContext& file, const std::vector<unsigned char>& bytes) {
    Zip zip(file, bytes);
    std::vector<Array> arrays;
    for (const ZipEntry& entry : zip.entries()) {
        std::string name = entry.name;
        const std::string end = ".npy";
        if (ends_with(name, end)) name.resize(name.size() - end.size());
        ZipEntry named = entry;
        named.name = name;  // for errors
        arrays.push_back(parse_npy(file, zip, name, zip.contents(named)));
    }
    return arrays;
}

std::vector<std::string> npz_headers(const FileContext& file, const std::vector<Array>& arrays) {
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
