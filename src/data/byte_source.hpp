// Bytes of a file, unpacked on the way where gzip packed them. A library compiled with
// LANES_STANDALONE stands on nothing but headers: it reads plain files alone.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lanes::data {

class ByteSource {
public:
    // Throws Error where there is no such file, or it cannot be read.
    explicit ByteSource(const std::string& path);
    ~ByteSource();
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    // Up to `count` bytes; fewer only at the end of the file. Throws Error where the packed data is
    // damaged.
    std::size_t read(unsigned char* to, std::size_t count);

    std::size_t position() const { return position_; }  // of the next byte, after unpacking
    std::size_t most_bytes() const;                     // no file of this size can hold more
    std::string where(std::size_t byte) const;          // "data/x.gz: byte 4 (after unpacking)"

private:
    struct File;
    std::string path_;
    std::unique_ptr<File> file_;
    std::size_t position_ = 0;
    std::size_t file_size_ = 0;
    bool packed_ = false;
};

}  // namespace lanes::data
