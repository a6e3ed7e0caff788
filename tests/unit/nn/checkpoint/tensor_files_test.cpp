#include "lanes/nn/tensor_files.hpp"

#include "error_of.hpp"
#include "folder.hpp"

#include "lanes/nn/layers.hpp"
#include "lanes/tensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace lanes {

using lanes_test::contents;
using lanes_test::error_of;
using lanes_test::Folder;

namespace {

class TensorFiles : public testing::TestWithParam<std::string> {
protected:
    // The file's path in errors becomes FILE.
    std::string shortened(std::string error, const std::string& path) const {
        const std::size_t at = error.find(path);
        return at == std::string::npos ? error : error.replace(at, path.size(), "FILE");
    }
    Folder folder;
    std::string path = folder.file("tensors" + GetParam());
};

NamedTensors some_tensors() {
    return {{"0.weight", Tensor::of({{1, 2, 3}, {4, 5, 6.5f}})},
            {"labels", Tensor::from(std::vector<int>{3, -1})},
            {"number", Tensor::full({}, 0.5f)},
            {"nothing", Tensor::zeros({0, 4})}};
}

Tensor named(const NamedTensors& tensors, const std::string& name) {
    for (const auto& [known, tensor] : tensors)
        if (known == name) return tensor;
    return {};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Formats, TensorFiles, testing::Values(".npz", ".safetensors"),
                         [](const auto& info) { return info.param.substr(1); });

TEST_P(TensorFiles, TensorsComeBackAsTheyWereSaved) {
    save_tensors(path, some_tensors());
    const NamedTensors read = load_tensors(path);
    ASSERT_EQ(read.size(), 4u);
    EXPECT_EQ(read[0].first, "0.weight");
    EXPECT_EQ(read[0].second.shape(), (Shape{2, 3}));
    EXPECT_EQ(read[0].second.to_vector(), (std::vector<float>{1, 2, 3, 4, 5, 6.5f}));
    EXPECT_EQ(named(read, "labels").to_vector<int>(), (std::vector<int>{3, -1}));
    EXPECT_EQ(named(read, "number").shape(), Shape{});
    EXPECT_EQ(named(read, "number").item(), 0.5f);
    EXPECT_EQ(named(read, "nothing").shape(), (Shape{0, 4}));
}

TEST_P(TensorFiles, WeightsAreSavedFromADeviceAndLoadedOnAnother) {
    manual_seed(1);
    Sequential model{Conv2d(1, 2, 3), BatchNorm2d(2)};
    model.to("simulator");
    save_weights(path, model);
    Sequential other{Conv2d(1, 2, 3), BatchNorm2d(2)};
    other.buffer("1.running_var").fill_(9);
    load_weights(path, other);
    EXPECT_EQ(other.parameter("0.weight").to_vector(),
              model.parameter("0.weight").detach().cpu().to_vector());
    EXPECT_EQ(other.buffer("1.running_var").to_vector(), (std::vector<float>{1, 1}));
}

TEST_P(TensorFiles, WeightsThatDoNotFitAreAnErrorWithThePathAndBothShapes) {
    Sequential model{Linear(2, 3)};
    save_weights(path, model);
    Sequential wider{Linear(4, 3)};
    EXPECT_EQ(shortened(error_of([&] { load_weights(path, wider); }), path),
              "load_weights: 'FILE': \"0.weight\" has the shape (3, 2), the module's (3, 4). Build "
              "the module with the extents that were saved.");
    Sequential longer{Linear(2, 3), Linear(3, 1)};
    EXPECT_EQ(
        shortened(error_of([&] { load_weights(path, longer); }), path),
        "load_weights: 'FILE': the tensor \"1.weight\" of shape (1, 3) is missing. Given are: "
        "0.weight, 0.bias.");
    Sequential without{Linear(2, 3, false)};
    EXPECT_EQ(shortened(error_of([&] { load_weights(path, without); }), path),
              "load_weights: 'FILE': \"0.bias\" of shape (3) belongs to no part of the module. It "
              "has: 0.weight.");
}

TEST_P(TensorFiles, AFileThatWasCutOffAnywhereIsAnErrorWithItsPath) {
    save_tensors(path, some_tensors());
    const std::string whole = contents(path);
    for (std::size_t length = 0; length < whole.size(); length += 7) {
        lanes_test::write(path, whole.substr(0, length));
        const std::string error = error_of([&] { load_tensors(path); });
        EXPECT_TRUE(contains(error, path)) << length << ": " << error;
    }
}

TEST_P(TensorFiles, AChangedByteMakesAnErrorOrTensorsButNoCrash) {
    save_tensors(path, some_tensors());
    const std::string whole = contents(path);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ (i % 2 == 0 ? 1 : 0xff));
        lanes_test::write(path, damaged);
        error_of([&] { load_tensors(path); });  // any other exception fails
    }
}

TEST_P(TensorFiles, AFileThatCannotBeWrittenLeavesTheOldOne) {
    save_tensors(path, some_tensors());
    const std::string before = contents(path);
    const Tensor tensor = Tensor::ones({1});
    EXPECT_TRUE(
        contains(error_of([&] { save_tensors(path, {{"same", tensor}, {"same", tensor}}); }),
                 "two tensors are named \"same\""));
    EXPECT_EQ(contents(path), before);
    const std::string missing = folder.file("missing/x" + GetParam());
    EXPECT_TRUE(contains(error_of([&] { save_tensors(missing, {}); }), "cannot be written"));
    const auto files = std::filesystem::directory_iterator(folder.path());
    EXPECT_EQ(std::distance(files, std::filesystem::directory_iterator()), 1);
}

