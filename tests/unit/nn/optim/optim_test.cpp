#include "lanes/nn/optim.hpp"

#include "error_of.hpp"
#include "tensor/devices.hpp"

#include "lanes/nn/layers.hpp"
#include "lanes/tensor.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lanes {

using lanes_test::error_of;

class Optimizers : public OnEachDevice {};
INSTANTIATE_ON_EACH_DEVICE(Optimizers);

namespace {

// Two parameters whose gradients are known: the loss is sum(c * w), so the gradient is c.
struct Problem {
    std::vector<Tensor> weights;
    std::vector<Tensor> factors;  // the gradients

    explicit Problem(const Device& device, std::size_t count = 2) {
        manual_seed(7);
        for (std::size_t i = 0; i < count; ++i) {
            const Shape shape = i % 2 == 0 ? Shape{3, 100} : Shape{5};
            weights.push_back(Tensor::randn(shape, device).requires_grad_());
            factors.push_back(Tensor::randn(shape, device));
        }
    }

    void step(Optimizer& optimizer) {
        Tensor loss = sum(weights[0] * factors[0]);
        for (std::size_t i = 1; i < weights.size(); ++i) loss = loss + sum(weights[i] * factors[i]);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
};

std::vector<double> doubles_of(const Tensor& x) {
    const std::vector<float> values = x.detach().cpu().to_vector();
    return {values.begin(), values.end()};
}

// Applies update(weight, gradient, first, second) of doubles to each element, `steps` times, and
// compares with what the optimizer does.
template <class Update>
void expect_steps(Problem& problem, Optimizer& optimizer, int steps, const Update& update) {
    std::vector<std::vector<double>> expected;
    std::vector<std::vector<double>> first;
    std::vector<std::vector<double>> second;
    for (const Tensor& weight : problem.weights) {
        expected.push_back(doubles_of(weight));
        first.emplace_back(weight.size());
        second.emplace_back(weight.size());
    }
    for (int t = 1; t <= steps; ++t) {
        problem.step(optimizer);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::vector<double> gradient = doubles_of(problem.factors[i]);
            for (std::size_t j = 0; j < gradient.size(); ++j)
                update(expected[i][j], gradient[j], first[i][j], second[i][j], t);
        }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::vector<double> weight = doubles_of(problem.weights[i]);
        for (std::size_t j = 0; j < weight.size(); ++j)
            ASSERT_NEAR(weight[j], expected[i][j], 1e-5) << "parameter " << i << ", element " << j;
    }
}

}  // namespace

TEST_P(Optimizers, SgdGoesAlongTheGradient) {
    Problem problem(device());
    SGD optimizer(problem.weights, 0.1);
    expect_steps(problem, optimizer, 3,
                 [](double& w, double g, double&, double&, int) { w -= 0.1 * g; });
}

TEST_P(Optimizers, SgdWithMomentumAndWeightDecayFollowsItsFormula) {
    Problem problem(device());
    SGD optimizer(problem.weights, 0.1, SGDOptions().momentum(0.9).weight_decay(0.01));
    expect_steps(problem, optimizer, 4, [](double& w, double g, double& velocity, double&, int) {
        velocity = 0.9 * velocity + g + 0.01 * w;
        w -= 0.1 * velocity;
    });
}

TEST_P(Optimizers, SgdWithNesterovMomentumFollowsItsFormula) {
    Problem problem(device());
    SGD optimizer(problem.weights, 0.1, SGDOptions().momentum(0.9).nesterov(true));
    expect_steps(problem, optimizer, 4, [](double& w, double g, double& velocity, double&, int) {
        velocity = 0.9 * velocity + g;
        w -= 0.1 * (g + 0.9 * velocity);
    });
}

TEST_P(Optimizers, AdamFollowsItsFormula) {
    Problem problem(device());
    Adam optimizer(problem.weights, 0.05,
                   AdamOptions().beta1(0.8).beta2(0.99).eps(1e-6).weight_decay(0.02));
    expect_steps(problem, optimizer, 4, [](double& w, double g, double& m, double& v, int t) {
        g += 0.02 * w;
        m = 0.8 * m + 0.2 * g;
        v = 0.99 * v + 0.01 * g * g;
        const double mean = m / (1 - std::pow(0.8, t));
        const double square = v / (1 - std::pow(0.99, t));
        w -= 0.05 * mean / (std::sqrt(square) + 1e-6);
    });
}

