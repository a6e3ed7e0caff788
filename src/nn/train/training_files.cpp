#include "lanes/base/error.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/nn/train_model.hpp"

#include <algorithm>

namespace lanes {

namespace {

const std::string history_name = "history";
const std::string best_name = "best_epoch";
const std::string weights = "weights.";
constexpr std::size_t columns = 7;  // train and val: loss, accuracy, seconds; learning rate

const Tensor* find(const NamedTensors& tensors, const std::string& name) {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const auto& one) { return one.first == name; });
    return found == tensors.end() ? nullptr : &found->second;
}

}  // namespace

void save_training(const std::string& path, const TrainingResult& result) {
    result.best();  // throws if there is nothing to save
    std::vector<float> history;
    for (const TrainedEpoch& epoch : result.epochs)
        for (const double value :
             {epoch.train.loss, epoch.train.accuracy, epoch.train.seconds, epoch.val.loss,
              epoch.val.accuracy, epoch.val.seconds, epoch.learning_rate})
            history.push_back(static_cast<float>(value));
    NamedTensors tensors{
        {history_name, Tensor::from(history).reshape({result.epochs.size(), columns})},
        {best_name, Tensor::from(std::vector<int>{static_cast<int>(result.best_epoch)})}};
    for (const auto& [name, tensor] : result.best_weights)
        tensors.emplace_back(weights + name, tensor);
    save_tensors(path, tensors);
}

TrainingResult load_training(const std::string& path) {
    const NamedTensors tensors = load_tensors(path);
    const Tensor* const history = find(tensors, history_name);
    const Tensor* const best = find(tensors, best_name);
    LANES_REQUIRE(history != nullptr && best != nullptr && history->rank() == 2 &&
                      history->shape(1) == columns && best->dtype() == DType::int32 &&
                      best->size() == 1 && best->to_vector<int>()[0] >= 0 &&
                      static_cast<std::size_t>(best->to_vector<int>()[0]) < history->shape(0),
                  "load_training: ", path,
                  " holds no history of a training. Give a file of save_training.");
    TrainingResult result;
    const std::vector<float> values = history->to_vector();
    for (std::size_t i = 0; i < values.size(); i += columns) {
        const float* const row = values.data() + i;
        result.epochs.push_back({{row[0], row[1], row[2]}, {row[3], row[4], row[5]}, row[6]});
    }
    result.best_epoch = static_cast<std::size_t>(best->to_vector<int>().front());
    for (const auto& [name, tensor] : tensors)
        if (name.compare(0, weights.size(), weights) == 0)
            result.best_weights.emplace_back(name.substr(weights.size()), tensor);
    return result;
}

}  // namespace lanes
