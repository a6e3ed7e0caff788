#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/lesson/spare_transfer.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct BlockCase {
    std::size_t in;
    std::size_t out;
    std::size_t stride;
    bool training;
};

std::string words(const BlockCase& one) {
    return std::to_string(one.in) + " to " + std::to_string(one.out) + " channels, stride " +
           std::to_string(one.stride) + (one.training ? ", training mode" : ", evaluation mode");
}

// The same numbers each time; running statistics that are neither 0 nor 1.
resnet::ResidualParts parts_for(const BlockCase& one) {
    manual_seed(95);
    const BasicBlock block(one.in, one.out, one.stride);
    const NoGrad no_grad;
    for (auto& [name, tensor] : block.state_dict())
        if (tensor.rank() == 1) Tensor(tensor).copy_(Tensor::rand(tensor.shape()) + 0.5f);
    resnet::ResidualParts parts = resnet::parts_of(block);
    parts.conv1.train(one.training);
    for (Module* part : {static_cast<Module*>(&parts.bn1), static_cast<Module*>(&parts.bn2),
                         static_cast<Module*>(&parts.downsample)})
        part->train(one.training);
    return parts;
}

enum class Way { right, no_addition, relu_before, no_last_relu, no_first_relu, same_norm };

Values result(const BlockCase& one, const Tensor& x, Way way) {
    const NoGrad no_grad;
    resnet::ResidualParts p = parts_for(one);
    const Tensor first = p.bn1(p.conv1(x));
    Tensor f = p.conv2(way == Way::no_first_relu ? first : relu(first));
    f = way == Way::same_norm ? p.bn1(f) : p.bn2(f);
    if (way == Way::no_addition) return notebook::values_of(relu(f).to_xtensor<4>());
    const Tensor side = p.downsample.size() > 0 ? p.downsample(x) : x;
    if (way == Way::relu_before) f = relu(f);
    const Tensor sum = f + side;
    const bool ends = way == Way::no_last_relu || way == Way::relu_before;
    return notebook::values_of((ends ? sum : relu(sum)).to_xtensor<4>());
}

}  // namespace

ResidualBlock::ResidualBlock()
    : Exercise(text_of<ResidualBlock>(
          "residual_block",
          "Gives relu(f(x) + x) with f: conv1, bn1, relu, conv2, bn2. If parts.downsample has "
          "layers, it is applied to the x that is added, because the shape changes.",
          "five lines",
          "Layers are called as functions: parts.bn1(parts.conv1(x)). parts.downsample.size() is 0 "
          "if x is added as it is. Tensors are added by +; lanes::relu comes last.")) {}

void ResidualBlock::check(Answer answer) const {
    const std::vector<BlockCase> cases{
        {4, 4, 1, false}, {4, 4, 1, true}, {3, 6, 2, false}, {3, 6, 2, true}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const BlockCase& one) {
        manual_seed(96);
        const Tensor x = Tensor::randn({2, one.in, 6, 8});
        const Values right = result(one, x, Way::right);
        resnet::ResidualParts parts = parts_for(one);
        const Tensor got = judge.call([&] {
            const NoGrad no_grad;
            return answer(parts, x);
        });
        judge.require(got.defined() && got.rank() == 4, "the result has no four axes.",
                      "It has the shape (batch, channels, rows, columns).");
        About about;
        about.tolerance = {1e-4, 1e-3};
        about.known = {
            {result(one, x, Way::no_addition), "x is not added."},
            {result(one, x, Way::relu_before),
             "The last relu comes after the addition: relu(f(x) + x)."},
            {result(one, x, Way::no_last_relu), "The last relu is missing: relu(f(x) + x)."},
            {result(one, x, Way::no_first_relu), "The relu after bn1 is missing."},
            {result(one, x, Way::same_norm), "The second normalisation is bn2."}};
        judge.same(notebook::values_of(got.cpu().to_xtensor<4>()), right, about);
    });
}

}  // namespace lanes::exercises
