#include "lanes/lesson/plates_pictures.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/data/plates.hpp"
#include "lanes/notebook/display.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>

namespace lanes {

namespace {

namespace fs = std::filesystem;

std::string percent(double share) { return with_unit(100 * share, "%"); }

double standard_error(double accuracy, double pictures) {
    return std::sqrt(accuracy * (1 - accuracy) / pictures);
}

ColorImage resized(Picture picture, std::size_t size) {
    Rng unused(0);
    return transforms::Resize(size, size)(std::move(picture), unused).take_pixels();
}

constexpr std::size_t thumbnail_size = 120;

ColorImage thumbnail(const std::string& path) {
    return resized(Picture::from_file(path), thumbnail_size);
}

// Says so and returns false if nobody knows the labels.
bool has_labels(const std::vector<int>& labels, std::size_t pictures) {
    if (labels.empty()) {
        std::cout << "Nobody has published the labels of these test pictures.\n";
        return false;
    }
    LANES_REQUIRE(labels.size() == pictures, "plates: ", pictures, " predictions for ",
                  labels.size(), " test pictures. Predict all of them, in their order.");
    return true;
}

bool says_dirty(const Matrix& probabilities, std::size_t i) { return probabilities(i, 1) > 0.5f; }

double accuracy_of(const Matrix& probabilities, const std::vector<int>& labels) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i)
        right += static_cast<std::size_t>(says_dirty(probabilities, i) == (labels[i] == 1));
    return static_cast<double>(right) / static_cast<double>(labels.size());
}

}  // namespace

Device plates::device() {
    const bool has_gpu = Device::has_gpu();
    std::cout << (has_gpu ? "There is a GPU here: the network is trained on it.\n"
                          : "No GPU here: the network is trained on the CPU.\n");
    return has_gpu ? Device("cuda:0") : Device::cpu();
}

std::string plates::prepare(std::size_t test_pictures) {
    if (fs::is_directory("photographs")) return "photographs";
    const std::string folder = test_pictures > 0 ? "plates" : "plates_labelled";
    PlatesOptions options;
    options.test(test_pictures);
    Progress bar("drawing plates", options.labelled() + test_pictures);
    options.on_picture([&](std::size_t done) { bar.at(done); });
    write_plates(folder, options);
    return folder;
}

std::vector<int> plates::test_labels(const std::string& folder) { return read_test_labels(folder); }

void plates::copy_split(const std::string& from, const std::string& to, const Split& split) {
    fs::remove_all(to);
    Table table({"folder", "pictures", "the first of them"});
    for (const std::string& name : sorted_names(from)) {
        const NameSplit chosen = split(sorted_names((fs::path(from) / name).string()), 6);
        for (const auto& [phase, files] :
             {std::pair("train", &chosen.train), std::pair("val", &chosen.val)}) {
            const fs::path folder = fs::path(to) / phase / name;
            fs::create_directories(folder);
            std::string first;
            for (std::size_t i = 0; i < files->size(); ++i) {
                const std::string& file = (*files)[i];
                fs::copy_file(fs::path(from) / name / file, folder / file);
                if (i < 3) first += (i > 0 ? ", " : "") + file;
            }
            table.row(folder.string(), files->size(), first);
        }
    }
    table.show();
}

void plates::show(const ImageFolder& folder, const std::vector<std::size_t>& numbers) {
    std::vector<ColorImage> pictures;
    std::vector<std::string> titles;
    for (const std::size_t i : numbers) {
        pictures.push_back(thumbnail(folder.path(i)));
        titles.push_back(folder.classes()[static_cast<std::size_t>(folder.label(i))]);
    }
    show_images(pictures, titles, 4);
}

void plates::show_batch(DataLoader<2>& batches, const std::vector<std::string>& classes) {
    std::vector<ColorImage> pictures;
    std::vector<std::string> titles;
    for (auto& [x, y] : batches) {
        for (std::size_t i = 0; i < x.shape(0); ++i) {
            pictures.push_back(resized(transforms::to_image(x[i]), thumbnail_size));
            titles.push_back(classes[static_cast<std::size_t>(y.data<int>()[i])]);
        }
        break;
    }
    show_images(pictures, titles, 4);
}

double plates::show_crops() {
    const transforms::RandomResizedCrop crop(224);
    constexpr int crops = 2000;
    Rng rng(9);
    std::vector<double> shares;
    for (int i = 0; i < crops; ++i) {
        const CropBox box = crop.draw(300, 300, rng);
        shares.push_back(static_cast<double>(box.rows * box.columns) / (300.0 * 300.0));
    }
    Plot plot("2000 crops");
    plot.x("share of the picture's area").y("crops").size(520, 260);
    plot.histogram("crops", shares).show();
    const auto small =
        std::count_if(shares.begin(), shares.end(), [](double share) { return share < 0.25; });
    return 100.0 * static_cast<double>(small) / crops;
}

int plates::show_rates(const StepLr& step_lr) {
    constexpr int epochs = 100;
    constexpr int batches = 4;  // 32 pictures
    const auto at_end = [&](int epoch) { return step_lr(1e-3, epoch, 7, 0.1); };
    const auto at_beginning = [&](int epoch) { return at_end(epoch + 1); };
    Table table({"epoch", "step at the end of the epoch", "as in the project"});
    for (const int epoch : {0, 5, 6, 7, 12, 13, 14, 20, 21})
        table.row(epoch, at_end(epoch), at_beginning(epoch));
    table.show();
    Table far({"epochs", "a weight moves by at most"}, "With Adam and four batches per epoch");
    for (const auto& [first, last] : {std::pair(0, 7), std::pair(7, 14), std::pair(14, epochs)}) {
        double sum = 0;
        for (int epoch = first; epoch < last; ++epoch) sum += batches * at_end(epoch);
        far.row(std::to_string(first) + " to " + std::to_string(last - 1), sum);
    }
    far.show();
    for (int epoch = 0; epoch < epochs; ++epoch)
        if (at_end(epoch) != at_beginning(epoch)) return epoch;
    return epochs;
}

