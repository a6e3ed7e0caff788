// Random networks that are trained for some steps. networks.py makes them and says what the steps
// mean.
#include "programs.hpp"

#include "lanes/base/error.hpp"
#include "lanes/nn.hpp"
#include "lanes/tensor/autograd.hpp"
#include "tensor/devices.hpp"

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>

namespace lanes_random {
namespace {

using lanes::OnEachDevice, lanes::device_names, lanes::test_name;
using lanes::Sequential;
using lanes::nn::AnyModule;

Sequential build(const Json& layers);

// A stride of 0: as the kernel.
lanes::Pool2dOptions pool(std::size_t kernel, std::size_t stride, std::size_t padding) {
    auto options = lanes::Pool2dOptions(kernel).padding(padding);
    return stride == 0 ? options : options.stride(stride);
}

AnyModule layer_of(const Json& spec) {
    const auto n = [&](std::size_t i) { return spec[i].get<std::size_t>(); };
    const auto kind = spec[0].get<std::string>();
    if (kind == "Linear") return lanes::Linear(n(1), n(2), spec[3].get<bool>());
    if (kind == "Conv2d")
        return lanes::Conv2d(n(1), n(2), n(3), lanes::Conv2dOptions().stride(n(4)).padding(n(5)),
                             spec[6].get<bool>());
    if (kind == "BatchNorm2d")
        return lanes::BatchNorm2d(
            n(1),
            lanes::BatchNormOptions().eps(spec[2].get<float>()).momentum(spec[3].get<float>()));
    if (kind == "ReLU") return lanes::ReLU();
    if (kind == "Sigmoid") return lanes::Sigmoid();
    if (kind == "Tanh") return lanes::Tanh();
    if (kind == "Dropout") return lanes::Dropout(spec[1].get<float>());
    if (kind == "Flatten") return lanes::Flatten();
    if (kind == "MaxPool2d") return lanes::MaxPool2d(pool(n(1), n(2), n(3)));
    if (kind == "AvgPool2d") return lanes::AvgPool2d(pool(n(1), n(2), n(3)));
    if (kind == "AdaptiveAvgPool2d") return lanes::AdaptiveAvgPool2d(n(1), n(2));
    if (kind == "BasicBlock") return lanes::BasicBlock(n(1), n(2), n(3));
    return build(spec[1]);
}

Sequential build(const Json& layers) {
    Sequential model;
    std::vector<AnyModule> made;
    for (const Json& spec : layers) {
        made.push_back(spec[0] == "Shared" ? made[spec[1].get<std::size_t>()] : layer_of(spec));
        model.append(made.back());
    }
    return model;
}

std::unique_ptr<lanes::Optimizer> optimizer_of(const Json& spec, const std::vector<Tensor>& all) {
    const Json& given = spec[2];
    const auto rate = spec[1].get<double>();
    const auto option = [&](const char* name) { return given.at(name).get<double>(); };
    if (spec[0] == "SGD") {
        lanes::SGDOptions options;
        options.momentum(option("momentum"));
        options.weight_decay(option("weight_decay"));
        options.nesterov(given.at("nesterov").get<bool>());
        return std::make_unique<lanes::SGD>(all, rate, options);
    }
    lanes::AdamOptions options;
    options.beta1(option("beta1"));
    options.beta2(option("beta2"));
    options.eps(option("eps"));
    options.weight_decay(option("weight_decay"));
    return std::make_unique<lanes::Adam>(all, rate, options);
}

std::unique_ptr<lanes::Scheduler> scheduler_of(const Json& spec, lanes::Optimizer& optimizer) {
    if (spec.is_null()) return nullptr;
    const auto steps = spec[1].get<std::size_t>();
    const auto last = spec[2].get<double>();
    if (spec[0] == "StepLR") return std::make_unique<lanes::StepLR>(optimizer, steps, last);
    return std::make_unique<lanes::CosineAnnealingLR>(optimizer, steps, last);
}

class Training {
public:
    Training(const Json& program, const Device& device)
        : program_(program), device_(device), model_(new_model(program.at("seed"))) {
        optimizer_ = optimizer_of(program.at("optimizer"), model_->parameters());
        scheduler_ = scheduler_of(program.at("scheduler"), *optimizer_);
    }

    // What is wrong; "" if nothing.
    std::string result() {
        for (const Json& step : program_.at("steps")) {
            std::string wrong;
            try {
                wrong = execute(step);
            } catch (const lanes::Error& error) {
                wrong = error.what();
            }
            if (!wrong.empty()) return "step " + step.dump() + ": " + wrong;
        }
        const lanes::NamedTensors state = model_->state_dict();
        const Json& expected = program_.at("state");
        if (state.size() != expected.size()) return "other tensors in state_dict()";
        for (const auto& [name, tensor] : state) {
            const std::string wrong = difference(tensor, expected.at(name));
            if (!wrong.empty()) return name + ": " + wrong;
        }
        return "";
    }

private:
    std::shared_ptr<Sequential> new_model(std::uint32_t seed) const {
        auto model = std::make_shared<Sequential>(build(program_.at("layers")));
        lanes::NamedTensors state;
        for (const auto& [name, tensor] : model->state_dict()) {
            const bool variance = name.find("running_var") != std::string::npos;
            state.emplace_back(
                name, filled(tensor.shape(), variance ? "positive" : "normal", seed++) * 0.5f);
        }
        model->load_state_dict(state);
        model->to(device_);
        return model;
    }

