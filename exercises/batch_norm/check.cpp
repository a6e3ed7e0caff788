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

struct NormCase {
    std::size_t batch;
    std::size_t channels;
    std::size_t rows;
    std::size_t columns;
    bool training;
    double spread = 1;  // the numbers are multiplied by it
};

std::string words(const NormCase& one) {
    return std::string(one.training ? "training" : "evaluation") + ", " +
           std::to_string(one.batch) + " x " + std::to_string(one.channels) + " x " +
           std::to_string(one.rows) + " x " + std::to_string(one.columns) +
           (one.spread == 1 ? " numbers" : " numbers that differ little");
}

Tensor4 random_batch(const NormCase& one) {
    Rng rng = Rng(93).split(one.batch * 1000 + one.channels * 100 + one.rows);
    Tensor4 x = Tensor4::from_shape({one.batch, one.channels, one.rows, one.columns});
    for (std::size_t n = 0; n < one.batch; ++n)
        for (std::size_t c = 0; c < one.channels; ++c)
            for (std::size_t i = 0; i < one.rows * one.columns; ++i)
                x(n, c, i / one.columns, i % one.columns) =
                    static_cast<float>(one.spread * rng.uniform(-1, 2 + static_cast<double>(c)));
    return x;
}

resnet::BatchNormState random_state(std::size_t channels) {
    Rng rng(94);
    const auto draw = [&](double low, double high) {
        std::vector<float> values(channels);
        for (float& value : values) value = static_cast<float>(rng.uniform(low, high));
        return values;
    };
    resnet::BatchNormState state;
    state.gamma = draw(0.5, 2);
    state.beta = draw(-1, 1);
    state.running_mean = draw(-1, 1);
    state.running_var = draw(0.5, 2);
    return state;
}

// The usual mistakes.
struct Way {
    bool batch_statistics = false;    // in evaluation, too
    bool running_statistics = false;  // in training, too
    bool by_picture = false;          // mean and variance of each picture
    bool over_all = false;            // of all channels together
    bool no_root = false;
    bool after_root = false;  // 1e-5 is added after the root
    bool no_learned = false;  // neither gamma nor beta
    bool moves_nine = false;  // the running statistics move nine tenths
    bool stays = false;       // they do not move
    bool biased = false;      // the running variance, divided by n
    bool unbiased_y = false;  // the result by the variance divided by n - 1
};

struct Result {
    Values y, mean, variance;  // of the running statistics
};

Values list(const std::vector<float>& values) {
    return {{values.size()}, {values.begin(), values.end()}};
}

// Adds up what belongs together: one channel, in one picture or in all, or everything.
struct Moments {
    double n = 0, mean = 0, variance = 0;
    Moments(const Tensor4& x, std::size_t picture, std::size_t channel, const Way& way) {
        const std::size_t pixels = x.shape(2) * x.shape(3);
        const auto each = [&](auto&& visit) {
            for (std::size_t b = 0; b < x.shape(0); ++b)
                for (std::size_t c = 0; c < x.shape(1); ++c)
                    for (std::size_t i = 0; i < pixels; ++i)
                        if ((!way.by_picture || b == picture) && (way.over_all || c == channel))
                            visit(static_cast<double>(x(b, c, i / x.shape(3), i % x.shape(3))));
        };
        each([&](double value) {
            mean += value;
            ++n;
        });
        mean /= n;
        each([&](double value) { variance += (value - mean) * (value - mean); });
        variance /= n;
    }
};

Result result(const NormCase& one, const Tensor4& x, const Way& way) {
    resnet::BatchNormState state = random_state(one.channels);
    const bool by_batch = (one.training || way.batch_statistics) && !way.running_statistics;
    Tensor4 y = Tensor4::from_shape(x.shape());
    for (std::size_t c = 0; c < one.channels; ++c) {
        for (std::size_t b = 0; b < one.batch; ++b) {
            const Moments moments(x, b, c, way);
            const double mean =
                by_batch ? moments.mean : static_cast<double>(state.running_mean[c]);
            double variance =
                by_batch ? moments.variance : static_cast<double>(state.running_var[c]);
            if (way.unbiased_y && by_batch) variance *= moments.n / (moments.n - 1);
            const double scale = way.no_root      ? variance + 1e-5
                                 : way.after_root ? std::sqrt(variance) + 1e-5
                                                  : std::sqrt(variance + 1e-5);
            for (std::size_t i = 0; i < one.rows; ++i)
                for (std::size_t j = 0; j < one.columns; ++j) {
                    const double value = (static_cast<double>(x(b, c, i, j)) - mean) / scale;
                    y(b, c, i, j) = static_cast<float>(
                        way.no_learned ? value
                                       : value * static_cast<double>(state.gamma[c]) +
                                             static_cast<double>(state.beta[c]));
                }
        }
        if (!one.training || way.stays) continue;
        const Moments moments(x, 0, c, Way{});
        const double unbiased =
            way.biased ? moments.variance : moments.variance * moments.n / (moments.n - 1);
        const float share = way.moves_nine ? 0.9f : 0.1f;
        float& mean = state.running_mean[c];
        float& variance = state.running_var[c];
        mean += share * (static_cast<float>(moments.mean) - mean);
        variance += share * (static_cast<float>(unbiased) - variance);
    }
    return {notebook::values_of(y), list(state.running_mean), list(state.running_var)};
}