// As in PyTorch: Adam's correction of its means depends on how often this parameter was updated.
TEST_P(Optimizers, AdamCountsTheStepsOfEachParameter) {
    Tensor early = Tensor::ones({2}, device()).requires_grad_();
    Tensor late = Tensor::ones({2}, device()).requires_grad_();
    Adam optimizer({early, late}, 0.1);
    const auto step = [&](Adam& adam, const Tensor& loss_of) {
        adam.zero_grad();
        sum(loss_of).backward();
        adam.step();
    };
    for (int i = 0; i < 3; ++i) step(optimizer, early * 3);
    EXPECT_NEAR(early.detach().cpu().at({0}), 0.7f, 1e-5);  // equal gradients: 0.1 per step
    step(optimizer, early * 3 + late * 5);
    EXPECT_NEAR(late.detach().cpu().at({0}), 0.9f, 1e-5);
    step(optimizer, late * 5);
    EXPECT_NEAR(early.detach().cpu().at({0}), 0.6f, 1e-5);
    EXPECT_NEAR(late.detach().cpu().at({0}), 0.8f, 1e-5);

    Adam restored({early, late}, 0.1);
    restored.load_state(optimizer.state());
    step(restored, early * 3 + late * 5);
    EXPECT_NEAR(early.detach().cpu().at({0}), 0.5f, 1e-5);
    EXPECT_NEAR(late.detach().cpu().at({0}), 0.7f, 1e-5);
}

TEST_P(Optimizers, MoreParametersThanOneCudaKernelTakesAreUpdated) {
    Problem problem(device(), 19);
    SGD optimizer(problem.weights, 0.5);
    expect_steps(problem, optimizer, 1,
                 [](double& w, double g, double&, double&, int) { w -= 0.5 * g; });
}

TEST_P(Optimizers, FrozenParametersAndThoseWithoutAGradientStay) {
    Problem problem(device());
    problem.weights[1].requires_grad_(false);
    Tensor unused = Tensor::ones({2}, device()).requires_grad_();
    std::vector<Tensor> all = problem.weights;
    all.push_back(unused);
    Adam optimizer(all, 0.1);
    const std::vector<float> frozen = problem.weights[1].cpu().to_vector();
    const std::vector<double> free = doubles_of(problem.weights[0]);
    problem.step(optimizer);
    EXPECT_EQ(problem.weights[1].cpu().to_vector(), frozen);
    EXPECT_EQ(unused.detach().cpu().to_vector(), (std::vector<float>{1, 1}));
    EXPECT_NE(doubles_of(problem.weights[0]), free);
}

TEST_P(Optimizers, TheLearningRateIsReadFromTheDeviceAtEachStep) {
    Problem problem(device());
    SGD optimizer(problem.weights, 0.1);
    expect_steps(problem, optimizer, 1,
                 [](double& w, double g, double&, double&, int) { w -= 0.1 * g; });
    optimizer.set_learning_rate(0.25);
    expect_steps(problem, optimizer, 1,
                 [](double& w, double g, double&, double&, int) { w -= 0.25 * g; });
}

TEST(Optimizer, FollowsAModelThatIsMovedToAnotherDevice) {
    manual_seed(1);
    Linear layer(3, 2);
    SGD optimizer(layer.parameters(), 0.1, SGDOptions().momentum(0.9));
    const Tensor x = Tensor::rand({4, 3});
    const auto step = [&](const Device& device) {
        Tensor loss = mean(square(layer(x.to(device))));
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    };
    step("cpu");
    layer.to("simulator");
    step("simulator");
    const std::vector<float> moved = layer.weight().detach().cpu().to_vector();

    manual_seed(1);
    Linear other(3, 2);
    SGD stays(other.parameters(), 0.1, SGDOptions().momentum(0.9));
    for (int i = 0; i < 2; ++i) {
        Tensor loss = mean(square(other(x)));
        stays.zero_grad();
        loss.backward();
        stays.step();
    }
    const std::vector<float> expected = other.weight().to_vector();
    for (std::size_t i = 0; i < moved.size(); ++i) EXPECT_NEAR(moved[i], expected[i], 1e-6) << i;
}

