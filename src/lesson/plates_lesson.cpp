#include "lanes/lesson/plates_lesson.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/lesson/spare_transfer.hpp"

#include <iostream>
#include <utility>

namespace lanes {

namespace {

constexpr const char* title = "ResNet-18, new last layer";

// The rate, or that of the project if it needs a step_lr that nobody has written yet.
plates::Rate complete(const plates::Rate& rate) {
    return answer_or(rate, [](int epoch) { return spare::step_lr(1e-3, epoch, 7, 0.1); });
}

}  // namespace

PlatesLesson::PlatesLesson(std::size_t test_pictures, std::size_t with_gpu)
    : device_(plates::device()),
      folder_(plates::prepare(device_.is_cpu() ? test_pictures : with_gpu)),
      labelled_(folder_ + "/train"),
      epochs_(device_.is_cpu() ? 14 : 100) {
    const std::vector<std::string>& classes = labelled_.classes();
    std::cout << labelled_.size() << " labelled pictures in " << classes.size()
              << " classes: " << classes[0] << " is 0, " << classes[1] << " is 1\n";
}

void PlatesLesson::show(const ImageFolder& folder, const std::vector<std::size_t>& numbers) const {
    plates::show(folder, numbers);
}

std::string PlatesLesson::copy_split(const plates::Split& split_names) const {
    const std::string to = "plates_split";
    plates::copy_split(folder_ + "/train", to, answer_or(split_names, spare::split_names));
    return to;
}

transforms::Transform PlatesLesson::random_part(const plates::CropAndFlip& crop_and_flip,
                                                const plates::ResizeRows& resize_rows,
                                                const plates::Normalise& normalise,
                                                std::array<double, 2> scale) const {
    return transforms::Compose{
        plates::random_part(answer_or(crop_and_flip, spare::crop_and_flip), scale),
        plates::resized(answer_or(resize_rows, spare::resize_rows)),
        plates::to_input(answer_or(normalise, spare::normalise))};
}

transforms::Transform PlatesLesson::whole_picture(const plates::ResizeRows& resize_rows,
                                                  const plates::Normalise& normalise) const {
    return transforms::Compose{plates::resized(answer_or(resize_rows, spare::resize_rows)),
                               plates::to_input(answer_or(normalise, spare::normalise))};
}

DataLoader<2> PlatesLesson::batches(const MakeLoader& make_loader, const ImageFolder& pictures,
                                    bool training) const {
    return answer_or(make_loader, spare::make_loader)(pictures, training);
}

double PlatesLesson::show_crops(DataLoader<2>& batches) const {
    plates::show_batch(batches, labelled_.classes());
    return plates::show_crops();
}

int PlatesLesson::show_rates(const plates::StepLr& step_lr) const {
    return plates::show_rates(answer_or(step_lr, spare::step_lr));
}

void PlatesLesson::train_from_scratch(const ImageFolder& train, const ImageFolder& val,
                                      const plates::TrainModel& train_model,
                                      const plates::OwnOptimizer::Step& adam_step) const {
    plates::show_training(
        "A small network from scratch",
        plates::from_scratch(train, val, answer_or(train_model, spare::train_model),
                             answer_or(adam_step, spare::adam_step)));
    plates::standard_errors({8, 32, 40, 192, 744});
}

void PlatesLesson::show_pretrained(ResNet& net) const {
    plates::show_filters(net);
    plates::show_classes(net, {labelled_.path(0), labelled_.path(labelled_.size() / 2)});
}

void PlatesLesson::freeze(ResNet& net, const Freeze& freeze_and_replace) const {
    answer_or(freeze_and_replace, spare::freeze_and_replace)(net, labelled_.classes().size());
    net.to(device_);
}

plates::OwnOptimizer PlatesLesson::optimizer(std::vector<Tensor> parameters,
                                             const plates::OwnOptimizer::Step& adam_step) const {
    return plates::OwnOptimizer(std::move(parameters), 1e-3,
                                answer_or(adam_step, spare::adam_step));
}

void PlatesLesson::train(ResNet& net, DataLoader<2>& train, DataLoader<2>& val,
                         Optimizer& optimizer, const plates::Rate& rate,
                         const plates::TrainModel& train_model) {
    const Timer timer;
    history_ = answer_or(train_model, spare::train_model)(
        net, train, val, optimizer, plates::with_bar(complete(rate), epochs_), epochs_);
    training_seconds_ = timer.seconds();
}

void PlatesLesson::show_training(const std::string& recorded) const {
    plates::show_training(title, history_, recorded);
}

plates::Features PlatesLesson::features_of(ResNet& net, const ImageFolder& pictures,
                                           const MakeLoader& make_loader) const {
    net.to(device_);
    DataLoader<2> loader = batches(make_loader, pictures, false);
    return plates::features_of(net, loader);
}

void PlatesLesson::show_validation(const plates::Features& features,
                                   const plates::CrossValidate& cross_validate,
                                   const Rates& rates) const {
    Rates all;
    for (const auto& [name, rate] : rates) all.emplace_back(name, complete(rate));
    plates::show_validation(features, answer_or(cross_validate, spare::cross_validate), all);
}

Linear PlatesLesson::train_head(const plates::Features& features, const plates::Rate& rate) const {
    return plates::train_head(features, complete(rate));
}

ImageFolder PlatesLesson::test_pictures(const transforms::Transform& transform) const {
    return ImageFolder(folder_ + "/test", transform);
}

double PlatesLesson::test(const plates::NamedNetworks& networks, const ImageFolder& pictures,
                          const MakeLoader& make_loader, const RunModel& predict) {
    DataLoader<2> loader = batches(make_loader, pictures, false);
    const auto complete = answer_or(predict, spare::predict);
    tested_pictures_ = pictures;
    tested_ = plates::predictions(networks, [&](ResNet& net) {
        net.to(device_);
        return complete(net, loader);
    });
    return 100 * plates::show_test(tested_, plates::test_labels(folder_));
}

const ImageFolder& PlatesLesson::tested_pictures(const char* operation) const {
    LANES_REQUIRE(tested_pictures_ && !tested_.empty(), operation,
                  ": no network was tested. Call test first.");
    return *tested_pictures_;
}

void PlatesLesson::show_predictions(std::size_t count) const {
    const ImageFolder& pictures = tested_pictures("show_predictions");
    const Matrix& probabilities = tested_.back().second.probabilities;
    plates::show_confusion(probabilities, plates::test_labels(folder_));
    plates::show_predictions(pictures, probabilities, count);
}

void PlatesLesson::show_times(ResNet& net, const ImageFolder& train, const ImageFolder& val,
                              const std::string& recorded) const {
    const ImageFolder& test = tested_pictures("show_times");
    LANES_REQUIRE(!history_.empty(), "show_times: no network was trained. Call train first.");
    std::vector<plates::DeviceTimes> times{{device_.id(), static_cast<int>(history_.size()),
                                            training_seconds_, test.size(),
                                            tested_.front().second.seconds}};
    if (!device_.is_cpu()) times.push_back(plates::times_on_cpu(net, train, val, test, 10));
    plates::show_times(times, recorded);
}

}  // namespace lanes
