#include "byte_source.hpp"

#include "lanes/base/error.hpp"

#if __has_include(<zlib.h>)
#include <zlib.h>
#define LANES_HAS_ZLIB
#endif

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes::data {

namespace {

bool starts_as_gzip(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return file.get() == 0x1f && file.get() == 0x8b;
}

const char* const get_it_again =
    ". Get the file again: `git checkout` brings back those of the checkout.";

}  // namespace

#ifdef LANES_HAS_ZLIB

struct ByteSource::File {
    explicit File(const std::string& path) : handle(gzopen(path.c_str(), "rb")) {}
    ~File() {
        if (handle) gzclose_r(handle);
    }
    bool open() const { return handle != nullptr; }
    std::ptrdiff_t read(unsigned char* to, unsigned count) const {
        return gzread(handle, to, count);
    }
    std::string error() const {
        int code = Z_OK;
        const char* text = gzerror(handle, &code);
        if (code == Z_OK || code == Z_STREAM_END) return "";
        return code == Z_BUF_ERROR ? "the compressed data ends too early"
                                   : std::string("the compressed data is damaged (") +
                                         (text ? text : "no reason given") + ")";
    }

    gzFile handle;
};

#else

struct ByteSource::File {
    explicit File(const std::string& path) : handle(std::fopen(path.c_str(), "rb")) {}
    ~File() {
        if (handle) std::fclose(handle);
    }
    bool open() const { return handle != nullptr; }
    std::ptrdiff_t read(unsigned char* to, unsigned count) const {
        return static_cast<std::ptrdiff_t>(std::fread(to, 1, count, handle));
    }
    std::string error() const { return std::ferror(handle) ? "it cannot be read" : ""; }

    std::FILE* handle;
};

#endif

ByteSource::ByteSource(const std::string& path) : path_(path) {
    std::error_code failed;
    // reading from a pipe or a terminal could wait forever
    LANES_REQUIRE(
        fs::is_regular_file(path, failed), "read_idx: '", path,
        "' is not a file. Check the path, or set LANES_DATA to the folder that holds the data.");
    file_size_ = fs::file_size(path, failed);
    compressed_ = starts_as_gzip(path);
#ifndef LANES_HAS_ZLIB
    LANES_REQUIRE(!compressed_, "read_idx: '", path,
                  "' is compressed, and this library was compiled without zlib. Decompress it: "
                  "gunzip --keep FILE.");
#endif
    file_ = std::make_unique<File>(path);
    LANES_REQUIRE(file_->open(), "read_idx: '", path,
                  "' cannot be opened: ", std::generic_category().message(errno),
                  ". Check who may read it.");
}

ByteSource::~ByteSource() = default;

std::size_t ByteSource::read(unsigned char* to, std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
        const auto step = static_cast<unsigned>(std::min<std::size_t>(count - done, 1U << 20));
        const std::ptrdiff_t got = file_->read(to + done, step);
        if (got > 0) {
            done += static_cast<std::size_t>(got);
            position_ += static_cast<std::size_t>(got);
        }
        if (got < 0 || static_cast<unsigned>(got) < step) {
            const std::string error = file_->error();
            if (!error.empty())
                throw Error("read_idx: " + where(position_) + ": " + error + get_it_again);
            break;
        }
    }
    return done;
}

std::size_t ByteSource::most_bytes() const {
    constexpr std::size_t best_ratio = 1032;  // of deflate: 258 bytes from 2 bits
    return compressed_ ? file_size_ * best_ratio : file_size_;
}

std::string ByteSource::where(std::size_t byte) const {
    return "'" + path_ + "', byte " + std::to_string(byte) +
           (compressed_ ? " (after decompression)" : "");
}

}  // namespace lanes::data
