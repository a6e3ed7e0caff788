#include "data/loader/batch_layout.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using lanes::Rng;
using lanes::Shape;
using lanes::Tensor;
using lanes::data::BatchLayout;
using lanes::data::BatchWriter;
using lanes_test::error_of;

struct Growing {  // example 3 has another shape than the others
    std::size_t size() const { return 4; }
    std::pair<Tensor, float> get(std::size_t index) const {
        return {Tensor::full({index == 3 ? 3 : 2}, static_cast<float>(index)), 0.5f};
    }
};

TEST(BatchLayout, DescribesTheExamples) {
    lanes::data::ExamplesOf<Growing> examples{Growing()};
    const BatchLayout layout = lanes::data::layout_of(examples, Rng(1));
    ASSERT_EQ(layout.tensors(), 2u);
    EXPECT_EQ(layout.shapes[0], Shape{2});
    EXPECT_EQ(layout.batch_shape(0, 5), (Shape{5, 2}));
    EXPECT_EQ(layout.batch_shape(1, 5), Shape{5});
    EXPECT_EQ(layout.bytes, (std::vector<std::size_t>{8, 4}));
}

TEST(BatchWriter, StacksExamplesAndSaysWhichOneDoesNotFit) {
    lanes::data::ExamplesOf<Growing> examples{Growing()};
    BatchWriter writer(examples, lanes::data::layout_of(examples, Rng(1)));
    std::vector<float> x(4);
    std::vector<float> y(2);
    unsigned char* const to[] = {reinterpret_cast<unsigned char*>(x.data()),
                                 reinterpret_cast<unsigned char*>(y.data())};
    std::vector<std::size_t> asked;
    const auto note = [&](std::size_t index) { asked.push_back(index); };
    const std::size_t good[] = {2, 1};
    writer.write(good, 2, Rng(1), to, note);
    EXPECT_EQ(x, (std::vector<float>{2, 2, 1, 1}));
    EXPECT_EQ(y, (std::vector<float>{0.5f, 0.5f}));
    EXPECT_EQ(asked, (std::vector<std::size_t>{2, 1}));
    const std::size_t bad[] = {0, 3};
    EXPECT_EQ(error_of([&] { writer.write(bad, 2, Rng(1), to, note); }),
              "DataLoader: tensor 0 of example 3 is (3) of float32, that of example 0 is (2) of "
              "float32. Give all examples the same shapes and types.");
}

struct Failing {
    std::size_t size() const { return 2; }
    Tensor get(std::size_t index) const {
        if (index == 1) throw std::out_of_range("no such file");
        return Tensor::zeros({1});
    }
};

TEST(BatchWriter, AddsTheIndexAndTheWorkerToAnExceptionOfGet) {
    lanes::data::ExamplesOf<Failing> examples{Failing()};
    BatchWriter writer(examples, lanes::data::layout_of(examples, Rng(1)), " in worker 2");
    float x = 0;
    unsigned char* const to[] = {reinterpret_cast<unsigned char*>(&x)};
    const std::size_t row = 1;
    EXPECT_EQ(error_of([&] { writer.write(&row, 1, Rng(1), to, [](std::size_t) {}); }),
              "DataLoader: get(1) threw in worker 2: std::out_of_range: no such file");
}

}  // namespace