Way way(bool Way::* member) {
    Way one;
    one.*member = true;
    return one;
}

void judge_batch(Judge& judge, BatchNormalise::Answer answer, const NormCase& one) {
    const Tensor4 x = random_batch(one);
    resnet::BatchNormState state = random_state(one.channels);
    const resnet::BatchNormState before = state;
    const Result right = result(one, x, {});
    const auto with = [&](bool Way::* member) { return result(one, x, way(member)); };
    const Tensor4 got = judge.call([&] { return answer(x, state, one.training); });
    About about;
    about.what = "the result";
    about.tolerance = {1e-4, 1e-3};
    about.known = {
        {with(&Way::batch_statistics).y,
         "In evaluation mode the running statistics are used, not those of the batch."},
        {with(&Way::running_statistics).y,
         "In training mode mean and variance are those of the batch."},
        {with(&Way::over_all).y, "Each channel has its own mean and variance."},
        {with(&Way::by_picture).y,
         "Mean and variance are those of the whole batch, over all its pictures."},
        {with(&Way::no_root).y, "The square root of the variance is missing."},
        {with(&Way::after_root).y, "1e-5 is added to the variance, before the square root."},
        {with(&Way::no_learned).y, "gamma and beta are missing: y = gamma * … + beta."},
        {with(&Way::unbiased_y).y,
         "To normalise, the variance is divided by n. Only the running variance gets n - 1."}};
    judge.same(notebook::values_of(got), right.y, about);
    const auto judge_running = [&](const std::string& what, const std::vector<float>& values,
                                   Values Result::* member) {
        About running;
        running.what = what;
        running.tolerance = {1e-4, 1e-3};
        if (one.training)
            running.known = {
                {with(&Way::stays).*member,
                 "It has not moved. In training mode it moves a tenth of the way towards the "
                 "batch: running = 0.9 * running + 0.1 * of_batch."},
                {with(&Way::moves_nine).*member, "0.9 and 0.1 are exchanged."},
                {with(&Way::biased).*member,
                 "The running variance moves towards the unbiased variance: the sum of squares "
                 "divided by n - 1, as PyTorch has it."}};
        judge.same(list(values), right.*member, running);
    };
    judge.require(
        one.training ||
            (state.running_mean == before.running_mean && state.running_var == before.running_var),
        "the running statistics have changed.", "In evaluation mode they stay as they are.");
    judge_running("running_mean", state.running_mean, &Result::mean);
    judge_running("running_var", state.running_var, &Result::variance);
}

}  // namespace

BatchNormalise::BatchNormalise()
    : Exercise(text_of<BatchNormalise>(
          "batch_norm",
          "Normalises each channel of x, (batch, channels, rows, columns): y = gamma * (x - mean) "
          "/ sqrt(variance + 1e-5) + beta. In training mode mean and variance are those of the "
          "batch, and the running statistics move a tenth of the way towards them (the variance "
          "divided by n - 1); in evaluation mode the running statistics are used.",
          "fifteen lines",
          "xt::view(x, xt::all(), c) is channel c of all pictures; xt::mean(…)() and "
          "xt::variance(…)() are numbers. n is the number of elements of the channel.")) {}

void BatchNormalise::check(Answer answer) const {
    const std::vector<NormCase> cases{{4, 3, 2, 5, false},
                                      {4, 3, 2, 5, true},
                                      {2, 5, 3, 3, true, 0.002},
                                      {1, 2, 4, 3, true},
                                      {1, 4, 1, 1, false}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const NormCase& one) {
        judge_batch(judge, answer, one);
    });
}

}  // namespace lanes::exercises
