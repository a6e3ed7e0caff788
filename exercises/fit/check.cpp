#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/lesson/spare_network.hpp"
#include "lanes/mlp/functions.hpp"

#include <string>
#include <utility>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct FitCase {
    Sizes sizes;
    std::size_t images, epochs;
    float rate;
};

std::string words(const FitCase& one) {
    return std::to_string(one.images) + " images, " + std::to_string(one.epochs) +
           (one.epochs == 1 ? " epoch" : " epochs") + ", learning rate " +
           lanes::detail::Part(one.rate).text();
}

struct Loop {
    enum Order { each_epoch, once, never, only_images } order = each_epoch;
    std::size_t batch_size = 16;
    bool first_batch_only = false;
    bool full_batches_only = false;
    bool one_epoch = false;
};

Parameters trained(Parameters network, const Dataset& training, const FitCase& one, Rng rng,
                   const Loop& loop) {
    const auto mixed = [&] {
        Dataset rows = rows_of(training, rng.permutation(training.size()));
        if (loop.order == Loop::only_images) rows.y = training.y;
        return rows;
    };
    Dataset rows = loop.order == Loop::once ? mixed() : training;
    for (std::size_t epoch = 0; epoch < (loop.one_epoch ? 1 : one.epochs); ++epoch) {
        if (loop.order == Loop::each_epoch || loop.order == Loop::only_images) rows = mixed();
        for (const Dataset& batch : create_batches(rows.x, rows.y, loop.batch_size)) {
            if (loop.full_batches_only && batch.size() < loop.batch_size) continue;
            spare::descend(
                network,
                spare::backward(spare::forward(batch.x, network), batch.y, network.weights),
                one.rate);
            if (loop.first_batch_only) break;
        }
    }
    return network;
}

std::vector<std::pair<Loop, const char*>> mistakes(std::size_t images) {
    std::vector<std::pair<Loop, const char*>> all(8);
    all[0].first.order = Loop::never;
    all[0].second = "The images are not shuffled: draw a new order with rng.permutation.";
    all[1].first.order = Loop::once;
    all[1].second = "The images are shuffled once. Draw a new order in each epoch.";
    all[2].first.order = Loop::only_images;
    all[2].second = "The labels are not shuffled with their images: use lanes::rows_of.";
    all[3].first.batch_size = images;
    all[3].second =
        "The whole epoch is one step: all images are one batch, or the gradients are those of the "
        "weights at its start. Run forward again for each batch of 16.";
    all[4].first.batch_size = 1;
    all[4].second = "A step is made for each image. Make a step per batch of 16.";
    all[5].first.first_batch_only = true;
    all[5].second = "Only the first batch of each epoch is used.";
    all[6].first.full_batches_only = true;
    all[6].second = "The last batch, which is smaller, is left out.";
    all[7].first.one_epoch = true;
    all[7].second = "Only one epoch is run: is the argument epochs used?";
    return all;
}

}  // namespace

Fit::Fit()
    : Exercise(text_of<Fit>(
          "fit",
          "Trains the network for some epochs. In each epoch the images get a new random order, "
          "and each batch of 16 gives one step of gradient descent.",
          "seven lines",
          "In each epoch: lanes::rows_of(training, rng.permutation(training.size())), "
          "create_batches(x, y, 16), and for each batch forward, backward, descend.")) {}

void Fit::check(Answer answer) const {
    const std::vector<FitCase> cases{{{5, 4, 3}, 16, 1, 0.5f},
                                     {{5, 4, 3}, 40, 2, 0.5f},
                                     {{6, 7, 5, 4}, 100, 3, 0.2f},
                                     {{3, 2}, 20, 0, 1}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const FitCase& one) {
        Rng rng = Rng(1006).split(one.images);
        const Parameters before = network_check::random_parameters(one.sizes, rng);
        const Dataset training{
            network_check::random_matrix(one.images, one.sizes.front(), rng, 0, 1),
            network_check::random_matrix(one.images, one.sizes.back(), rng, 0, 1)};
        const Rng order = rng.split(1);
        const Parameters right = trained(before, training, one, order, {});
        Parameters network = before;
        Rng drawn = order;
        judge.call([&] { answer(network, training, one.epochs, one.rate, drawn); });
        network_check::judge_shapes(judge, network, right, "network");
        About about;
        about.what = "the network after the training: its weights, then its biases";
        about.tolerance = {1e-4, 1e-3};
        const auto add = [&](const Parameters& gives, const char* words) {
            about.known.push_back({network_check::all_of(gives), words});
        };
        add(before, "Nothing was trained: the network is the one that was given.");
        FitCase faster = one;
        faster.rate = 0.1f;
        add(trained(before, training, faster, order, {}),
            "Is the learning rate 0.1 everywhere? Use the argument rate.");
        FitCase slower = one;
        slower.rate = one.rate / 16;
        add(trained(before, training, slower, order, {}),
            "The steps are 16 times too small. Use the rate as it is: it is not divided by the "
            "batch size.");
        for (const auto& [loop, words] : mistakes(one.images))
            add(trained(before, training, one, order, loop), words);
        judge.same(network_check::all_of(network), network_check::all_of(right), about);
    });
}

}  // namespace lanes::exercises
