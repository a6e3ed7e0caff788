// xtensor can read .npy files too, but it trusts the header: a damaged shape makes it allocate any
// amount of memory.
#include "lanes/array/npy.hpp"

#include "npy_header.hpp"

#include "lanes/base/error.hpp"

#include <xtensor/xnpy.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

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
    std::string bytes(fs::file_size(path, failed), '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    LANES_REQUIRE(file, "read_npy: '", path, "' cannot be read to its end. Try again.");

    const NpyHeader header = parse_npy_header(bytes, "read_npy: '" + path + "'");
    const std::string expected_type = xt::detail::build_typestring<T>();
    LANES_REQUIRE(header.type == expected_type, "read_npy: '", path, "' holds numbers of type '",
                  header.type, "', expected '", expected_type,
                  "'. Convert them with x.astype in NumPy.");
    LANES_REQUIRE(!header.column_major, "read_npy: '", path,
                  "' is stored column by column. Save np.ascontiguousarray(x).");
    LANES_REQUIRE(header.shape.size() == shape.size(), "read_npy: '", path, "' has the shape ",
                  header.shape, ", expected ", shape.size(), " axes. Is it the right file?");

    const std::size_t available = bytes.size() - header.bytes;
    LANES_REQUIRE(bytes_needed(header.shape, sizeof(T), available) == available, "read_npy: '",
                  path, "': a shape of ", header.shape, " does not match ", available,
                  " bytes of values. The file was cut off or damaged: get it again.");
    std::copy(header.shape.begin(), header.shape.end(), shape.begin());
    Array array(shape);
    if (available > 0) std::memcpy(array.data(), bytes.data() + header.bytes, available);
    return array;
}

template <class Array>
void write_npy(const std::string& path, const Array& array) {
    std::ofstream file(path, std::ios::binary);
    file << xt::dump_npy(array) << std::flush;
    LANES_REQUIRE(file.good(), "write_npy: '", path,
                  "' cannot be written. Check the folder and the space on the disk.");
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
