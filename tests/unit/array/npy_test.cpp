#include "lanes/array/npy.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/rng.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using lanes::Matrix;

class Npy : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "lanes-npy-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    std::string write(const std::string& bytes) const {
        std::ofstream(path("file.npy"), std::ios::binary) << bytes;
        return path("file.npy");
    }

    std::string read(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    void expect_error(const std::string& bytes, const std::string& words) const {
        try {
            lanes::read_npy<Matrix>(write(bytes));
            ADD_FAILURE() << "read, instead of: " << words;
        } catch (const lanes::Error& error) {
            const std::string text = error.what();
            EXPECT_NE(text.find(words), std::string::npos) << text;
            EXPECT_NE(text.find("read_npy: '" + path("file.npy")), std::string::npos) << text;
        }
    }

private:
    std::filesystem::path folder_;
};

// As np.save writes it: the values begin at a multiple of 64 bytes.
std::string file_of(std::string header, const std::string& values) {
    while ((10 + header.size()) % 64 != 63) header += ' ';
    header += '\n';
    return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size() % 256) +
           static_cast<char>(header.size() / 256) + header + values;
}

std::string header_of(const std::string& shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
}

const std::string one_and_two("\0\0\x80\x3f\0\0\0\x40", 8);

TEST_F(Npy, ReadsWhatNumpyWrites) {
    const std::string path = write(file_of(header_of("(1, 2)"), one_and_two));
    EXPECT_EQ(lanes::read_npy<Matrix>(path), (Matrix{{1, 2}}));
    EXPECT_EQ(lanes::read_npy<lanes::Vector>(write(file_of(header_of("(2,)"), one_and_two))),
              (lanes::Vector{1, 2}));
}

TEST_F(Npy, ReadsWhatItWrote) {
    const xt::xtensor<double, 3> array{{{1, 2.5}, {-3, 1e300}}};
    lanes::write_npy(path("array.npy"), array);
    EXPECT_EQ((lanes::read_npy<xt::xtensor<double, 3>>(path("array.npy"))), array);
    EXPECT_EQ(read("array.npy").size(), 128 + 4 * sizeof(double));
    lanes::write_npy(path("empty.npy"), Matrix::from_shape({0, 3}));
    EXPECT_EQ(lanes::read_npy<Matrix>(path("empty.npy")).shape(),
              (std::array<std::size_t, 2>{0, 3}));
    EXPECT_THROW(lanes::write_npy(path("no/such/folder.npy"), array), lanes::Error);
}

TEST_F(Npy, SaysWhatIsWrongWithAFile) {
    EXPECT_THROW(lanes::read_npy<Matrix>(path("absent.npy")), lanes::Error);
    expect_error("hello", "does not begin like an .npy file");
    expect_error(std::string("\x93NUMPY\x01\0\xff\xff{'descr'", 18), "ends within its header");
    expect_error(
        file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", one_and_two),
        "numbers of type '<f8', expected '<f4'");
    expect_error(file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }", one_and_two),
                 "column by column");
    expect_error(file_of(header_of("(2,)"), one_and_two), "the shape (2), expected 2 axes");
    expect_error(file_of(header_of("(two, 1)"), one_and_two),
                 "the shape is (two, 1), expected whole numbers");
    expect_error(file_of("{'descr': '<f4', 'fortran_order': False, }", one_and_two),
                 "no entry 'shape'");
    expect_error(file_of(header_of("(1, 3)"), one_and_two), "a shape of (1, 3) does not match 8");
    expect_error(file_of(header_of("(1, 1)"), one_and_two), "a shape of (1, 1) does not match 8");
    // the product is 0 modulo 2^64
    expect_error(file_of(header_of("(4294967296, 4294967296)"), ""), "does not match 0 bytes");
}

TEST_F(Npy, SurvivesDamagedFiles) {
    const std::string whole = file_of(header_of("(1, 2)"), one_and_two);
    lanes::Rng rng(2026);
    int refused = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string bytes = whole;
        const auto place = static_cast<std::size_t>(rng.integer(0, 127));
        if (round % 3 == 0) bytes.erase(place, 1);
        if (round % 3 == 1) bytes[place] = static_cast<char>(rng.integer(0, 255));
        if (round % 3 == 2) bytes.resize(place);
        try {
            lanes::read_npy<Matrix>(write(bytes));
        } catch (const lanes::Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 600);
}

}  // namespace
