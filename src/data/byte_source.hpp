// Reads the bytes of a file and decompresses them if it was compressed by gzip. If the library was
// compiled without zlib, it reads plain files only.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lanes::data {

class ByteSource {
public:
    // Throws Error if there is no such file or it cannot be read.
    explicit ByteSource(const std::string& path);
    ~ByteSource();
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    // Reads `count` bytes, or fewer at the end of the file. Throws Error if the compressed data is
    // damaged.
    std::size_t read(unsigned char* to, std::size_t count);

    std::size_t position() const { return position_; }  // of the next byte, after decompression
    std::size_t most_bytes() const;                     // an upper limit, from the file's size
    std::string where(std::size_t byte) const;          // "'x.gz', byte 4 (after decompression)"

private:
    struct File;
    std::string path_;
    std::unique_ptr<File> file_;
    std::size_t position_ = 0;
    std::size_t file_size_ = 0;
    bool compressed_ = false;
};

}  // namespace lanes::data
