// Optimizers, which change parameters along their gradients, and schedules of the learning rate.
//
//   lanes::Sequential model{lanes::Linear(784, 128), lanes::ReLU(), lanes::Linear(128, 10)};
//   lanes::SGD optimizer(model.parameters(), 0.1, lanes::SGDOptions().momentum(0.9));
//   lanes::StepLR scheduler(optimizer, 7);  // a tenth of it every 7 epochs
//   const auto x = lanes::Tensor::rand({16, 784});
//   const auto labels = lanes::Tensor::from(std::vector<int>(16, 3));
//   lanes::Tensor loss = lanes::cross_entropy(model(x), labels);
//   optimizer.zero_grad();
//   loss.backward();
//   optimizer.step();
//   scheduler.step();  // at the end of each epoch
//
// All parameters are updated by one call of the device. A parameter that requires no gradient, or
// has none, stays as it is.
#pragma once

#include "lanes/base/option.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/tensor/tensor.hpp"
#include "lanes/tensor/update.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

class Optimizer {
public:
    virtual ~Optimizer() = default;
    Optimizer(const Optimizer&) = delete;
    Optimizer& operator=(const Optimizer&) = delete;

    void step();
    void zero_grad();

    double learning_rate() const { return learning_rate_; }
    void set_learning_rate(double learning_rate);
    const std::vector<Tensor>& parameters() const { return parameters_; }

    // --- what a checkpoint holds. Tensors: "0.momentum" is that of the first parameter.
    struct State {
        std::string kind;  // "SGD"
        double learning_rate = 0;
        double initial_learning_rate = 0;  // before any schedule
        std::size_t scheduled_steps = 0;   // of the schedule
        NamedTensors tensors;
    };
    State state() const;
    void load_state(const State& state);

protected:
    // kind: its name. first and second name the tensors that it keeps for each parameter, "" if
    // there is none.
    Optimizer(std::string kind, std::vector<Tensor> parameters, double learning_rate,
              std::string first, std::string second);

    // settings: 4 numbers on the device of the parameters, the learning rate first. A CUDA graph
    // that has captured step() reads them there: set_learning_rate() changes the next replay.
    // Called once for all parameters that were updated equally often, which is all of them unless
    // some had no gradient in an earlier step.
    virtual void step_impl(const std::vector<tensor::Update>& updates, Tensor& settings) = 0;

private:
    friend class Scheduler;
    struct Group {  // of parameters that were updated together in every step so far
        Tensor settings;
        float learning_rate = 0;  // as it is on the device
    };
    struct Slot {  // of one parameter
        tensor::Update update;
        std::shared_ptr<Group> group;  // null before its first step
    };
    std::shared_ptr<Group> group_for(const std::vector<Slot*>& members);
    void set_rate(Group& group, const Device& device) const;

    std::string kind_;
    std::vector<Tensor> parameters_;
    double learning_rate_;
    double initial_learning_rate_;
    std::size_t scheduled_steps_ = 0;
    std::size_t schedules_ = 0;  // that were made for this optimizer; the last one counts
    std::string first_name_;
    std::string second_name_;
    std::vector<Slot> slots_;  // one per parameter
};

class SGDOptions {
    LANES_OPTION(SGDOptions, double, momentum, 0)
    LANES_OPTION(SGDOptions, double, weight_decay, 0)
    LANES_OPTION(SGDOptions, bool, nesterov, false)
};

// velocity = momentum · velocity + gradient;  parameter -= learning_rate · velocity
class SGD : public Optimizer {
public:
    SGD(std::vector<Tensor> parameters, double learning_rate, const SGDOptions& options = {});

private:
    void step_impl(const std::vector<tensor::Update>& updates, Tensor& settings) override;
    SGDOptions options_;
};

class AdamOptions {
    LANES_OPTION(AdamOptions, double, beta1, 0.9)
    LANES_OPTION(AdamOptions, double, beta2, 0.999)
    LANES_OPTION(AdamOptions, double, eps, 1e-8)
    LANES_OPTION(AdamOptions, double, weight_decay, 0)
};

// Kingma and Ba 2015: steps are scaled by running means of the gradient and of its square.
class Adam : public Optimizer {
public:
    explicit Adam(std::vector<Tensor> parameters, double learning_rate = 1e-3,
                  const AdamOptions& options = {});

private:
    void step_impl(const std::vector<tensor::Update>& updates, Tensor& settings) override;
    AdamOptions options_;
};

// Sets the learning rate as a function of the number of calls of step(). The number is kept by the
// optimizer, and so in checkpoints. The optimizer must live longer. It has one schedule: if another
// one is made for it, the earlier one must not step any more.
class Scheduler {
public:
    virtual ~Scheduler() = default;
    void step();
    std::size_t steps() const { return optimizer_.scheduled_steps_; }

protected:
    explicit Scheduler(Optimizer& optimizer)
        : optimizer_(optimizer), number_(++optimizer.schedules_) {}
    virtual double rate_impl(double initial, std::size_t steps) const = 0;

private:
    Optimizer& optimizer_;
    std::size_t number_;  // of the optimizer's schedules, from 1
};

// initial · gamma^(steps / step_size), rounded down
class StepLR : public Scheduler {
public:
    explicit StepLR(Optimizer& optimizer, std::size_t step_size, double gamma = 0.1);

private:
    double rate_impl(double initial, std::size_t steps) const override;
    std::size_t step_size_;
    double gamma_;
};

// From the initial learning rate to eta_min along half a cosine, in T_max steps.
class CosineAnnealingLR : public Scheduler {
public:
    explicit CosineAnnealingLR(Optimizer& optimizer, std::size_t T_max, double eta_min = 0);

private:
    double rate_impl(double initial, std::size_t steps) const override;
    std::size_t steps_to_minimum_;
    double eta_min_;
};

}  // namespace lanes
