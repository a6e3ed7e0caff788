// Arrays as they lie in a file, before they become tensors.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::nn {

struct ElementType {
    const char* numpy;        // "<f4"
    const char* safetensors;  // "F32"; "" if it has none
    std::size_t bytes;
};
extern const ElementType f32;
extern const ElementType f64;
extern const ElementType i32;
extern const ElementType i64;
extern const ElementType u8;
extern const ElementType u64;
const ElementType* type_of_numpy(const std::string& name);  // null if it is not known
const ElementType* type_of_safetensors(const std::string& name);

struct Array {
    std::string name;
    const ElementType* type = &f32;
    std::vector<std::size_t> shape;
    std::vector<unsigned char> bytes;  // least significant byte first, row by row
};

// The name in errors, "load_tensors: 'weights.npz'", then what is wrong.
struct FileContext {
    const char* operation;
    std::string path;
    std::string text() const { return std::string(operation) + ": '" + path + "'"; }
};

// Number of bytes of an array, or more than `most` if it has more.
std::size_t bytes_of(const std::vector<std::size_t>& shape, std::size_t element, std::size_t most);

// Counts the bytes of the arrays of a file, and of what is decompressed for them. A small file must
// not fill the memory: names can repeat an array, and a byte of deflate becomes a thousand.
class TotalSize {
public:
    TotalSize(const FileContext& file, std::size_t file_bytes);
    // Before memory for them is allocated. Throws Error if it is too much.
    void add(const std::string& name, std::size_t bytes);

private:
    const FileContext& file_;
    std::size_t file_bytes_;
    std::size_t left_;
};

std::vector<unsigned char> read_bytes(const FileContext& file);

// npz.cpp
std::vector<Array> parse_npz(const FileContext& file, const std::vector<unsigned char>& bytes);
std::vector<std::string> npz_headers(const FileContext& file, const std::vector<Array>& arrays);

// safetensors.cpp
std::vector<Array> parse_safetensors(const FileContext& file,
                                     const std::vector<unsigned char>& bytes);
std::string safetensors_header(const std::vector<Array>& arrays);

// pth.cpp: reads what torch.save has written, and executes nothing of it
std::vector<Array> parse_pth(const FileContext& file, const std::vector<unsigned char>& bytes);

// By the end of the path.
std::vector<Array> read_arrays(const FileContext& file);
void write_arrays(const FileContext& file, const std::vector<Array>& arrays);

}  // namespace lanes::nn
