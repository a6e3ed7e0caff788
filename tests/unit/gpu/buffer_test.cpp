#include "lanes/gpu/buffer.hpp"

#include "devices.hpp"
#include "lanes/array/types.hpp"

#include <xtensor/xview.hpp>

#include <array>
#include <numeric>
#include <vector>

namespace lanes {
namespace {

using BufferOn = OnDevice;
INSTANTIATE_ON_DEVICES(BufferOn);

TEST_P(BufferOn, ContainersGoThereAndBack) {
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), -3);
    const Buffer<int> buffer(device(), values);
    EXPECT_EQ(buffer.size(), 1000U);
    EXPECT_EQ(buffer.download(), values);
    const std::array<double, 3> three{1, 2, 3};
    EXPECT_EQ(Buffer<double>(device(), three).download(), std::vector<double>({1, 2, 3}));
}

TEST_P(BufferOn, ArraysKeepTheirShape) {
    const Matrix matrix{{1, 2, 3}, {4, 5, 6}};
    const Buffer<float> buffer(device(), matrix);
    EXPECT_EQ(buffer.download<Matrix>({2, 3}), matrix);
    Matrix other = xt::zeros<float>({3, 2});
    buffer.download(other);
    EXPECT_EQ(other(2, 1), 6);
}

TEST_P(BufferOn, ExpressionsOfAnyLayoutAreCopiedRowsFirst) {
    using Floats = std::vector<float>;
    const Matrix m{{1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(Buffer<float>(device(), xt::view(m, 1, xt::all())).download(), (Floats{4, 5, 6}));
    EXPECT_EQ(Buffer<float>(device(), xt::view(m, xt::all(), 1)).download(), (Floats{2, 5}));
    EXPECT_EQ(Buffer<float>(device(), m + m).download(), (Floats{2, 4, 6, 8, 10, 12}));
    xt::xtensor<float, 2, xt::layout_type::column_major> columns = m;
    Buffer<float> buffer(device(), columns);
    EXPECT_EQ(buffer.download(), (Floats{1, 2, 3, 4, 5, 6}));
    buffer.upload(xt::view(m, xt::all(), xt::keep(2, 1, 0)));
    EXPECT_EQ(buffer.download(), (Floats{3, 2, 1, 6, 5, 4}));
    buffer.download(columns);
    EXPECT_EQ(columns(0, 1), 2);
    EXPECT_EQ(columns(1, 0), 6);
    Matrix wide = xt::zeros<float>({2, 4});
    auto part = xt::view(wide, xt::all(), xt::range(1, 4));
    buffer.download(part);
    EXPECT_EQ(wide, (Matrix{{0, 3, 2, 1}, {0, 6, 5, 4}}));
}

TEST_P(BufferOn, ZerosUploadsAndCopiesOfTheHandle) {
    Buffer<float> buffer = Buffer<float>::zeros(device(), 5);
    EXPECT_EQ(buffer.download(), std::vector<float>(5, 0));
    const Buffer<float> same = buffer;
    buffer.upload(std::vector<float>{1, 2, 3, 4, 5});
    EXPECT_EQ(same.download()[4], 5);
}

TEST_P(BufferOn, NothingIsASizeToo) {
    Buffer<float> buffer(device(), 0);
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_TRUE(buffer.download().empty());
    buffer.upload(std::vector<float>());
    EXPECT_TRUE(Buffer<float>::zeros(device(), 0).download().empty());
}

TEST_P(BufferOn, SizesThatDoNotFitAreRefused) {
    Buffer<float> buffer(device(), 4);
    EXPECT_EQ(error_of([&] { buffer.upload(std::vector<float>(5)); }),
              "Buffer::upload: 5 elements on the host, 4 in the buffer. Make both the same size.");
    std::vector<float> three(3);
    EXPECT_EQ(
        error_of([&] { buffer.download(three); }),
        "Buffer::download: 3 elements on the host, 4 in the buffer. Make both the same size.");
    EXPECT_NE(error_of([&] { Buffer<float>(device(), -1); }), "");
    EXPECT_NE(error_of([&] {
                  Buffer<float>(device(), std::size_t(-4));
              }).find("more than any memory holds"),
              std::string::npos);
}

TEST_P(BufferOn, LargeCopiesArriveWhole) {
    for (const std::size_t count : {std::size_t{5000}, std::size_t{131072}, std::size_t{1234567}}) {
        std::vector<int> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<int>(i * 7);
        const Buffer<int> buffer(device(), values);
        const Buffer<int> other(device(), std::vector<int>(count, -1));
        EXPECT_EQ(buffer.download(), values);
        EXPECT_EQ(other.download(), std::vector<int>(count, -1));
    }
}

TEST_P(BufferOn, CopiesFromAndToPinnedMemory) {
    PinnedBuffer<float> pinned(device(), 1000);
    EXPECT_EQ(pinned[999], 0);
    for (std::size_t i = 0; i < pinned.size(); ++i) pinned[i] = static_cast<float>(i);
    const Buffer<float> buffer(device(), pinned);
    pinned[3] = -1;
    EXPECT_EQ(buffer.download()[3], 3);
    buffer.download(pinned);
    EXPECT_EQ(pinned[3], 3);
    EXPECT_EQ(pinned[999], 999);
}

}  // namespace
}  // namespace lanes
