// Reads zip archives: .npz of NumPy and .pth of PyTorch. Format: PKWARE's APPNOTE.
#pragma once

#include "array_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes::nn {

inline constexpr std::uint32_t local_signature = 0x04034b50;
inline constexpr std::uint32_t central_signature = 0x02014b50;
inline constexpr std::uint32_t end_signature = 0x06054b50;
inline constexpr std::uint32_t in_extra_field = 0xffffffff;  // zip64: the number has 64 bits

// CRC-32 of some bytes; before: that of the bytes in front of them, at first 0.
std::uint32_t checksum(std::uint32_t before, const unsigned char* bytes, std::size_t count);

// One file of an archive.
struct ZipEntry {
    std::string name;
    std::size_t method = 0;  // 0: not compressed
    std::uint32_t checksum = 0;
    std::size_t packed = 0;    // bytes in the file
    std::size_t unpacked = 0;  // bytes
    std::size_t position = 0;  // of the local header
};

class Zip {
public:
    Zip(const FileContext& file, const std::vector<unsigned char>& bytes)
        : file_(file), bytes_(bytes), total_(file, bytes.size()) {}

    std::vector<ZipEntry> entries() const;

    // Counted in total(): many names may stand for the same bytes of the file.
    std::vector<unsigned char> contents(const ZipEntry& entry);

    TotalSize& total() { return total_; }

    [[noreturn]] void damaged(const std::string& name, const std::string& what) const;

private:
    // Least significant byte first.
    std::size_t number(std::size_t at, std::size_t count) const;
    std::string text(std::size_t at, std::size_t count) const;
    std::size_t find_end() const;  // the last record, in front of a comment of any length
    void read_long_numbers(ZipEntry& entry, std::size_t at, std::size_t count) const;
    std::vector<unsigned char> inflated(const ZipEntry& entry, const unsigned char* from) const;

    const FileContext& file_;
    const std::vector<unsigned char>& bytes_;
    TotalSize total_;
};

}  // namespace lanes::nn
