#include "exercise.hpp"

#include "../common/checkpoint_files.hpp"
#include "../common/needs.hpp"
#include "lanes/data/image_file.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;

struct LoaderCase {
    std::size_t pictures;
    bool training;
};

std::string words(const LoaderCase& one) {
    return std::to_string(one.pictures) + " pictures, training " +
           (one.training ? "true" : "false");
}

// All pixels of picture i are i.
ImageFolder numbered_pictures(const std::string& folder, std::size_t count) {
    std::filesystem::create_directories(folder + "/plates");
    for (std::size_t i = 0; i < count; ++i) {
        ColorImage image = ColorImage::from_shape({2, 2, 3});
        image.fill(static_cast<unsigned char>(i));
        write_image(folder + "/plates/" + std::to_string(100 + i) + ".png", image);
    }
    return ImageFolder(folder);
}

struct Epoch {
    std::vector<std::size_t> sizes;  // of the batches
    std::vector<long> numbers;       // of the pictures, in their order
};

Epoch epoch_of(DataLoader<2>& loader) {
    Epoch epoch;
    for (auto& [x, y] : loader) {
        epoch.sizes.push_back(x.shape(0));
        for (std::size_t i = 0; i < x.size(); i += x.size() / x.shape(0))
            epoch.numbers.push_back(std::lround(255 * x.data()[i]));
    }
    return epoch;
}

std::string list(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (const std::size_t number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

void judge_sizes(Judge& judge, const Epoch& epoch, const LoaderCase& one) {
    std::vector<std::size_t> right(one.pictures / 8, 8);
    if (one.pictures % 8 > 0) right.push_back(one.pictures % 8);
    if (epoch.sizes == right) return;
    const std::size_t first = epoch.sizes.empty() ? 0 : epoch.sizes.front();
    right.pop_back();
    judge.fail("the batches have " + list(epoch.sizes) + " pictures.",
               epoch.sizes == right ? "The last batch is smaller than 8, and is left out: those "
                                      "pictures would never be seen."
               : first == 1         ? "Without .batch_size(8) a batch is one picture."
                                    : "A batch has 8 pictures: .batch_size(8).");
}

void judge_order(Judge& judge, const std::vector<long>& first, const std::vector<long>& second,
                 const LoaderCase& one) {
    std::vector<long> sorted(one.pictures);
    std::iota(sorted.begin(), sorted.end(), 0);
    if (!one.training) {
        judge.require(first == sorted, "the pictures do not come in their order.",
                      "Only the training is shuffled: what a network says to the test pictures is "
                      "compared with their names, in order.");
        return;
    }
    std::vector<long> seen = first;
    std::sort(seen.begin(), seen.end());
    judge.require(seen == sorted, "an epoch does not have each picture once.");
    judge.require(first != sorted, "the pictures come in their order, one class after the other.",
                  "In the training they are shuffled: .shuffle(training).");
    judge.require(
        first != second, "two epochs have the same order.",
        "The training gets a new order in each epoch: give the loader the folder, and let "
        "it shuffle.");
}

}  // namespace

MakeLoader::MakeLoader()
    : Exercise(text_of<MakeLoader>(
          "make_loader",
          "Makes a data loader: batches of 8 pictures, prepared by two workers. In the training "
          "the pictures come in a new random order in each epoch, else in their own order.",
          "four lines",
          "lanes::DataLoaderOptions options; options.batch_size(8) and so on; return "
          "lanes::DataLoader<2>(pictures, options).")) {}

void MakeLoader::check(Answer answer) const {
    const std::vector<LoaderCase> cases{{20, false}, {20, true}, {16, true}, {3, false}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const LoaderCase& one) {
        const TemporaryFolder folder;
        const ImageFolder pictures = numbered_pictures(folder.path(), one.pictures);
        DataLoader<2> loader = judge.call([&] { return answer(pictures, one.training); });
        const Epoch first = judge.call([&] { return epoch_of(loader); });
        judge_sizes(judge, first, one);
        const Epoch second = judge.call([&] { return epoch_of(loader); });
        judge_order(judge, first.numbers, second.numbers, one);
        const int workers = loader.options().num_workers();
        judge.require(workers == 2,
                      std::to_string(workers) + (workers == 1 ? " worker" : " workers") +
                          " prepare the batches, expected 2.",
                      workers == 0 ? "Without workers the network waits while a batch is made: "
                                     ".num_workers(2)."
                                   : "");
        DataLoader<2> again = judge.call([&] { return answer(pictures, one.training); });
        judge.require(
            epoch_of(again).numbers == first.numbers, "a second loader gives another order.",
            "The order follows from the seed of the options: leave it as it is, so that a "
            "training can be repeated.");
    });
}

}  // namespace lanes::exercises
