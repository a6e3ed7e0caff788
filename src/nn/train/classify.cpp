#include "lanes/base/error.hpp"
#include "lanes/data/transforms.hpp"
#include "lanes/nn/train_model.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <algorithm>
#include <tuple>

namespace lanes {

std::vector<Prediction> classify(Module& model, const std::string& path,
                                 const std::vector<std::string>& classes, std::size_t top,
                                 std::size_t size) {
    Rng unused(0);
    const Picture picture = transforms::evaluation(size)(Picture::from_file(path), unused);
    const nn::Batches one = [&](const nn::Visit& visit) {
        visit(picture.tensor().reshape({1, 3, size, size}), Tensor());
    };
    const std::vector<float> probabilities = nn::predict(model, one).to_vector();
    LANES_REQUIRE(probabilities.size() == classes.size(), "classify: the model has ",
                  probabilities.size(), " classes, but ", classes.size(),
                  " names are given. Give one name per class.");
    std::vector<Prediction> predictions;
    predictions.reserve(classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i)
        predictions.push_back({classes[i], static_cast<int>(i), probabilities[i]});
    std::sort(predictions.begin(), predictions.end(), [](const Prediction& a, const Prediction& b) {
        return std::tie(b.probability, a.label) < std::tie(a.probability, b.label);
    });
    if (top > 0 && top < predictions.size()) predictions.resize(top);
    return predictions;
}

}  // namespace lanes
