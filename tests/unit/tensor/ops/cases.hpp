// One entry per operation: how it is called, and what it computes by the plain loops in double. A
// new operation needs one more entry here; its values and its gradients are then tested on every
// device.
#pragma once

#include "lanes/tensor.hpp"
#include "tensor/plain/batch_norm.hpp"
#include "tensor/plain/elementwise.hpp"
#include "tensor/plain/images.hpp"
#include "tensor/plain/matmul.hpp"
#include "tensor/plain/reduce.hpp"
#include "tensor/plain/shapes.hpp"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace lanes {

using Doubles = plain::Array<double>;

struct OperationCase {
    std::string name;
    std::vector<Shape> shapes;  // of the inputs
    std::function<Tensor(const std::vector<Tensor>&)> compute;
    std::function<Doubles(const std::vector<Doubles>&)> expected;
    bool positive = false;  // the inputs are between 0.5 and 2
};

inline std::ostream& operator<<(std::ostream& out, const OperationCase& one) {
    return out << one.name;
}

inline Doubles reshaped(Doubles x, const Shape& shape) {
    x.shape = shape;
    return x;
}

template <class Operation>
OperationCase unary_case(const char* name, Tensor (*compute)(const Tensor&), Operation operation,
                         bool positive = false) {
    return {name,
            {{3, 7}},
            [=](const auto& in) { return compute(in[0]); },
            [=](const auto& in) { return plain::map(in[0], operation); },
            positive};
}

template <class Compute, class Operation>
OperationCase binary_case(const std::string& name, const Shape& a, const Shape& b,
                          const Shape& result, Compute compute, Operation operation,
                          bool positive = false) {
    return {name,
            {a, b},
            [=](const auto& in) { return compute(in[0], in[1]); },
            [=](const auto& in) { return plain::combine(in[0], in[1], result, operation); },
            positive};
}

inline OperationCase matmul_case(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n,
                                 std::size_t k) {
    return {std::string("matmul_") + (transpose_a ? "T" : "N") + (transpose_b ? "T" : "N") + "_" +
                std::to_string(m),
            {transpose_a ? Shape{k, m} : Shape{m, k}, transpose_b ? Shape{n, k} : Shape{k, n}},
            [=](const auto& in) { return matmul(in[0], in[1], transpose_a, transpose_b); },
            [=](const auto& in) { return plain::matmul(in[0], in[1], transpose_a, transpose_b); }};
}

inline OperationCase sum_case(const std::string& name, const Shape& shape,
                              const std::vector<int>& axes, bool average) {
    return {
        name,
        {shape},
        [=](const auto& in) { return average ? mean(in[0], axes, true) : sum(in[0], axes, true); },
        [=](const auto& in) {
            Doubles y = plain::sum(in[0], std::vector<std::size_t>(axes.begin(), axes.end()));
            const double share =
                average ? static_cast<double>(y.size()) / static_cast<double>(in[0].size()) : 1;
            return plain::map(y, [=](double v) { return share * v; });
        }};
}

inline OperationCase softmax_case(const std::string& name, const Shape& shape, int axis, bool log) {
    return {name,
            {shape},
            [=](const auto& in) { return log ? log_softmax(in[0], axis) : softmax(in[0], axis); },
            [=](const auto& in) {
                const Doubles y = plain::softmax(in[0], static_cast<std::size_t>(axis));
                return log ? plain::map(y, [](double v) { return std::log(v); }) : y;
            }};
}

inline OperationCase linear_case(const std::string& name, Activation activation) {
    return {name,
            {{5, 4}, {3, 4}, {3}},
            [=](const auto& in) { return linear(in[0], in[1], in[2], activation); },
            [=](const auto& in) {
                Doubles y = plain::matmul(in[0], in[1], false, true);
                y = plain::combine(y, in[2], y.shape, std::plus<>());
                return activation == Activation::relu      ? plain::relu(y)
                       : activation == Activation::sigmoid ? plain::sigmoid(y)
                                                           : y;
            }};
}

inline OperationCase conv_case(const std::string& name, const Shape& x, const Shape& weight,
                               std::size_t stride, std::size_t padding) {
    const auto options = Conv2dOptions().stride(stride).padding(padding);
    return {name,
            {x, weight, Shape{weight[0]}},
            [=](const auto& in) { return conv2d(in[0], in[1], in[2], options); },
            [=](const auto& in) { return plain::conv2d(in[0], in[1], in[2], stride, padding); }};
}

// stride: 0 for that of the kernel
inline OperationCase pool_case(const std::string& name, bool average, const Shape& x,
                               std::size_t kernel, std::size_t stride, std::size_t padding) {
    auto options = Pool2dOptions(kernel).padding(padding);
    if (stride != 0) options.stride(stride);
    return {name,
            {x},
            [=](const auto& in) {
                return average ? avg_pool2d(in[0], options) : max_pool2d(in[0], options);
            },
            [=](const auto& in) {
                const std::size_t step = stride == 0 ? kernel : stride;
                return average ? plain::avg_pool2d(in[0], kernel, step, padding)
                               : plain::max_pool2d(in[0], kernel, step, padding);
            }};
}

