#include "zip.hpp"

#include "lanes/base/error.hpp"

#if __has_include(<zlib.h>)
#include <zlib.h>
#define LANES_HAS_ZLIB
#endif

#include <algorithm>
#include <limits>
#include <utility>

namespace lanes::nn {

namespace {

constexpr std::size_t local_size = 30;
constexpr std::size_t central_size = 46;
constexpr std::size_t end_size = 22;
constexpr std::size_t deflated = 8;  // a method of compression

}  // namespace

#ifdef LANES_HAS_ZLIB
std::uint32_t checksum(std::uint32_t before, const unsigned char* bytes, std::size_t count) {
    if (count == 0) return before;  // zlib starts again for a null pointer
    return static_cast<std::uint32_t>(crc32_z(before, bytes, count));
}
#else
std::uint32_t checksum(std::uint32_t before, const unsigned char* bytes, std::size_t count) {
    std::uint32_t value = ~before;
    for (std::size_t i = 0; i < count; ++i) {
        value ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320u : 0);
    }
    return ~value;
}
#endif

std::vector<ZipEntry> Zip::entries() const {
    const std::size_t end = find_end();
    const std::size_t count = number(end + 10, 2);
    std::size_t at = number(end + 16, 4);
    LANES_REQUIRE(at != in_extra_field, file_.text(),
                  " is a zip archive of more than 4 GiB. Save the tensors as .safetensors.");
    std::vector<ZipEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        if (number(at, 4) != central_signature) damaged("", "its list of files is broken");
        const std::size_t name = number(at + 28, 2);
        const std::size_t extra = number(at + 30, 2);
        const std::size_t comment = number(at + 32, 2);
        ZipEntry entry;
        entry.name = text(at + central_size, name);
        entry.method = number(at + 10, 2);
        entry.checksum = static_cast<std::uint32_t>(number(at + 16, 4));
        entry.packed = number(at + 20, 4);
        entry.unpacked = number(at + 24, 4);
        entry.position = number(at + 42, 4);
        read_long_numbers(entry, at + central_size + name, extra);
        entries.push_back(std::move(entry));
        at += central_size + name + extra + comment;
    }
    return entries;
}

std::vector<unsigned char> Zip::contents(const ZipEntry& entry) {
    if (number(entry.position, 4) != local_signature)
        damaged(entry.name, "its values are not where the archive says");
    const std::size_t first = entry.position + local_size + number(entry.position + 26, 2) +
                              number(entry.position + 28, 2);
    if (first > bytes_.size() || entry.packed > bytes_.size() - first)
        damaged(entry.name, "the file was cut off within its values");
    total_.add(entry.name, entry.method == 0 ? entry.packed : entry.unpacked);
    const unsigned char* const from = bytes_.data() + first;
    std::vector<unsigned char> result;
    if (entry.method == 0)
        result.assign(from, from + entry.packed);
    else if (entry.method == deflated)
        result = inflated(entry, from);
    else
        throw Error(file_.text(), ", tensor \"", entry.name, "\": it is compressed by method ",
                    entry.method, " of zip. Save it without compression.");
    if (checksum(0, result.data(), result.size()) != entry.checksum)
        damaged(entry.name, "its checksum is wrong");
    return result;
}

void Zip::damaged(const std::string& name, const std::string& what) const {
    throw Error(file_.text(), name.empty() ? "" : ", tensor \"" + name + "\"", ": ", what,
                ". The file is damaged: get it again.");
}

std::size_t Zip::number(std::size_t at, std::size_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at)
        damaged("", "it was cut off, or is no zip archive");
    std::size_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= std::size_t{bytes_[at + i]} << (8 * i);
    return value;
}

std::string Zip::text(std::size_t at, std::size_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at) damaged("", "it was cut off");
    return {bytes_.begin() + static_cast<std::ptrdiff_t>(at),
            bytes_.begin() + static_cast<std::ptrdiff_t>(at + count)};
}

std::size_t Zip::find_end() const {
    constexpr std::size_t longest_comment = 0xffff;
    const std::size_t tail = std::min(bytes_.size(), end_size + longest_comment);
    for (std::size_t back = end_size; back <= tail; ++back)
        if (number(bytes_.size() - back, 4) == end_signature) return bytes_.size() - back;
    damaged("", "it has no list of files at its end: it was cut off, or is no zip archive");
}

void Zip::read_long_numbers(ZipEntry& entry, std::size_t at, std::size_t count) const {
    const std::size_t end = at + count;
    while (at + 4 <= end) {
        const std::size_t kind = number(at, 2);
        const std::size_t length = number(at + 2, 2);
        std::size_t value = at + 4;
        if (kind == 1)
            for (std::size_t* one : {&entry.unpacked, &entry.packed, &entry.position})
                if (*one == in_extra_field && value + 8 <= end) {
                    *one = number(value, 8);
                    value += 8;
                }
        at += 4 + length;
    }
}

std::vector<unsigned char> Zip::inflated(const ZipEntry& entry, const unsigned char* from) const {
#ifdef LANES_HAS_ZLIB
    constexpr std::size_t best_ratio = 1032;  // of deflate: 258 bytes from 2 bits
    if (entry.unpacked / best_ratio > entry.packed) damaged(entry.name, "its size is impossible");
    std::vector<unsigned char> result(entry.unpacked);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) damaged(entry.name, "zlib cannot start");
    stream.next_in = const_cast<unsigned char*>(from);
    stream.next_out = result.data();
    std::size_t in = entry.packed;
    std::size_t out = result.size();
    int status = Z_OK;
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    while (status == Z_OK) {  // zlib counts in 32 bits
        const auto in_now = static_cast<uInt>(std::min(in, most));
        const auto out_now = static_cast<uInt>(std::min(out, most));
        stream.avail_in = in_now;
        stream.avail_out = out_now;
        status = inflate(&stream, Z_NO_FLUSH);
        in -= in_now - stream.avail_in;
        out -= out_now - stream.avail_out;
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END || out != 0) damaged(entry.name, "it cannot be decompressed");
    return result;
#else
    (void)from;
    throw Error(file_.text(), ", tensor \"", entry.name,
                "\": it is compressed, and this library was compiled without zlib. Save it without "
                "compression.");
#endif
}

}  // namespace lanes::nn