TEST(TensorFile, AnotherEndingOrAMissingFileIsAnError) {
    EXPECT_EQ(error_of([] { load_tensors("weights.txt"); }),
              "load_tensors: 'weights.txt' ends with neither .npz nor .safetensors. Choose one of "
              "the two.");
    EXPECT_EQ(error_of([] { load_tensors("missing.npz"); }),
              "load_tensors: 'missing.npz' is not a file. Check the path.");
}

TEST(TensorFile, ASafetensorsTensorThatLacksBytesIsNamedWithItsShape) {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    std::string header = R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";
    header.resize(64, ' ');
    lanes_test::write(path, std::string("\x40\0\0\0\0\0\0\0", 8) + header + std::string(20, 'x'));
    const std::string error = error_of([&] { load_tensors(path); });
    EXPECT_TRUE(contains(error, "tensor \"w\": of shape (2, 3): the file was cut off")) << error;
}

// A header of .safetensors, and so many bytes of values.
std::string safetensors(std::string header, std::size_t values) {
    header.resize(256, ' ');
    return std::string("\0\1\0\0\0\0\0\0", 8) + header + std::string(values, '\0');
}

// Otherwise a file of a megabyte could fill the memory.
TEST(TensorFile, SafetensorsTensorsThatOverlapAreRefused) {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    lanes_test::write(path, safetensors(R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},)"
                                        R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},)"
                                        R"("c":{"dtype":"F32","shape":[0],"data_offsets":[8,8]}})",
                                        16));
    const std::string error = error_of([&] { load_tensors(path); });
    EXPECT_TRUE(contains(error, "tensor \"b\": its values are also those of \"a\"")) << error;
    lanes_test::write(path,
                      safetensors(R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},)"
                                  R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                  R"("none":{"dtype":"F32","shape":[0],"data_offsets":[8,8]}})",
                                  16));
    EXPECT_EQ(load_tensors(path).size(), 3u);
}

// The list at the end of the archive names one array 400 times: 400 MiB from a file of 1 MiB.
TEST(TensorFile, AnArchiveThatIsLargerThanItsFileAllowsIsRefused) {
    const Folder folder;
    const std::string path = folder.file("x.npz");
    save_tensors(path, {{"x", Tensor::zeros({512, 512})}});
    const std::string file = contents(path);
    const std::size_t list = file.rfind("PK\1\2");
    const std::size_t end = file.rfind("PK\5\6");
    constexpr std::size_t copies = 400;
    std::string large = file.substr(0, list);
    for (std::size_t i = 0; i < copies; ++i) large += file.substr(list, end - list);
    std::string last = file.substr(end);
    for (const std::size_t count_at : {8, 10}) {
        last[count_at] = static_cast<char>(copies & 0xff);
        last[count_at + 1] = static_cast<char>(copies >> 8);
    }
    lanes_test::write(path, large + last);
    const std::string error = error_of([&] { load_tensors(path); });
    EXPECT_TRUE(contains(error, path)) << error;
    EXPECT_TRUE(contains(error, "of this size may hold")) << error;
}

#ifdef LANES_PYTHON

namespace {

int python(const char* action, const Folder& folder) {
    const std::string command =
        std::string(LANES_PYTHON " " LANES_PYTHON_FILES " ") + action + " " + folder.path();
    return std::system(command.c_str());
}

class PythonFiles : public testing::TestWithParam<std::string> {};

}  // namespace

INSTANTIATE_TEST_SUITE_P(Files, PythonFiles,
                         testing::Values("numpy.npz", "compressed.npz", "safetensors.safetensors"),
                         [](const auto& info) {
                             return info.param.substr(0, info.param.find('.'));
                         });

TEST_P(PythonFiles, FilesOfPythonAreRead) {
    const Folder folder;
    ASSERT_EQ(python("write", folder), 0);
    const NamedTensors read = load_tensors(folder.file(GetParam()));
    EXPECT_EQ(read.size(), 11u);
    EXPECT_EQ(named(read, "0.weight").to_vector(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(named(read, "columns").shape(), (Shape{2, 3}));
    EXPECT_EQ(named(read, "columns").to_vector(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(named(read, "half").to_vector(),
              (std::vector<float>{1.5f, -0.25f, 0x1p-24f, 65504, INFINITY}));
    EXPECT_EQ(named(read, "wide").to_vector(), (std::vector<float>{0.1f, -3}));
    EXPECT_EQ(named(read, "labels").to_vector<int>(), (std::vector<int>{3, -1, 2147483647}));
    EXPECT_EQ(named(read, "bytes").to_vector<int>(), (std::vector<int>{0, 255}));
    EXPECT_EQ(named(read, "small").to_vector<int>(), (std::vector<int>{-128, 127}));
    EXPECT_EQ(named(read, "flags").to_vector<int>(), (std::vector<int>{1, 0}));
    EXPECT_EQ(named(read, "number").item(), 7);
    EXPECT_EQ(named(read, "nothing").shape(), (Shape{0, 4}));
    EXPECT_EQ(named(read, "zeros").to_vector(), std::vector<float>(10000));
}

TEST(TensorFile, PythonReadsWhatWasWritten) {
    const Folder folder;
    save_tensors(folder.file("lanes.npz"), some_tensors());
    save_tensors(folder.file("lanes.safetensors"), some_tensors());
    EXPECT_EQ(python("read", folder), 0);
}

#endif

}  // namespace lanes