void plates::show_training(const std::string& title, const std::vector<TrainedEpoch>& history,
                           const std::string& recorded) {
    LANES_REQUIRE(!history.empty(), "show_training: '", title,
                  "' has no epoch. Append one TrainedEpoch per epoch to the history.");
    std::vector<double> train;
    std::vector<double> val;
    std::size_t best = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
        train.push_back(history[i].train.loss);
        val.push_back(history[i].val.loss);
        if (history[i].val.accuracy > history[best].val.accuracy) best = i;
    }
    Table table({"epoch", "accuracy in training", "in validation"}, title);
    const auto add = [&](const char* name, const TrainedEpoch& epoch) {
        table.row(name, percent(epoch.train.accuracy), percent(epoch.val.accuracy));
    };
    add("first", history.front());
    add("best in validation", history[best]);
    add("last", history.back());
    table.note(std::to_string(history.size()) + " epochs");
    if (!recorded.empty()) table.recorded(recorded);
    table.show();
    Plot plot(title);
    plot.x("epoch").y("loss in nats").size(560, 300);
    plot.line("training", train).line("validation", val).show();
}

void plates::standard_errors(const std::vector<int>& pictures) {
    Table table({"pictures", "standard error for a true accuracy of 0.8"});
    for (const int n : pictures) table.row(n, with_unit(100 * standard_error(0.8, n), "pp"));
    table.note("pp: percentage points").show();
}

void plates::show_filters(const ResNet& net) {
    std::vector<ColorImage> pictures;
    const Tensor4 filters = net.parameter("conv1.weight").cpu().to_xtensor<4>();
    for (std::size_t k = 0; k < filters.shape(0); ++k) {
        const auto filter = xt::view(filters, k);  // (3, 7, 7)
        const float low = xt::amin(filter)();
        const float high = xt::amax(filter)();
        ColorImage picture = ColorImage::from_shape({7, 7, 3});
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t i = 0; i < 7; ++i)
                for (std::size_t j = 0; j < 7; ++j)
                    picture(i, j, c) =
                        static_cast<unsigned char>(255 * (filter(c, i, j) - low) / (high - low));
        pictures.push_back(picture);
    }
    show_images(pictures, {}, 16);
}

void plates::show_classes(ResNet& net, const std::vector<std::string>& paths) {
    const std::vector<std::string> names = resnet18_classes();
    if (net.fc.weight().shape(0) != names.size()) {
        std::cout << "These weights know " << net.fc.weight().shape(0)
                  << " classes, whose names are not here.\n";
        return;
    }
    Table table({"picture", "first", "second", "third"});
    for (const std::string& path : paths) {
        const fs::path file(path);
        std::vector<std::string> cells{file.parent_path().filename() / file.filename()};
        for (const Prediction& one : classify(net, path, names, 3))
            cells.push_back(one.name + ", " + percent(static_cast<double>(one.probability)));
        table.row(cells);
    }
    table.show();
}

double plates::show_test(const Networks& networks, const std::vector<int>& labels) {
    if (networks.empty() || !has_labels(labels, networks.front().second.probabilities.shape(0)))
        return 0;
    double last = 0;
    Table table({"network", "accuracy", "standard error"});
    for (const auto& [name, predicted] : networks) {
        const double accuracy = last = accuracy_of(predicted.probabilities, labels);
        table.row(
            name, percent(accuracy),
            with_unit(100 * standard_error(accuracy, static_cast<double>(labels.size())), "pp"));
    }
    table.note(std::to_string(labels.size()) + " test pictures").show();
    return last;
}

plates::Networks plates::predictions(const NamedNetworks& networks,
                                     const std::function<Predicted(ResNet&)>& predict) {
    Networks predicted;
    Progress progress("test pictures, network", networks.size());
    for (const auto& [name, network] : networks) {
        predicted.emplace_back(name, predict(*network));
        progress.advance();
    }
    return predicted;
}

void plates::show_confusion(const Matrix& probabilities, const std::vector<int>& labels) {
    if (!has_labels(labels, probabilities.shape(0))) return;
    Matrix counts = xt::zeros<float>({2, 2});
    for (std::size_t i = 0; i < labels.size(); ++i)
        counts(static_cast<std::size_t>(labels[i]), says_dirty(probabilities, i) ? 1U : 0U) += 1;
    Table table({"the plate is", "said to be clean", "said to be dirty"});
    for (std::size_t k = 0; k < 2; ++k) {
        const float all = std::max(1.0f, counts(k, 0) + counts(k, 1));
        table.row(k == 0 ? "clean" : "dirty", percent(static_cast<double>(counts(k, 0) / all)),
                  percent(static_cast<double>(counts(k, 1) / all)));
    }
    table.show();
}

void plates::show_predictions(const ImageFolder& folder, const Matrix& probabilities,
                              std::size_t count) {
    std::vector<ColorImage> pictures;
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < std::min(count, folder.size()); ++i) {
        pictures.push_back(thumbnail(folder.path(i)));
        titles.push_back("dirty: " + percent(static_cast<double>(probabilities(i, 1))));
    }
    show_images(pictures, titles, 4);
}

}  // namespace lanes
