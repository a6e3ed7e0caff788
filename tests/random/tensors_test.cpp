// Random programs of tensor operations, with gradients, views and changes in place. tensors.py
// makes them and says what the steps mean.
#include "programs.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/autograd.hpp"
#include "tensor/devices.hpp"

#include <functional>
#include <map>
#include <memory>

namespace lanes_random {
namespace {

using lanes::OnEachDevice, lanes::device_names, lanes::test_name;

// The arguments of a step.
class Arguments {
public:
    Arguments(const Json& step, std::vector<Tensor>& variables)
        : step_(step), variables_(variables) {}

    Tensor& tensor(std::size_t i) const {
        return variables_[std::stoul(step_[i + 1].get<std::string>().substr(1))];
    }
    Tensor tensor_or_none(std::size_t i) const {
        return step_[i + 1].is_null() ? Tensor() : tensor(i);
    }
    template <class T>
    T get(std::size_t i) const {
        return step_[i + 1].get<T>();
    }
    float number(std::size_t i) const { return get<float>(i); }
    bool is_null(std::size_t i) const { return step_[i + 1].is_null(); }

private:
    const Json& step_;
    std::vector<Tensor>& variables_;
};

lanes::Pool2dOptions pool_options(const Arguments& a) {
    return lanes::Pool2dOptions(a.get<std::size_t>(1))
        .stride(a.get<std::size_t>(2))
        .padding(a.get<std::size_t>(3));
}

Tensor reduced(const Arguments& a, Tensor (*all)(const Tensor&),
               Tensor (*along)(const Tensor&, const std::vector<int>&, bool)) {
    if (a.is_null(1)) return all(a.tensor(0));
    return along(a.tensor(0), a.get<std::vector<int>>(1), a.get<bool>(2));
}

Tensor convolved(const Arguments& a) {
    const auto options =
        lanes::Conv2dOptions().stride(a.get<std::size_t>(3)).padding(a.get<std::size_t>(4));
    return lanes::conv2d(a.tensor(0), a.tensor(1), a.tensor_or_none(2), options);
}

Tensor normalized(const Arguments& a) {
    const auto options = lanes::BatchNormOptions().momentum(a.number(6)).eps(a.number(7));
    return lanes::batch_norm(a.tensor(0), a.tensor(1), a.tensor(2), a.tensor(3), a.tensor(4),
                             a.get<bool>(5), options);
}

Tensor connected(const Arguments& a) {
    static const std::map<std::string, lanes::Activation> activations{
        {"none", lanes::Activation::none},
        {"relu", lanes::Activation::relu},
        {"sigmoid", lanes::Activation::sigmoid}};
    return lanes::linear(a.tensor(0), a.tensor(1), a.tensor_or_none(2),
                         activations.at(a.get<std::string>(3)));
}

Tensor padded(const Arguments& a) {
    lanes::Padding padding;
    padding.left = a.get<std::size_t>(1);
    padding.right = a.get<std::size_t>(2);
    padding.top = a.get<std::size_t>(3);
    padding.bottom = a.get<std::size_t>(4);
    return lanes::pad(a.tensor(0), padding, a.number(5));
}

using Operation = std::function<Tensor(const Arguments&)>;

const std::map<std::string, Operation>& operations() {
    using A = const Arguments&;
    static const std::map<std::string, Operation> all{
        {"neg", [](A a) { return -a.tensor(0); }},
        {"exp", [](A a) { return lanes::exp(a.tensor(0)); }},
        {"log", [](A a) { return lanes::log(a.tensor(0)); }},
        {"sqrt", [](A a) { return lanes::sqrt(a.tensor(0)); }},
        {"square", [](A a) { return lanes::square(a.tensor(0)); }},
        {"relu", [](A a) { return lanes::relu(a.tensor(0)); }},
        {"sigmoid", [](A a) { return lanes::sigmoid(a.tensor(0)); }},
        {"tanh", [](A a) { return lanes::tanh(a.tensor(0)); }},
        {"add", [](A a) { return a.tensor(0) + a.tensor(1); }},
        {"sub", [](A a) { return a.tensor(0) - a.tensor(1); }},
        {"mul", [](A a) { return a.tensor(0) * a.tensor(1); }},
        {"div", [](A a) { return a.tensor(0) / a.tensor(1); }},
        {"add_number", [](A a) { return a.tensor(0) + a.number(1); }},
        {"number_sub", [](A a) { return a.number(1) - a.tensor(0); }},
        {"mul_number", [](A a) { return a.tensor(0) * a.number(1); }},
        {"div_number", [](A a) { return a.tensor(0) / a.number(1); }},
        {"number_div", [](A a) { return a.number(1) / a.tensor(0); }},
        {"sum", [](A a) { return reduced(a, lanes::sum, lanes::sum); }},
        {"mean", [](A a) { return reduced(a, lanes::mean, lanes::mean); }},
        {"max", [](A a) { return lanes::max(a.tensor(0), a.get<int>(1), a.get<bool>(2)); }},
        {"max_all", [](A a) { return lanes::max(a.tensor(0)); }},
        {"argmax", [](A a) { return lanes::argmax(a.tensor(0), a.get<int>(1)); }},
        {"matmul",
         [](A a) {
             return lanes::matmul(a.tensor(0), a.tensor(1), a.get<bool>(2), a.get<bool>(3));
         }},
        {"linear", connected},
        {"transpose",
         [](A a) { return lanes::transpose(a.tensor(0), a.get<int>(1), a.get<int>(2)); }},
        {"permute", [](A a) { return lanes::permute(a.tensor(0), a.get<std::vector<int>>(1)); }},
        {"pad", padded},
        {"index_select", [](A a) { return lanes::index_select(a.tensor(0), a.tensor(1)); }},
        {"softmax", [](A a) { return lanes::softmax(a.tensor(0), a.get<int>(1)); }},
        {"log_softmax", [](A a) { return lanes::log_softmax(a.tensor(0), a.get<int>(1)); }},
        {"cross_entropy", [](A a) { return lanes::cross_entropy(a.tensor(0), a.tensor(1)); }},
        {"mse_loss", [](A a) { return lanes::mse_loss(a.tensor(0), a.tensor(1)); }},
        {"conv2d", convolved},
        {"max_pool2d", [](A a) { return lanes::max_pool2d(a.tensor(0), pool_options(a)); }},
        {"avg_pool2d", [](A a) { return lanes::avg_pool2d(a.tensor(0), pool_options(a)); }},
        {"adaptive_avg_pool2d",
         [](A a) {
             return lanes::adaptive_avg_pool2d(a.tensor(0), a.get<std::size_t>(1),
                                               a.get<std::size_t>(2));
         }},
        {"batch_norm", normalized},
        {"dropout_off",
         [](A a) { return lanes::dropout(a.tensor(0), a.number(1), a.get<bool>(2)); }},
        {"clone", [](A a) { return a.tensor(0).clone(); }},
        {"detach", [](A a) { return a.tensor(0).detach(); }},
        {"reshape",
         [](A a) { return a.tensor(0).reshape(Shape(a.get<std::vector<long long>>(1))); }},
        {"slice",
         [](A a) { return a.tensor(0).slice(a.get<std::size_t>(1), a.get<std::size_t>(2)); }},
        {"row", [](A a) { return a.tensor(0)[a.get<std::size_t>(1)]; }},
    };
    return all;
}

using Change = std::function<void(const Arguments&)>;

const std::map<std::string, Change>& changes() {
    using A = const Arguments&;
    static const std::map<std::string, Change> all{
        {"fill_", [](A a) { a.tensor(0).fill_(a.number(1)); }},
        {"copy_", [](A a) { a.tensor(0).copy_(a.tensor(1)); }},
        {"add_", [](A a) { a.tensor(0).add_(a.tensor(1), a.number(2)); }},
        {"mul_", [](A a) { a.tensor(0).mul_(a.number(1)); }},
        {"zero_grad", [](A a) { a.tensor(0).zero_grad(); }},
        {"requires_grad_", [](A a) { a.tensor(0).requires_grad_(a.get<bool>(1)); }},
        {"backward",
         [](A a) {
             Tensor& y = a.tensor(0);
             const Tensor gradient = filled(y.shape(), "normal", a.get<std::uint32_t>(1));
             y.backward(gradient.to(y.device()), a.get<bool>(2));
         }},
    };
    return all;
}

// A program while it runs.
class Execution {
public:
    Execution(const Json& program, const Device& device) : program_(program) {
        for (const Json& input : program.at("inputs")) {
            const Tensor x = filled(shape_of(input[0]), input[1], input[2]);
            variables_.push_back(x.to(device));
            if (input[3].get<bool>()) variables_.back().requires_grad_();
        }
    }

