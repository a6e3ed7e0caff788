// The operations against stored results and gradients of PyTorch, which pytorch_values.py beside
// this file writes: an oracle that shares no mistake with the plain loops of src/tensor/plain.
#include "devices.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>

namespace lanes {
namespace {

using Inputs = std::vector<Tensor>;
using Operation = std::function<Tensor(const Inputs&)>;

Tensor batch_norm_of(const Inputs& in, bool training) {
    Tensor mean = Tensor::full({2}, 0.5f, in[0].device());
    Tensor variance = Tensor::full({2}, 2, in[0].device());
    return batch_norm(in[0], in[1], in[2], mean, variance, {training});
}

const std::map<std::string, Operation>& operations() {
    static const std::map<std::string, Operation> all{
        {"matmul", [](const Inputs& in) { return matmul(in[0], in[1]); }},
        {"linear", [](const Inputs& in) { return linear(in[0], in[1], in[2]); }},
        {"broadcast", [](const Inputs& in) { return in[0] * in[1] - in[0] / (in[1] * in[1] + 1); }},
        {"tanh", [](const Inputs& in) { return tanh(in[0]); }},
        {"sigmoid", [](const Inputs& in) { return sigmoid(in[0]); }},
        {"softmax", [](const Inputs& in) { return softmax(in[0], 1); }},
        {"log_softmax", [](const Inputs& in) { return log_softmax(in[0], 1); }},
        {"cross_entropy",
         [](const Inputs& in) {
             const std::vector<int> labels{4, 0, 2, 2};
             return cross_entropy(in[0], Tensor::from(labels, in[0].device()));
         }},
        {"mean", [](const Inputs& in) { return mean(in[0], {0, 2}); }},
        {"max", [](const Inputs& in) { return max(in[0], 1); }},
        {"conv2d", [](const Inputs& in) { return conv2d(in[0], in[1], in[2], {2, 1}); }},
        {"max_pool2d", [](const Inputs& in) { return max_pool2d(in[0], {3, 2, 1}); }},
        {"avg_pool2d", [](const Inputs& in) { return avg_pool2d(in[0], {3, 2, 1}); }},
        {"adaptive_avg_pool2d", [](const Inputs& in) { return adaptive_avg_pool2d(in[0], 3, 5); }},
        {"batch_norm", [](const Inputs& in) { return batch_norm_of(in, true); }},
        {"batch_norm_eval", [](const Inputs& in) { return batch_norm_of(in, false); }},
    };
    return all;
}

const nlohmann::json& stored() {
    static const nlohmann::json values = [] {
        std::ifstream file(LANES_PYTORCH_VALUES);
        return nlohmann::json::parse(file);
    }();
    return values;
}

Tensor tensor_of(const nlohmann::json& entry, const Device& device) {
    return Tensor::from(entry.at("values").get<std::vector<float>>())
        .reshape(Shape(entry.at("shape").get<std::vector<int>>()))
        .to(device);
}

void expect_equal(const Tensor& actual, const nlohmann::json& expected, const std::string& what) {
    EXPECT_EQ(actual.shape(), Shape(expected.at("shape").get<std::vector<int>>())) << what;
    const auto wanted = expected.at("values").get<std::vector<float>>();
    const std::vector<float> values = actual.cpu().to_vector();
    ASSERT_EQ(values.size(), wanted.size()) << what;
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], wanted[i], 1e-5 + 1e-4 * std::abs(wanted[i]))
            << what << ", element " << i;
}

class PyTorchValues : public OnEachDevice {};

TEST_P(PyTorchValues, AreThoseOfTheOperations) {
    for (const auto& [name, entry] : stored().at("cases").items()) {
        SCOPED_TRACE(name);
        Inputs inputs;
        for (const auto& input : entry.at("inputs"))
            inputs.push_back(tensor_of(input, device()).requires_grad_());
        Tensor y = operations().at(name)(inputs);
        expect_equal(y, entry.at("y"), "result");
        y.backward(tensor_of(entry.at("weights"), device()));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            expect_equal(inputs[i].grad(), entry.at("gradients")[i],
                         "gradient of input " + std::to_string(i));
    }
}

INSTANTIATE_ON_EACH_DEVICE(PyTorchValues);

}  // namespace
}  // namespace lanes
