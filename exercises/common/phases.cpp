#include "phases.hpp"

#include "lanes/base/rng.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

namespace lanes::exercises {

namespace {

void fill(Tensor tensor, Rng& rng, double low, double high) {
    for (std::size_t i = 0; i < tensor.size(); ++i)
        tensor.data()[i] = static_cast<float>(rng.uniform(low, high));
}

notebook::Values all_of(const NamedTensors& tensors) {
    notebook::Values all{{0}, {}};
    for (const auto& [name, tensor] : tensors)
        for (const float value : tensor.cpu().to_vector()) all.numbers.push_back(value);
    all.shape[0] = all.numbers.size();
    return all;
}

}  // namespace

phase_check::Watched::Watched()
    : Module("Watched"),
      layers_(register_module(
          "layers", Sequential{Linear(inputs, 5), BatchNorm2d(5), ReLU(), Linear(5, classes)})) {
    Rng rng(909);
    for (const Tensor& parameter : parameters()) fill(parameter, rng, -1, 1);
    for (const auto& [name, statistic] : named_buffers()) fill(statistic, rng, 0.5, 1.5);
}

Tensor phase_check::Watched::forward(const Tensor& x) {
    calls_->push_back({training(), grad_enabled(), x.shape(0)});
    if (on_call) on_call();
    return layers_(x);
}

notebook::Values phase_check::Watched::weights() const { return all_of(named_parameters()); }

notebook::Values phase_check::Watched::statistics() const { return all_of(named_buffers()); }

DataLoader<2> phase_check::batches_of(std::size_t examples) {
    Rng rng = Rng(910).split(examples);
    Tensor x = Tensor::zeros({examples, inputs});
    Tensor y = Tensor::zeros({examples}, Device::cpu(), DType::int32);
    fill(x, rng, -1, 1);
    for (std::size_t i = 0; i < examples; ++i)
        y.data<int>()[i] = static_cast<int>(rng.integer(0, classes - 1));
    return DataLoader<2>(TensorDataset<2>(x, y), DataLoaderOptions().batch_size(8));
}

notebook::Values phase_check::number(double value) { return {{1}, {value}}; }

}  // namespace lanes::exercises