    Tensor batch(const Json& step) const {
        std::vector<long long> extents{step[2].get<long long>()};
        for (const Json& extent : program_.at("shape")) extents.push_back(extent.get<int>());
        return filled(Shape(extents), "normal", step[1]).to(device_);
    }

    Tensor loss(const Json& step) const {
        Tensor y = (*model_)(batch(step));
        y = y.reshape({y.shape(0), -1});
        const std::uint32_t seed = step[1].get<std::uint32_t>() + 1;
        if (program_.at("loss") == "cross_entropy") {
            const std::string fill = "labels" + std::to_string(y.shape(1));
            return lanes::CrossEntropyLoss()(y, filled({y.shape(0)}, fill, seed).to(device_));
        }
        return lanes::MSELoss()(y, filled(y.shape(), "normal", seed).to(device_));
    }

    std::string next_result(const Tensor& x) { return difference(x, results().at(done_++)); }
    const Json& results() const { return program_.at("results"); }

    std::string execute(const Json& step) {
        const auto name = step[0].get<std::string>();
        if (name == "forward") {
            const lanes::NoGrad no_grad;
            return next_result((*model_)(batch(step)));
        }
        if (name == "loss") {
            Tensor y = loss(step);
            if (y.requires_grad()) y.backward();
            return next_result(y);
        }
        if (name == "schedule") {
            scheduler_->step();
            return next_result(Tensor::full({}, static_cast<float>(optimizer_->learning_rate())));
        }
        if (name == "step") optimizer_->step();
        if (name == "zero_grad") optimizer_->zero_grad();
        if (name == "clear") model_->parameter(step[1]).zero_grad();
        if (name == "freeze") model_->parameter(step[1]).requires_grad_(step[2].get<bool>());
        if (name == "rate") optimizer_->set_learning_rate(step[1]);
        if (name == "train") model_->train();
        if (name == "eval") model_->eval();
        replace_parts(name, step);
        return "";
    }

    // Steps after which the training must go on as if nothing had happened.
    void replace_parts(const std::string& name, const Json& step) {
        if (name == "copy") {
            model_ = std::make_shared<Sequential>(*model_);
        } else if (name == "assign") {
            const auto other = new_model(99);
            *other = *model_;
            model_ = other;
        } else if (name == "state_dict") {
            lanes::NamedTensors state;
            for (const auto& [key, tensor] : model_->state_dict())
                state.emplace_back(key, tensor.detach().clone());
            change_all();
            model_->load_state_dict(state);
        } else if (name == "optimizer_state") {
            renew_optimizer(optimizer_->state());
        } else if (name == "weights") {
            const File file(step[1]);
            lanes::save_weights(file.path, *model_);
            change_all();
            lanes::load_weights(file.path, *model_);
        } else if (name == "checkpoint") {
            const File file(step[1]);
            lanes::save_checkpoint(file.path, *model_, *optimizer_, 3);
            // A file holds no gradients, modes and frozen parameters: they are set by hand.
            const auto before = model_;
            model_ = new_model(98);
            model_->train(before->training());
            const auto from = before->parameters();
            auto to = model_->parameters();
            for (std::size_t i = 0; i < to.size(); ++i) {
                if (from[i].has_grad() && from[i].requires_grad())
                    lanes::sum(to[i] * from[i].grad()).backward();
                to[i].requires_grad_(from[i].requires_grad());
            }
            renew_optimizer(optimizer_of(program_.at("optimizer"), to)->state());
            EXPECT_EQ(lanes::load_checkpoint(file.path, *model_, *optimizer_), 3u);
        }
    }

    void change_all() {
        const lanes::NoGrad no_grad;
        for (auto& [name, tensor] : model_->state_dict()) tensor.fill_(7);
    }

    void renew_optimizer(const lanes::Optimizer::State& state) {
        auto fresh = optimizer_of(program_.at("optimizer"), model_->parameters());
        fresh->load_state(state);
        optimizer_ = std::move(fresh);
        scheduler_ = scheduler_of(program_.at("scheduler"), *optimizer_);
    }

    struct File {
        explicit File(const std::string& ending)
            : path(std::filesystem::temp_directory_path() /
                   ("lanes-random-" + std::to_string(getpid()) + ending)) {}
        ~File() { std::filesystem::remove(path); }
        std::string path;
    };

    const Json& program_;
    Device device_;
    std::shared_ptr<Sequential> model_;
    std::unique_ptr<lanes::Optimizer> optimizer_;
    std::unique_ptr<lanes::Scheduler> scheduler_;
    std::size_t done_ = 0;  // of the results
};

class RandomNetworks : public OnEachDevice {};

TEST_P(RandomNetworks, AreTrainedAsByPyTorch) {
    // The simulator takes a second for a network: of the stored ones it gets some.
    const bool all = GetParam() != "simulator" || std::getenv("LANES_RANDOM_PROGRAMS") != nullptr;
    std::size_t number = 0;
    for (const Json& program : programs_of("networks")) {
        if (!all && number++ % 10 != 0) continue;
        const std::string wrong = Training(program, device()).result();
        if (!wrong.empty()) {
            Json shown = program;
            shown.erase("results");
            shown.erase("state");
            ADD_FAILURE() << "program " << number << ": " << wrong << "\n" << shown.dump();
        }
        if (all) ++number;
    }
}

INSTANTIATE_ON_EACH_DEVICE(RandomNetworks);

}  // namespace
}  // namespace lanes_random
