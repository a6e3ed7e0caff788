#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

constexpr float rate = 0.4f;

struct Case {
    std::size_t samples, inputs, hidden, classes;
};

std::string words(const Case& one) {
    return "a network " + std::to_string(one.inputs) + "-" + std::to_string(one.hidden) + "-" +
           std::to_string(one.classes) + ", " + std::to_string(one.samples) +
           (one.samples == 1 ? " sample" : " samples");
}

struct Setting {
    TapeNetwork network;
    Matrix x;
    std::vector<int> labels;
};

Setting setting_of(const Case& one) {
    Setting s{TapeNetwork::random({one.inputs, one.hidden, one.classes}, 81),
              Matrix::from_shape({one.samples, one.inputs}),
              {}};
    Rng rng(82);
    for (Matrix* m : {&s.x, &s.network.b1, &s.network.b2})
        for (float& value : *m) value = static_cast<float>(rng.uniform(-1, 1));
    for (std::size_t i = 0; i < one.samples; ++i)
        s.labels.push_back(static_cast<int>(rng.integer(0, static_cast<int>(one.classes) - 1)));
    return s;
}

std::vector<Matrix> matrices(const TapeNetwork& net) { return {net.w1, net.b1, net.w2, net.b2}; }

Values joined(const std::vector<Matrix>& of) {
    Values values{{0}, {}};
    for (const Matrix& m : of) values.numbers.insert(values.numbers.end(), m.begin(), m.end());
    values.shape[0] = values.numbers.size();
    return values;
}

Values number(double value) { return {{1}, {value}}; }

About about_weights(const std::vector<Matrix>& before, const std::vector<Matrix>& right) {
    About about;
    about.what = "w1, b1, w2 and b2, one after the other";
    about.tolerance = {1e-4, 1e-3};
    const auto add = [&](const std::vector<Matrix>& gives, const char* words) {
        about.known.push_back({joined(gives), words});
    };
    std::vector<Matrix> uphill, without_rate;
    for (std::size_t i = 0; i < before.size(); ++i) {
        uphill.push_back(2 * before[i] - right[i]);
        without_rate.push_back(before[i] + (right[i] - before[i]) / rate);
    }
    add(before,
        "The network is as it was: tape.backward(loss) computes the gradients, which are 0 before. "
        "Then subtract rate times the gradient from each matrix.");
    add(uphill, "The step goes uphill: the gradient is subtracted.");
    add(without_rate, "The gradients are not multiplied by the rate.");
    add({right[0], before[1], right[2], before[3]}, "The biases are as they were.");
    add({before[0], before[1], right[2], right[3]}, "The first layer is as it was.");
    add({right[0], right[1], before[2], before[3]}, "The second layer is as it was.");
    return about;
}

void judge_case(Judge& judge, TrainWithTape::Answer answer, const Case& one) {
    const Setting s = setting_of(one);
    TapeNetwork net = s.network, expected = s.network;
    const double right = spare::train_with_tape(expected, s.x, s.labels, rate);
    const double got = judge.call([&] { return answer(net, s.x, s.labels, rate); });
    const std::vector<Matrix> before = matrices(s.network), after = matrices(net);
    for (std::size_t i = 0; i < before.size(); ++i)
        judge.require(after[i].shape() == before[i].shape(),
                      "a matrix of the network has another shape than before.",
                      "w1, b1, w2 and b2 keep their shapes; biases have one row.");
    judge.same(joined(after), joined(matrices(expected)),
               about_weights(before, matrices(expected)));

    TapeNetwork again = expected;
    About about;
    about.what = "the loss";
    about.tolerance = {1e-4, 1e-3};
    about.known = {{number(spare::train_with_tape(again, s.x, s.labels, rate)),
                    "This is the loss after the step. Return the one that was differentiated."},
                   {number(right * static_cast<double>(one.samples)),
                    "This is the sum over the samples, not their mean."}};
    judge.same(number(got), number(right), about);
}

}  // namespace

TrainWithTape::TrainWithTape()
    : Exercise(text_of<TrainWithTape>(
          "train_with_tape",
          "One training step of relu(x w1 + b1) w2 + b2 with cross-entropy, by a tape: changes "
          "the four matrices of the network and returns the mean loss.",
          "twelve lines",
          "A new Tape and four variables; hidden = relu(add_bias(product(x, w1), b1)), logits = "
          "add_bias(product(hidden, w2), b2), their loss; backward; net.w1 -= rate * w1->grad and "
          "so on.")) {}

void TrainWithTape::check(Answer answer) const {
    const std::vector<Case> cases{{5, 4, 6, 3}, {1, 3, 4, 2}, {33, 7, 8, 10}};
    notebook::judge_cases(text(), answer, cases,
                          [&](Judge& judge, const Case& one) { judge_case(judge, answer, one); });
}

}  // namespace lanes::exercises
