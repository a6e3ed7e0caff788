#include "array_file.hpp"

#include "base/text.hpp"
#include "lanes/base/error.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes::nn {

const ElementType f32{"<f4", "F32", 4};
const ElementType f64{"<f8", "F64", 8};
const ElementType i32{"<i4", "I32", 4};
const ElementType i64{"<i8", "I64", 8};
const ElementType u8{"|u1", "U8", 1};
const ElementType u64{"<u8", "U64", 8};

namespace {

const ElementType f16{"<f2", "F16", 2};
const ElementType bf16{"", "BF16", 2};
const ElementType i16{"<i2", "I16", 2};
const ElementType u16{"<u2", "U16", 2};
const ElementType u32{"<u4", "U32", 4};
const ElementType i8{"|i1", "I8", 1};
const ElementType boolean{"|b1", "BOOL", 1};

constexpr const ElementType* types[] = {&f32,  &f64, &i32, &i64, &u8, &u64,    &f16,
                                        &bf16, &i16, &u16, &u32, &i8, &boolean};

enum class Format { npz, safetensors };

Format format_of(const FileContext& file) {
    if (ends_with(file.path, ".npz")) return Format::npz;
    LANES_REQUIRE(ends_with(file.path, ".safetensors"), file.text(),
                  " ends with neither .npz nor .safetensors. Choose one of the two.");
    return Format::safetensors;
}

// A file beside the path that takes its place when it is complete.
class NewFile {
public:
    explicit NewFile(const FileContext& file)
        : file_(file),
          temporary_(file.path + ".part" + std::to_string(getpid())),
          handle_(std::fopen(temporary_.c_str(), "wb")) {
        if (handle_ == nullptr) fail("cannot be written");
    }
    ~NewFile() {
        if (handle_ != nullptr) std::fclose(handle_);
        std::error_code ignored;
        if (!complete_) fs::remove(temporary_, ignored);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(const void* bytes, std::size_t count) {
        if (count > 0 && std::fwrite(bytes, 1, count, handle_) != count) fail("cannot be written");
    }

    void finish() {
        const bool on_disk = std::fflush(handle_) == 0 && fsync(fileno(handle_)) == 0;
        if (!on_disk) fail("cannot be written");
        std::FILE* const handle = handle_;
        handle_ = nullptr;
        if (std::fclose(handle) != 0) fail("cannot be written");
        if (std::rename(temporary_.c_str(), file_.path.c_str()) != 0) fail("cannot be replaced");
        complete_ = true;
    }

private:
    [[noreturn]] void fail(const char* what) const {
        throw Error(file_.text(), " ", what, ": ", std::generic_category().message(errno),
                    ". Check that the folder exists and has space.");
    }

    const FileContext& file_;
    std::string temporary_;
    std::FILE* handle_;
    bool complete_ = false;
};

}  // namespace

const ElementType* type_of_numpy(const std::string& name) {
    const auto* const found = std::find_if(std::begin(types), std::end(types), [&](const auto* t) {
        return !name.empty() && name == t->numpy;
    });
    return found == std::end(types) ? nullptr : *found;
}

const ElementType* type_of_safetensors(const std::string& name) {
    const auto* const found = std::find_if(std::begin(types), std::end(types),
                                           [&](const auto* t) { return name == t->safetensors; });
    return found == std::end(types) ? nullptr : *found;
}

std::size_t bytes_of(const std::vector<std::size_t>& shape, std::size_t element, std::size_t most) {
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    std::size_t bytes = element;
    for (const std::size_t extent : shape) {
        if (bytes > most / extent) return most + 1;
        bytes *= extent;
    }
    return bytes;
}

TotalSize::TotalSize(const FileContext& file, std::size_t file_bytes)
    : file_(file),
      file_bytes_(file_bytes),
      left_(std::max<std::size_t>(std::size_t{256} << 20, 8 * file_bytes)) {}

void TotalSize::add(const std::string& name, std::size_t bytes) {
    LANES_REQUIRE(bytes <= left_, file_.text(), ", tensor \"", name, "\" has ", bytes,
                  " bytes. With those before it, that is more than a file of this size may hold (",
                  file_bytes_,
                  " bytes; allowed are 8 times as many, and always 256 MiB). If you "
                  "trust the file, save it again without compression.");
    left_ -= bytes;
}

std::vector<unsigned char> read_bytes(const FileContext& file) {
    std::error_code failed;
    LANES_REQUIRE(fs::is_regular_file(file.path, failed), file.text(),
                  " is not a file. Check the path.");
    std::ifstream in(file.path, std::ios::binary);
    LANES_REQUIRE(in, file.text(), " cannot be opened. Check who may read it.");
    std::vector<unsigned char> bytes(fs::file_size(file.path, failed));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    LANES_REQUIRE(in || bytes.empty(), file.text(), " cannot be read to its end. Try again.");
    return bytes;
}

std::vector<Array> read_arrays(const FileContext& file) {
    if (ends_with(file.path, ".pth") || ends_with(file.path, ".pt"))
        return parse_pth(file, read_bytes(file));
    const Format format = format_of(file);
    const std::vector<unsigned char> bytes = read_bytes(file);
    return format == Format::npz ? parse_npz(file, bytes) : parse_safetensors(file, bytes);
}

void write_arrays(const FileContext& file, const std::vector<Array>& arrays) {
    const Format format = format_of(file);
    for (std::size_t i = 0; i < arrays.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            LANES_REQUIRE(arrays[i].name != arrays[j].name, file.text(),
                          ": two tensors are named \"", arrays[i].name,
                          "\". Give each its own name.");
    // npz: the header of each array, and the trailer
    const std::vector<std::string> pieces = format == Format::npz
                                                ? npz_headers(file, arrays)
                                                : std::vector<std::string>(arrays.size() + 1);
    NewFile out(file);
    if (format == Format::safetensors) {
        const std::string header = safetensors_header(arrays);
        out.write(header.data(), header.size());
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        out.write(pieces[i].data(), pieces[i].size());
        out.write(arrays[i].bytes.data(), arrays[i].bytes.size());
    }
    out.write(pieces.back().data(), pieces.back().size());
    out.finish();
}

}  // namespace lanes::nn