inline OperationCase adaptive_case(const std::string& name, const Shape& x, std::size_t height,
                                   std::size_t width) {
    return {name,
            {x},
            [=](const auto& in) { return adaptive_avg_pool2d(in[0], height, width); },
            [=](const auto& in) { return plain::adaptive_avg_pool2d(in[0], height, width); }};
}

inline OperationCase batch_norm_case(const std::string& name, const Shape& x, bool training) {
    const Shape channels{x[1]};
    return {name,
            {x, channels, channels},
            [=](const auto& in) {
                Tensor mean = Tensor::full(channels, 0.5f, in[0].device());
                Tensor variance = Tensor::full(channels, 2, in[0].device());
                return batch_norm(in[0], in[1], in[2], mean, variance, training);
            },
            [=](const auto& in) {
                Doubles mean(channels, training ? 0.0 : 0.5);
                Doubles variance(channels, training ? 0.0 : 2.0);
                if (training) plain::statistics(in[0], mean, variance);
                return plain::normalize(in[0], mean, variance, in[1], in[2], 1e-5);
            }};
}

inline std::vector<OperationCase> cases() {
    std::vector<OperationCase> all;
    const auto plus = [](const auto& a, const auto& b) { return a + b; };
    const auto minus = [](const auto& a, const auto& b) { return a - b; };
    const auto times = [](const auto& a, const auto& b) { return a * b; };
    const auto over = [](const auto& a, const auto& b) { return a / b; };
    all.push_back(binary_case("add", {3, 5}, {3, 5}, {3, 5}, plus, plus));
    all.push_back(binary_case("add_row", {4, 5}, {5}, {4, 5}, plus, plus));
    all.push_back(binary_case("add_channel", {2, 3, 2, 2}, {3, 1, 1}, {2, 3, 2, 2}, plus, plus));
    all.push_back(binary_case("subtract_column", {3, 1}, {3, 4}, {3, 4}, minus, minus));
    all.push_back(binary_case("multiply", {2, 3, 4}, {2, 3, 4}, {2, 3, 4}, times, times));
    all.push_back(binary_case("multiply_outer", {3, 1}, {1, 4}, {3, 4}, times, times));
    all.push_back(binary_case("multiply_number", {}, {2, 3}, {2, 3}, times, times));
    all.push_back(binary_case("divide", {3, 4}, {4}, {3, 4}, over, over, true));
    all.push_back({"numbers",
                   {{2, 3}},
                   [](const auto& in) { return 2 / ((1 - in[0] * 3 / 2) * (in[0] + 2) - 1 + 9); },
                   [](const auto& in) {
                       return plain::map(
                           in[0], [](double v) { return 2 / ((1 - v * 3 / 2) * (v + 2) - 1 + 9); });
                   }});
    all.push_back(unary_case("exp", exp, [](double v) { return std::exp(v); }));
    all.push_back(unary_case("log", log, [](double v) { return std::log(v); }, true));
    all.push_back(unary_case("sqrt", sqrt, [](double v) { return std::sqrt(v); }, true));
    all.push_back(unary_case("square", square, [](double v) { return v * v; }));
    all.push_back(unary_case("relu", relu, [](double v) { return v > 0 ? v : 0.0; }));
    all.push_back(unary_case("sigmoid", sigmoid, [](double v) { return 1 / (1 + std::exp(-v)); }));
    all.push_back(unary_case("tanh", tanh, [](double v) { return std::tanh(v); }));

    all.push_back(sum_case("sum_last", {3, 5}, {1}, false));
    all.push_back(sum_case("sum_first", {3, 5}, {0}, false));
    all.push_back(sum_case("sum_middle", {2, 3, 4}, {1}, false));
    all.push_back(sum_case("sum_all", {2, 3, 4}, {0, 1, 2}, false));
    all.push_back(sum_case("mean_outer", {2, 3, 4, 5}, {0, 2, 3}, true));
    all.push_back({"max",
                   {{3, 4, 2}},
                   [](const auto& in) { return max(in[0], 1, true); },
                   [](const auto& in) { return plain::max(in[0], 1); }});
    all.push_back(
        {"max_all",
         {{5, 9}},
         [](const auto& in) { return max(in[0]); },
         [](const auto& in) { return reshaped(plain::max(reshaped(in[0], {45}), 0), {}); }});

    for (const bool a : {false, true})
        for (const bool b : {false, true}) {
            all.push_back(matmul_case(a, b, 3, 5, 4));
            all.push_back(matmul_case(a, b, 17, 33, 19));
        }
    all.push_back(linear_case("linear", Activation::none));
    all.push_back(linear_case("linear_relu", Activation::relu));
    all.push_back(linear_case("linear_sigmoid", Activation::sigmoid));

    all.push_back({"reshape",
                   {{2, 6}},
                   [](const auto& in) { return in[0].reshape({3, -1}); },
                   [](const auto& in) { return reshaped(in[0], {3, 4}); }});
    all.push_back({"slice",
                   {{5, 3}},
                   [](const auto& in) { return in[0].slice(1, 4); },
                   [](const auto& in) { return plain::index_select(in[0], {1, 2, 3}); }});
    all.push_back({"transpose",
                   {{3, 4}},
                   [](const auto& in) { return transpose(in[0]); },
                   [](const auto& in) { return plain::permute(in[0], {1, 0}); }});
    all.push_back({"permute",
                   {{2, 3, 4, 5}},
                   [](const auto& in) { return permute(in[0], {2, 0, 3, 1}); },
                   [](const auto& in) { return plain::permute(in[0], {2, 0, 3, 1}); }});
    all.push_back({"pad",
                   {{2, 3, 4}},
                   [](const auto& in) { return pad(in[0], {1, 2, 3, 0}, 0.5f); },
                   [](const auto& in) { return plain::pad(in[0], 1, 2, 3, 0, 0.5); }});
    all.push_back({"cat",
                   {{2, 3}, {1, 3}, {4, 3}},
                   [](const auto& in) { return cat(in); },
                   [](const auto& in) { return plain::cat(in, 0); }});
    all.push_back({"cat_last",
                   {{2, 3, 4}, {2, 3, 1}},
                   [](const auto& in) { return cat(in, -1); },
                   [](const auto& in) { return plain::cat(in, 2); }});
    all.push_back({"stack",
                   {{2, 3}, {2, 3}},
                   [](const auto& in) { return stack(in); },
                   [](const auto& in) { return reshaped(plain::cat(in, 0), {2, 2, 3}); }});
    all.push_back({"stack_last",
                   {{2, 3}, {2, 3}},
                   [](const auto& in) { return stack(in, -1); },
                   [](const auto& in) {
                       return plain::cat<double>(
                           {reshaped(in[0], {2, 3, 1}), reshaped(in[1], {2, 3, 1})}, 2);
                   }});
    all.push_back({"index_select",
                   {{4, 3}},
                   [](const auto& in) {
                       const std::vector<int> rows{2, 0, 2, 3};
                       return index_select(in[0], Tensor::from(rows, in[0].device()));
                   },
                   [](const auto& in) { return plain::index_select(in[0], {2, 0, 2, 3}); }});

    all.push_back(softmax_case("softmax", {4, 5}, 1, false));
    all.push_back(softmax_case("softmax_middle", {2, 5, 3}, 1, false));
    all.push_back(softmax_case("log_softmax", {4, 70}, 1, true));
    all.push_back({"cross_entropy",
                   {{4, 5}},
                   [](const auto& in) {
                       const std::vector<int> labels{4, 0, 2, 2};
                       return cross_entropy(in[0], Tensor::from(labels, in[0].device()));
                   },
                   [](const auto& in) { return plain::cross_entropy(in[0], {4, 0, 2, 2}); }});
    all.push_back({"mse_loss",
                   {{3, 4}, {3, 4}},
                   [](const auto& in) { return mse_loss(in[0], in[1]); },
                   [=](const auto& in) {
                       const auto squares = plain::combine(
                           in[0], in[1], in[0].shape,
                           [](double a, double b) { return (a - b) * (a - b) / 12; });
                       return reshaped(plain::sum(squares, {0, 1}), {});
                   }});

    all.push_back(conv_case("conv2d", {2, 3, 5, 6}, {4, 3, 3, 3}, 1, 1));
    all.push_back(conv_case("conv2d_stride", {2, 2, 7, 6}, {3, 2, 3, 2}, 2, 0));
    all.push_back(conv_case("conv2d_one", {1, 3, 3, 3}, {2, 3, 1, 1}, 1, 0));
    all.push_back(pool_case("max_pool2d", false, {2, 2, 4, 6}, 2, 0, 0));
    all.push_back(pool_case("max_pool2d_overlap", false, {1, 2, 7, 6}, 3, 2, 1));
    all.push_back(pool_case("avg_pool2d", true, {2, 2, 4, 6}, 2, 0, 0));
    all.push_back(pool_case("avg_pool2d_overlap", true, {1, 2, 7, 6}, 3, 2, 1));
    all.push_back(adaptive_case("adaptive_avg_pool2d", {2, 2, 5, 7}, 2, 3));
    all.push_back(adaptive_case("adaptive_avg_pool2d_one", {2, 3, 4, 4}, 1, 1));
    all.push_back(batch_norm_case("batch_norm", {3, 2, 2, 3}, true));
    all.push_back(batch_norm_case("batch_norm_rows", {6, 3}, true));
    all.push_back(batch_norm_case("batch_norm_eval", {3, 2, 2, 3}, false));
    return all;
}

}  // namespace lanes
