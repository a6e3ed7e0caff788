#include "lanes/nn/resnet.hpp"

#include "base/text.hpp"
#include "lanes/base/error.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/nn/tensor_files.hpp"

#include <algorithm>
#include <fstream>
#include <map>

namespace lanes {

namespace {

// numbers: (channels, …), int32; factors: one per channel
Tensor scaled(const Tensor& numbers, const std::vector<float>& factors) {
    Tensor weight = Tensor::empty(numbers.shape());
    const std::size_t per_channel = numbers.size() / factors.size();
    const int* from = numbers.data<int>();
    float* to = weight.data();
    for (const float factor : factors)
        for (std::size_t i = 0; i < per_channel; ++i) *to++ = factor * static_cast<float>(*from++);
    return weight;
}

// Weights of 8 bits, one factor per output channel: "NAME" holds whole numbers and "NAME.scale" the
// factors.
NamedTensors without_scales(const std::string& path, const NamedTensors& tensors) {
    const std::string end = ".scale";
    const std::map<std::string, Tensor> by_name(tensors.begin(), tensors.end());
    NamedTensors result;
    for (const auto& [name, tensor] : tensors) {
        const bool is_scale =
            ends_with(name, end) && by_name.count(name.substr(0, name.size() - end.size())) > 0;
        if (is_scale) continue;
        const auto scale = by_name.find(name + end);
        if (scale == by_name.end()) {
            result.emplace_back(name, tensor);
            continue;
        }
        const std::vector<float> factors = scale->second.to_vector();
        LANES_REQUIRE(tensor.dtype() == DType::int32 && tensor.rank() > 0 && !factors.empty() &&
                          factors.size() == tensor.shape(0),
                      "pretrained_resnet18: ", path, ": ", name, " of shape ", tensor.shape(),
                      " has ", factors.size(),
                      " scales. There must be whole numbers and one scale per output channel.");
        result.emplace_back(name, scaled(tensor, factors));
    }
    return result;
}

}  // namespace

ResNet pretrained_resnet18(const std::string& path) {
    const std::string file = path.empty() ? data_folder("resnet18") + "/resnet18.npz" : path;
    const NamedTensors tensors = without_scales(file, load_tensors(file));
    const auto bias = std::find_if(tensors.begin(), tensors.end(),
                                   [](const auto& one) { return one.first == "fc.bias"; });
    LANES_REQUIRE(bias != tensors.end(), "pretrained_resnet18: ", file, " has no tensor fc.bias, ",
                  "only ", tensors.size(), " others. Are these weights of ResNet-18?");
    ResNet net(bias->second.size());
    try {
        net.load_state_dict(tensors);
    } catch (const Error& error) {
        throw Error("pretrained_resnet18: ", file, ": ", error.what());
    }
    return net;
}

std::vector<std::string> resnet18_classes() {
    const std::string path = data_folder("resnet18") + "/classes.txt";
    std::ifstream file(path);
    std::vector<std::string> names;
    std::string number;
    std::string synset;  // of ImageNet, "n01443537"
    std::string name;
    while (std::getline(file, number, '\t') && std::getline(file, synset, '\t') &&
           std::getline(file, name))
        names.push_back(name);
    LANES_REQUIRE(names.size() == 200, "resnet18_classes: ", path, " has ", names.size(),
                  " lines with a name, expected 200. Get the file again.");
    return names;
}

}  // namespace lanes
