// Shared by the checks of im2col and convolution: layers, and patches with common mistakes.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>

namespace lanes::exercises::convolution_check {

struct Layer {
    int channels, rows, columns;  // of the image
    int outputs;
    int size, stride, padding;  // of the filters

    int out(int extent) const { return (extent + 2 * padding - size) / stride + 1; }
};

std::string words(const Layer& layer);

Tensor3 random_image(const Layer& layer, Rng rng);
Tensor4 random_filters(const Layer& layer, Rng rng);

// The matrix of patches, (channels · size², places); what lies outside the image is 0.
enum class Mistake {
    none,
    stride,          // every place, whatever the stride is
    pixel_stride,    // the right number of places, but each begins one pixel after the last
    row_length,      // of the places: their number of rows
    padding,         // as if it were 0
    channels_last,   // the channel runs fastest within a patch
    axes_exchanged,  // of the filter
    first_channel    // is taken for all
};
notebook::Values patches(const Tensor3& x, const Layer& layer, Mistake mistake = Mistake::none);

}  // namespace lanes::exercises::convolution_check