    // What is wrong; "" if nothing.
    std::string result() {
        for (const Json& step : program_.at("steps")) {
            auto name = step[0].get<std::string>();
            const bool must_throw = name[0] == '!';
            const bool may_throw = name[0] == '?';
            if (must_throw || may_throw) name.erase(0, 1);
            std::string thrown;
            try {
                execute(name, step);
            } catch (const lanes::Error& error) {
                thrown = error.what();
            }
            if (may_throw && !thrown.empty()) return "";
            if (must_throw != !thrown.empty())
                return "step " + step.dump() + (must_throw ? " threw no Error" : ": " + thrown);
        }
        return compared();
    }

private:
    void execute(const std::string& name, const Json& step) {
        const Arguments arguments(step, variables_);
        if (name == "no_grad")
            no_grad_ = step[1].get<bool>() ? std::make_unique<lanes::NoGrad>() : nullptr;
        else if (changes().count(name) > 0)
            changes().at(name)(arguments);
        else
            variables_.push_back(operations().at(name)(arguments));
    }

    std::string compared() const {
        const bool ended = program_.at("steps").back()[0] == "!backward";
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const Tensor& x = variables_[i];
            const Json& expected = program_.at("expected")[i];
            std::string wrong = difference(x, expected.contains("shape") ? expected : input(i));
            if (wrong.empty() && x.requires_grad() != expected.at("requires_grad").get<bool>())
                wrong = "requires_grad()";
            if (wrong.empty() && !ended && x.has_grad() != expected.contains("grad"))
                wrong = "has_grad()";
            if (wrong.empty() && !ended && x.has_grad() && x.requires_grad()) {
                wrong = difference(x.grad(), expected.at("grad"));
                if (!wrong.empty()) wrong = "gradient: " + wrong;
            }
            if (!wrong.empty()) return "v" + std::to_string(i) + ": " + wrong;
        }
        return "";
    }

    // An input that was not changed is not stored again.
    Json input(std::size_t i) const {
        const Json& made = program_.at("inputs")[i];
        Json values = Json::array();
        for (const double value : values_of(filled(shape_of(made[0]), made[1], made[2])))
            values.push_back(std::isfinite(value) ? Json(value) : Json(std::to_string(value)));
        return {{"shape", made[0]}, {"values", values}};
    }

    const Json& program_;
    std::vector<Tensor> variables_;
    std::unique_ptr<lanes::NoGrad> no_grad_;
};

class RandomTensors : public OnEachDevice {};

TEST_P(RandomTensors, HaveTheValuesAndGradientsOfPyTorch) {
    std::size_t number = 0;
    for (const Json& program : programs_of("tensors")) {
        const std::string wrong = Execution(program, device()).result();
        if (!wrong.empty())
            ADD_FAILURE() << "program " << number << ": " << wrong << "\ninputs "
                          << program.at("inputs").dump() << "\nsteps "
                          << program.at("steps").dump();
        ++number;
    }
}

INSTANTIATE_ON_EACH_DEVICE(RandomTensors);

}  // namespace
}  // namespace lanes_random
