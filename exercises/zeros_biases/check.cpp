#include "exercise.hpp"

#include "../common/layer_arrays.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

ZerosBiases::ZerosBiases()
    : Exercise(text_of<ZerosBiases>(
          "zeros_biases", "Gives one vector of sizes[i + 1] zeros for each layer but the first.",
          "one line, a loop",
          "biases.push_back(xt::zeros<float>({sizes[i + 1]})) for 0 <= i and i + 1 < "
          "sizes.size().")) {}

void ZerosBiases::check(Answer answer) const {
    notebook::Judge judge(text());
    judge.look_at(answer);
    for (const Sizes& sizes : layer_check::cases()) {
        judge.begin(layer_check::words(sizes));
        for (const std::size_t size : sizes) notebook::poison_memory(size * sizeof(float));
        const auto biases = judge.call([&] { return answer(sizes); });
        layer_check::judge_shapes(judge, biases, sizes, "biases",
                                  [&](std::size_t i) { return layer_check::Shape{sizes[i + 1]}; });
        for (std::size_t i = 0; i < biases.size(); ++i)
            layer_check::judge_zeros(judge, notebook::values_of(biases[i]), i, "biases");
    }
    judge.pass();
}

}  // namespace lanes::exercises
