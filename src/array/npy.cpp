// A file is "\x93NUMPY", two bytes for the version, the length of the header (two bytes, least
// significant first), the header as the text of a Python dict, then the values. xtensor can read
// this too, but it trusts the header: a damaged shape makes it allocate any amount of memory.
#include "lanes/array/npy.hpp"

#include "lanes/base/error.hpp"

#include <xtensor/xnpy.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

// The header before the values: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
std::string read_header(std::ifstream& file, const std::string& path) {
    std::array<unsigned char, 10> start{};
    file.read(reinterpret_cast<char*>(start.data()), start.size());
    constexpr std::array<unsigned char, 7> magic{0x93, 'N', 'U', 'M', 'P', 'Y', 1};
    LANES_REQUIRE(file && std::equal(magic.begin(), magic.end(), start.begin()), "read_npy: '",
                  path, "' does not begin like an .npy file (version 1). Save it with np.save.");
    std::string header(start[8] | std::size_t{start[9]} << 8, '\0');
    file.read(header.data(), static_cast<std::streamsize>(header.size()));
    LANES_REQUIRE(file, "read_npy: '", path,
                  "' ends within its header. It was cut off: get it again.");
    return header;
}

// The text between two characters after 'name': in the header.
std::string entry(const std::string& path, const std::string& header, const std::string& name,
                  const char* open, char close) {
    const std::string key = "'" + name + "': " + open;
    const std::size_t begin = header.find(key);
    const std::size_t end =
        begin == std::string::npos ? begin : header.find(close, begin + key.size());
    LANES_REQUIRE(end != std::string::npos, "read_npy: '", path, "': the header has no entry '",
                  name, "' as NumPy writes it. The file is damaged: get it again.");
    return header.substr(begin + key.size(), end - begin - key.size());
}

// "2, 3" or, for one axis, "2,"
std::vector<std::size_t> shape_of(const std::string& path, const std::string& header) {
    const std::string text = entry(path, header, "shape", "(", ')');
    std::vector<std::size_t> shape;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        std::size_t length = 0;
        const auto [after, error] = std::from_chars(at, end, length);
        LANES_REQUIRE(error == std::errc(), "read_npy: '", path, "': the shape is (", text,
                      "), expected whole numbers. The file is damaged: get it again.");
        shape.push_back(length);
        at = std::find_if(after, end, [](char c) { return c != ',' && c != ' '; });
    }
    return shape;
}

// Bytes that the values of this shape need; 1 more than the file has if it cannot hold them.
std::size_t bytes_needed(const std::vector<std::size_t>& shape, std::size_t value_bytes,
                         std::size_t file_bytes) {
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    std::size_t bytes = value_bytes;
    for (const std::size_t length : shape) {
        if (bytes > file_bytes / length) return file_bytes + 1;
        bytes *= length;
    }
    return bytes;
}

}  // namespace

template <class Array>
Array read_npy(const std::string& path) {
    using T = typename Array::value_type;
    typename Array::shape_type shape;
    std::error_code failed;
    LANES_REQUIRE(fs::is_regular_file(path, failed), "read_npy: '", path,
                  "' is not a file. Check the path.");
    std::ifstream file(path, std::ios::binary);
    LANES_REQUIRE(file, "read_npy: '", path, "' cannot be opened. Check who may read it.");
    const std::string header = read_header(file, path);

    const std::string type = entry(path, header, "descr", "'", '\'');
    const std::string expected_type = xt::detail::build_typestring<T>();
    LANES_REQUIRE(type == expected_type, "read_npy: '", path, "' holds numbers of type '", type,
                  "', expected '", expected_type, "'. Convert them with x.astype in NumPy.");
    LANES_REQUIRE(entry(path, header, "fortran_order", "", ',') == "False", "read_npy: '", path,
                  "' is stored column by column. Save np.ascontiguousarray(x).");
    const std::vector<std::size_t> found = shape_of(path, header);
    LANES_REQUIRE(found.size() == shape.size(), "read_npy: '", path, "' has the shape ", found,
                  ", expected ", shape.size(), " axes. Is it the right file?");

    const std::size_t available = fs::file_size(path, failed) - 10 - header.size();
    LANES_REQUIRE(bytes_needed(found, sizeof(T), available) == available, "read_npy: '", path,
                  "': a shape of ", found, " does not match ", available,
                  " bytes of values. The file was cut off or damaged: get it again.");
    std::copy(found.begin(), found.end(), shape.begin());
    Array array(shape);
    file.read(reinterpret_cast<char*>(array.data()), static_cast<std::streamsize>(available));
    LANES_REQUIRE(file, "read_npy: '", path, "' cannot be read to its end. Try again.");
    return array;
}

template <class Array>
void write_npy(const std::string& path, const Array& array) {
    std::ofstream file(path, std::ios::binary);
    file << xt::dump_npy(array) << std::flush;
    LANES_REQUIRE(file.good(), "write_npy: '", path,
                  "' cannot be written. Check the folder and the space on the disk.");
}

std::vector<Matrix> read_matrices(const std::string& path) {
    const auto stack = read_npy<Tensor3>(path);
    std::vector<Matrix> matrices;
    if (stack.size() == 0) return matrices;  // a damaged header may promise billions of empty ones
    const float* from = stack.data();
    for (std::size_t i = 0; i < stack.shape(0); ++i) {
        matrices.push_back(Matrix::from_shape({stack.shape(1), stack.shape(2)}));
        std::copy_n(from + i * matrices[i].size(), matrices[i].size(), matrices[i].data());
    }
    return matrices;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define LANES_NPY(T, axes)                                                            \
    template xt::xtensor<T, axes> read_npy<xt::xtensor<T, axes>>(const std::string&); \
    template void write_npy(const std::string&, const xt::xtensor<T, axes>&);
// NOLINTEND(bugprone-macro-parentheses)
LANES_NPY(float, 1)
LANES_NPY(float, 2)
LANES_NPY(float, 3)
LANES_NPY(float, 4)
LANES_NPY(double, 1)
LANES_NPY(double, 2)
LANES_NPY(double, 3)
LANES_NPY(double, 4)
#undef LANES_NPY

}  // namespace lanes
