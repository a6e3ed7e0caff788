// Small IDX files for the tests of this module, in a folder that its destructor removes.
#pragma once

#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace files {

using Bytes = std::vector<unsigned char>;

class Folder {
public:
    Folder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "lanes-data-XXXXXX").string();
        if (!mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp failed");
        path_ = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const std::string& name = "") const { return (path_ / name).string(); }
    std::string write(const std::string& name, const Bytes& bytes) const {
        std::ofstream(path(name), std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return path(name);
    }
    std::string write_packed(const std::string& name, const Bytes& bytes) const {
        gzFile file = gzopen(path(name).c_str(), "wb9");
        if (gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())) !=
            static_cast<int>(bytes.size()))
            throw std::runtime_error("gzwrite failed");
        gzclose(file);
        return path(name);
    }

private:
    std::filesystem::path path_;
};

inline Bytes read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

inline Bytes idx(const std::vector<unsigned>& shape, const Bytes& values) {
    Bytes bytes{0, 0, 8, static_cast<unsigned char>(shape.size())};
    for (const unsigned length : shape)
        for (const int shift : {24, 16, 8, 0})
            bytes.push_back(static_cast<unsigned char>(length >> shift));
    bytes.insert(bytes.end(), values.begin(), values.end());
    return bytes;
}

inline Bytes some_values(std::size_t count) {
    Bytes values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<unsigned char>(i * 37 % 256);
    return values;
}

}  // namespace files
