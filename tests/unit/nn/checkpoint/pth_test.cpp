#include "data/files.hpp"
#include "error_of.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "nn/checkpoint/pickle.hpp"
#include "nn/checkpoint/zip.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

#include "torch_save.inc"

using lanes::NamedTensors;
using lanes_test::error_of;

NamedTensors load(const std::vector<unsigned char>& bytes) {
    const files::Folder folder;
    return lanes::load_tensors(folder.write("weights.pth", bytes));
}

void expect_weights(const NamedTensors& tensors) {
    ASSERT_EQ(tensors.size(), 4u);
    EXPECT_EQ(tensors[0].first, "fc.weight");
    EXPECT_EQ(tensors[0].second.shape(), (lanes::Shape{2, 3}));
    EXPECT_EQ(tensors[0].second.to_vector(), (std::vector<float>{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(tensors[1].second.to_vector(), (std::vector<float>{0, 2, 4, 1, 3, 5}));
    EXPECT_EQ(tensors[2].second.to_vector<int>(), std::vector<int>{-5});
    EXPECT_EQ(tensors[2].second.rank(), 0u);
    EXPECT_EQ(tensors[3].second.to_vector(), (std::vector<float>{0.5f, -2}));
}

TEST(Pth, reads_what_torch_save_writes) {
    expect_weights(load(weights));
    expect_weights(load(inside));  // a checkpoint with the weights in it
}

TEST(Pth, a_function_in_the_file_is_named_and_not_called) {
    const std::string error = error_of([] { load(command); });
    EXPECT_NE(error.find("asks for the Python object posix.system"), std::string::npos) << error;
    EXPECT_FALSE(std::filesystem::exists("executed"));
}

TEST(Pth, elements_outside_of_their_storage_are_refused) {
    const std::string error = error_of([] { load(outside); });
    EXPECT_NE(error.find("its elements are outside its storage"), std::string::npos) << error;
}

TEST(Pth, a_small_file_does_not_fill_the_memory) {
    const std::string error = error_of([] { load(repeated); });
    EXPECT_NE(error.find("of this size may hold"), std::string::npos) << error;
}

// All that is decompressed counts for the limit: once per tensor would be 320 MiB.
TEST(Pth, a_storage_of_many_tensors_is_decompressed_once) { EXPECT_EQ(load(flat).size(), 80u); }

TEST(Pth, other_files_are_refused_with_their_name) {
    EXPECT_NE(error_of([] { load({1, 2, 3}); }).find("weights.pth"), std::string::npos);
    EXPECT_NE(error_of([] { load({}); }).find("weights.pth"), std::string::npos);
    const std::vector<unsigned char> half(weights.begin(),
                                          weights.begin() + static_cast<long>(weights.size() / 2));
    EXPECT_NE(error_of([&] { load(half); }), "");
    const files::Folder folder;
    EXPECT_NE(error_of([&] { lanes::save_tensors(folder.path("a.pth"), {}); }), "");
}

// Each byte of the pickle is changed, and each length is tried: an Error or a value, no crash.
TEST(Pth, a_damaged_pickle_does_no_harm) {
    const lanes::nn::FileContext file{"load_tensors", "a.pth"};
    lanes::nn::Zip zip(file, weights);
    const std::vector<unsigned char> good = zip.contents(zip.entries().front());
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const int change : {1, 2, 4, 8, 16, 32, 64, 128}) {
            std::vector<unsigned char> bad = good;
            bad[i] = static_cast<unsigned char>(bad[i] ^ change);
            error_of([&] { lanes::nn::Unpickler(file, bad).run(); });
        }
        const std::vector<unsigned char> cut(good.begin(), good.begin() + static_cast<long>(i));
        EXPECT_NE(error_of([&] { lanes::nn::Unpickler(file, cut).run(); }), "") << i;
    }
}

}  // namespace
