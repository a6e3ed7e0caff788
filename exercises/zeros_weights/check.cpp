#include "exercise.hpp"

#include "../common/layer_arrays.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

ZerosWeights::ZerosWeights()
    : Exercise(text_of<ZerosWeights>("zeros_weights",
                                     "Gives one matrix of shape (sizes[i], sizes[i + 1]) for each "
                                     "two neighbouring layers, all 0.",
                                     "one line, a loop",
                                     "weights.push_back(xt::zeros<float>({sizes[i], sizes[i + "
                                     "1]})) for 0 <= i and i + 1 < sizes.size().")) {}

void ZerosWeights::check(Answer answer) const {
    notebook::Judge judge(text());
    judge.look_at(answer);
    for (const Sizes& sizes : layer_check::cases()) {
        judge.begin(layer_check::words(sizes));
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
            notebook::poison_memory(sizes[i] * sizes[i + 1] * sizeof(float));
        const auto weights = judge.call([&] { return answer(sizes); });
        layer_check::judge_shapes(judge, weights, sizes, "weights", [&](std::size_t i) {
            return layer_check::Shape{sizes[i], sizes[i + 1]};
        });
        for (std::size_t i = 0; i < weights.size(); ++i)
            layer_check::judge_zeros(judge, notebook::values_of(weights[i]), i, "weights");
    }
    judge.pass();
}

}  // namespace lanes::exercises
