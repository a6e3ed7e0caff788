#include "exercise.hpp"

#include "../common/convolution.hpp"
#include "../common/needs.hpp"
#include "../common/products.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lanes::exercises {

namespace {

using convolution_check::Layer;
using convolution_check::Mistake;
using convolution_check::patches;
using notebook::About;
using notebook::Judge;
using notebook::Values;

#include "pytorch_values.inc"

struct LayerCase {
    Layer layer;
    bool is_stored = false;
};

std::string words(const LayerCase& one) {
    return convolution_check::words(one.layer) + (one.is_stored ? ", values of PyTorch" : "");
}

Values matrix_of(const Tensor4& filters) {
    const std::size_t rows = filters.shape(0);
    return {{rows, filters.size() / rows}, {filters.begin(), filters.end()}};
}

Values with_shape(Values values, std::vector<std::size_t> shape) {
    values.shape = std::move(shape);
    return values;
}

Tensor4 rotated(const Tensor4& filters) {
    Tensor4 result = filters;
    const std::size_t size = filters.shape(2) * filters.shape(3);
    for (std::size_t first = 0; first < result.size(); first += size)
        std::reverse(result.data() + first, result.data() + first + size);
    return result;
}

void judge_layer(Judge& judge, Convolution::Answer answer, const Tensor3& x, const Tensor4& filters,
                 const Layer& layer, const Values* stored) {
    const auto extent = [](int value) { return static_cast<std::size_t>(value); };
    const std::vector<std::size_t> shape{extent(layer.outputs), extent(layer.out(layer.rows)),
                                         extent(layer.out(layer.columns))};
    const auto product = [&](const Tensor4& by, Mistake mistake = Mistake::none) {
        return with_shape(product_check::product(matrix_of(by), patches(x, layer, mistake)), shape);
    };
    const Values right = stored != nullptr ? with_shape(*stored, shape) : product(filters);
    About about;
    about.tolerance = {1e-4, 1e-4};
    about.known.push_back({product(rotated(filters)),
                           "The filters are rotated by 180 degrees. The layers of deep learning "
                           "compute correlations: nothing is rotated."});
    about.known.push_back(
        {product(filters, Mistake::first_channel), "All filters see the first channel only."});
    about.known.push_back(
        {with_shape(right, {shape[0], shape[1] * shape[2], 1}),
         "The numbers are right. The axes of the result are outputs, rows, columns."});
    Layer exchanged = layer;
    std::swap(exchanged.stride, exchanged.padding);
    if (exchanged.stride > 0) {
        Values gives = product_check::product(matrix_of(filters), patches(x, exchanged));
        gives.numbers.resize(right.numbers.size());  // which is all that reshape_view takes
        about.known.push_back({with_shape(gives, shape),
                               "Stride and padding are exchanged: the call is im2col(x, size, "
                               "stride, padding)."});
    }
    const Tensor3 got = judge.call([&] { return answer(x, filters, layer.stride, layer.padding); });
    judge.same(notebook::values_of(got), right, about);
}

}  // namespace

Convolution::Convolution()
    : Exercise(text_of<Convolution>(
          "convolution",
          "Gives the result of a convolutional layer. x: (channels, rows, columns); filters: "
          "(outputs, channels, size, size); the result: (outputs, rows, columns).",
          "four lines",
          "im2col(x, size, stride, padding) has one column per place. The filters as a matrix have "
          "one row per output: xt::reshape_view(filters, {outputs, numbers}). Their product has "
          "one row per output; give it three axes.")) {}

void Convolution::check(Answer answer) const {
    const std::vector<LayerCase> cases{{{1, 4, 5, 1, 3, 2, 1}},
                                       {{2, 5, 4, 3, 3, 1, 1}},
                                       {{3, 7, 6, 4, 3, 2, 1}, true},
                                       {{4, 6, 8, 5, 1, 2, 0}},
                                       {{3, 12, 14, 8, 7, 2, 3}}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const LayerCase& one) {
        if (one.is_stored) {
            const Values stored{{}, {pytorch_y.begin(), pytorch_y.end()}};
            Tensor3 x(std::array<std::size_t, 3>{3, 7, 6});
            Tensor4 filters(std::array<std::size_t, 4>{4, 3, 3, 3});
            std::copy(pytorch_x.begin(), pytorch_x.end(), x.data());
            std::copy(pytorch_filters.begin(), pytorch_filters.end(), filters.data());
            judge_layer(judge, answer, x, filters, one.layer, &stored);
            return;
        }
        const Rng rng = Rng(91).split(one.layer.rows);
        judge_layer(judge, answer, convolution_check::random_image(one.layer, rng.split(0)),
                    convolution_check::random_filters(one.layer, rng.split(1)), one.layer, nullptr);
    });
}

}  // namespace lanes::exercises
