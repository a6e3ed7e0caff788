#include "exercise.hpp"

#include "../common/convolution.hpp"
#include "../common/needs.hpp"
#include "../common/products.hpp"

#include <vector>

namespace lanes::exercises {

namespace {

using convolution_check::Layer;
using convolution_check::Mistake;
using convolution_check::patches;
using notebook::About;
using notebook::Judge;

void judge_layer(Judge& judge, Im2col::Answer answer, const Layer& layer) {
    const Tensor3 x = convolution_check::random_image(layer, Rng(9).split(layer.rows));
    const auto right = patches(x, layer);
    About about;
    about.tolerance = {0, 0};  // numbers are copied
    const auto add = [&](Mistake mistake, const char* words) {
        about.known.push_back({patches(x, layer, mistake), words});
    };
    add(Mistake::stride,
        "The stride is missing: the patch of place (y, x) begins at row y * stride - padding.");
    add(Mistake::pixel_stride,
        "The stride is missing in the pixels: the patch of place (y, x) begins at row y * stride - "
        "padding, column x * stride - padding.");
    add(Mistake::row_length,
        "The column of place (y, z) is y * wide + z: a row of places has `wide` of them, not "
        "`high`.");
    add(Mistake::padding,
        "The padding is missing: the first patch begins at row -padding, and the number of places "
        "is (rows + 2 * padding - size) / stride + 1.");
    add(Mistake::channels_last,
        "The channel runs fastest here. The row of element (i, j) of channel c is "
        "(c * size + i) * size + j, the order in which the filters are stored.");
    add(Mistake::axes_exchanged, "Rows and columns of the patch are exchanged.");
    if (layer.channels > 1) add(Mistake::first_channel, "All channels hold the first one.");
    about.known.push_back({product_check::transposed(right),
                           "This is the transpose: one column per place, one row per number of a "
                           "filter."});
    const Matrix got =
        judge.call([&] { return answer(x, layer.size, layer.stride, layer.padding); });
    judge.same(notebook::values_of(got), right, about);
}

}  // namespace

Im2col::Im2col()
    : Exercise(text_of<Im2col>(
          "im2col",
          "Gives the patches of the image x, (channels, rows, columns), below a filter of size x "
          "size, as a matrix: one column per place of the filter, row by row; one row per number "
          "of the filter, in the order channel, row, column. Outside the image are zeros.",
          "nine lines",
          "Start with zeros. Element (i, j) of channel c at the place (y, x) is the pixel in row "
          "y * stride + i - padding; skip it if that row or its column is outside.")) {}

void Im2col::check(Answer answer) const {
    const std::vector<Layer> cases{
        {1, 4, 5, 1, 3, 1, 0}, {2, 4, 4, 1, 2, 1, 0}, {1, 4, 5, 1, 3, 1, 1},  {1, 6, 7, 1, 3, 2, 0},
        {3, 8, 9, 1, 3, 2, 1}, {2, 5, 3, 1, 1, 2, 0}, {3, 11, 12, 1, 7, 2, 3}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Layer& layer) {
        judge_layer(judge, answer, layer);
    });
}

}  // namespace lanes::exercises
