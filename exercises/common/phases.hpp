// Shared by the checks of lesson 09 that train or run a network: a small one that notes how it was
// called, and batches.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/optim.hpp"
#include "notebook/exercise/judge.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace lanes::exercises::phase_check {

constexpr std::size_t inputs = 6;
constexpr std::size_t classes = 3;

// Linear, batch normalisation, ReLU, Linear; always with the same numbers.
class Watched : public Module {
public:
    struct Call {
        bool training;
        bool recorded;  // for gradients
        std::size_t rows;
    };

    Watched();
    Tensor forward(const Tensor& x) override;

    std::vector<Call>& calls() { return *calls_; }
    notebook::Values weights() const;     // all parameters, one after the other
    notebook::Values statistics() const;  // of the batch normalisation

    // Called with each forward pass, after it was noted.
    std::function<void()> on_call;

private:
    Sequential layers_;
    std::shared_ptr<std::vector<Call>> calls_ = std::make_shared<std::vector<Call>>();
};

// Always the same examples for the same number, in batches of 8 and in their order.
DataLoader<2> batches_of(std::size_t examples);

notebook::Values number(double value);

}  // namespace lanes::exercises::phase_check
