// Reads back a PNG of ours: eight bits, grey, colour or a palette, rows as they are.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

class Picture {
public:
    explicit Picture(const std::string& file) {
        if (file.substr(0, 8) != "\x89PNG\r\n\x1a\n")
            throw std::runtime_error("no PNG: " + std::to_string(file.size()) + " bytes");
        std::string packed;
        for (std::size_t at = 8; at < file.size(); at += 12 + number(file, at)) {
            const std::string type = file.substr(at + 4, 4),
                              content = file.substr(at + 8, number(file, at));
            const auto sum = crc32(0, reinterpret_cast<const Bytef*>(file.data()) + at + 4,
                                   static_cast<uInt>(4 + content.size()));
            if (sum != number(file, at + 8 + content.size()))
                throw std::runtime_error("wrong sum of " + type);
            if (type == "IHDR")
                width = number(content, 0), height = number(content, 4),
                channels = content[9] == 2 ? 3 : 1;
            if (type == "PLTE") palette_ = content;
            if (type == "IDAT") packed += content;
        }
        uLongf size = height * (width * channels + 1);
        rows_.resize(size);
        if (uncompress(reinterpret_cast<Bytef*>(rows_.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()) != Z_OK ||
            size != rows_.size())
            throw std::runtime_error("the rows cannot be unpacked");
    }

    // "#rrggbb", or "#gg" of a grey picture
    std::string at(std::size_t x, std::size_t y) const {
        std::string bytes = rows_.substr(y * (width * channels + 1) + 1 + x * channels, channels),
                    text = "#";
        if (!palette_.empty()) bytes = palette_.substr(3 * static_cast<unsigned char>(bytes[0]), 3);
        for (const unsigned char byte : bytes) {
            text += "0123456789abcdef"[byte / 16];
            text += "0123456789abcdef"[byte % 16];
        }
        return text;
    }

    bool has_palette() const { return !palette_.empty(); }

    // The first column that is not white, and the last; of a picture in colours.
    std::pair<std::size_t, std::size_t> ink_columns() const {
        std::size_t first = width, last = 0;
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x)
                if (at(x, y) != "#ffffff") first = std::min(first, x), last = std::max(last, x);
        return {first, last};
    }

    std::size_t width = 0, height = 0, channels = 0;

private:
    static std::size_t number(const std::string& text, std::size_t at) {
        std::size_t value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(text.at(at + i));
        return value;
    }

    std::string rows_, palette_;
};