TEST(Optimizer, ParametersOnTwoDevicesAreAnErrorThatNamesBoth) {
    Tensor a = Tensor::ones({2}).requires_grad_();
    Tensor b = Tensor::ones({2}, "simulator").requires_grad_();
    SGD optimizer({a, b}, 0.1);
    sum(a).backward();
    sum(b).backward();
    const std::string error = error_of([&] { optimizer.step(); });
    EXPECT_NE(error.find("lives on cpu"), std::string::npos) << error;
    EXPECT_NE(error.find("on simulator"), std::string::npos) << error;
}

// As the embedding and the output of a language model.
struct Tied : Module {
    Linear first = register_module("first", Linear(2, 2, false));
    Tensor second = register_parameter("second", first.weight());
    Tensor forward(const Tensor& x) override { return linear(first(x), second); }
};

TEST(Optimizer, TiedWeightsAreUpdatedOnce) {
    Tied model;
    EXPECT_EQ(model.parameters().size(), 1u);
    EXPECT_EQ(model.named_parameters().size(), 1u);
    EXPECT_EQ(model.parameter_count(), 4u);
    EXPECT_EQ(model.state_dict().size(), 2u);  // a file has both names, as in PyTorch
    {
        const NoGrad no_grad;
        model.second.fill_(1);
    }
    SGD optimizer(model.parameters(), 1);
    sum(model.second).backward();
    optimizer.step();
    EXPECT_EQ(model.first.weight().to_vector(), std::vector<float>(4, 0));
}

TEST(Optimizer, ATensorThatIsGivenTwiceIsAnError) {
    const Tensor a = Tensor::ones({2}).requires_grad_();
    const Tensor b = Tensor::ones({2}).requires_grad_();
    EXPECT_EQ(error_of([&] { SGD({a, b, a}, 1); }),
              "SGD: parameters 0 and 2 are the same tensor, of shape (2). Give each once: it would "
              "be updated twice.");
}

TEST(Optimizer, MistakesAreErrors) {
    EXPECT_EQ(error_of([] { SGD({}, 0.1); }),
              "Optimizer: there are no parameters. Give those of a model: model.parameters().");
    const std::vector<Tensor> parameters = Linear(1, 1).parameters();
    EXPECT_EQ(error_of([&] { SGD(parameters, -1); }),
              "Optimizer: the learning rate is -1. Give a number of at least 0.");
    EXPECT_EQ(error_of([&] { SGD(parameters, 1, SGDOptions().nesterov(true)); }),
              "SGD: nesterov needs a momentum above 0, such as 0.9.");
    EXPECT_EQ(error_of([&] { Adam(parameters, 1, AdamOptions().beta1(1)); }),
              "Adam: beta1 is 1. Give a number from 0 to below 1.");
}

TEST(StepLR, MultipliesTheLearningRateEveryFewSteps) {
    SGD optimizer(Linear(1, 1).parameters(), 0.5);
    StepLR scheduler(optimizer, 3, 0.1);
    std::vector<double> rates;
    for (int epoch = 0; epoch < 7; ++epoch) {
        rates.push_back(optimizer.learning_rate());
        scheduler.step();
    }
    const std::vector<double> expected{0.5, 0.5, 0.5, 0.05, 0.05, 0.05, 0.005};
    for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_DOUBLE_EQ(rates[i], expected[i]) << i;
    EXPECT_EQ(scheduler.steps(), 7u);
}

TEST(Scheduler, OnlyTheLastOneOfAnOptimizerSteps) {
    SGD optimizer(Linear(1, 1).parameters(), 1);
    StepLR first(optimizer, 1, 0.5);
    first.step();
    StepLR second(optimizer, 1, 0.1);  // as when a cell runs again
    second.step();
    EXPECT_DOUBLE_EQ(optimizer.learning_rate(), 0.01);
    EXPECT_EQ(error_of([&] { first.step(); }).find("Scheduler::step: another schedule"), 0U);
}

TEST(CosineAnnealingLR, GoesDownHalfACosine) {
    SGD optimizer(Linear(1, 1).parameters(), 1);
    CosineAnnealingLR scheduler(optimizer, 4, 0.2);
    const double root = std::sqrt(0.5);
    for (const double expected : {0.6 + 0.4 * root, 0.6, 0.6 - 0.4 * root, 0.2}) {
        scheduler.step();
        EXPECT_NEAR(optimizer.learning_rate(), expected, 1e-12);
    }
}

}  // namespace lanes
