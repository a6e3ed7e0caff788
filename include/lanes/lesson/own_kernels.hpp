// The CUDA kernels that students write in the notebook 08b_training_step, launched on tensors; a
// network that they train; and the same training by the library.
//
//   const lanes::OwnKernels kernels(lanes::Device::best());  // the library's versions
//   lanes::TwoLayers net({784, 16, 10}, kernels.device());
//   const lanes::Tensor z = lanes::matmul(lanes::Tensor::rand({4, 784}, net.w1.device()), net.w1);
//   const lanes::Tensor g = kernels.relu_backward(z, z);
#pragma once

#include "lanes/data/dataset.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/gpu/program.hpp"
#include "lanes/tensor/tensor.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

struct LossAndGradient {
    Tensor losses;    // (samples)
    Tensor gradient;  // (samples, classes), of the mean loss with respect to the logits
};

// Compiles the texts of the three CUDA kernels for a GPU or the simulator. A text that is empty, or
// an answer that is not filled in, is replaced by the library's version, with a line that says so.
class OwnKernels {
public:
    explicit OwnKernels(const Device& device, const std::string& relu_backward = "",
                        const std::string& sgd_update = "",
                        const std::string& softmax_cross_entropy = "");

    const Device& device() const { return relu_backward_.device(); }
    Tensor relu_backward(const Tensor& z, const Tensor& g) const;  // of the shape of z
    // w and v change.
    void sgd_update(Tensor& w, Tensor& v, const Tensor& g, float rate, float momentum) const;
    LossAndGradient softmax_cross_entropy(const Tensor& z, const Tensor& labels) const;

private:
    CudaKernel relu_backward_, sgd_update_, softmax_cross_entropy_;
};

// Two layers without biases: z = relu(x w1) w2, x: (samples, inputs). v1 and v2 are what momentum
// remembers, zeros at the start. The weights are those of lanes::manual_seed.
struct TwoLayers {
    TwoLayers() = default;
    TwoLayers(const std::array<std::size_t, 3>& sizes, const Device& device);
    Tensor w1, w2, v1, v2;
};

namespace spare {
// The step of 08b by autograd: own_step, if it is not filled in. Returns the mean loss.
Tensor own_step(const OwnKernels& kernels, TwoLayers& net, const Tensor& x, const Tensor& y,
                float rate, float momentum);
}  // namespace spare

// Trains 49-16-10 twice from the same weights with the first images of a dataset, reduced to 7x7
// pixels for the simulator's sake, in batches of 50: by a step that is given on the device of the
// CUDA kernels, and by the library's autograd and SGD on the CPU.
class OwnTraining {
public:
    using Step = std::function<Tensor(const OwnKernels& kernels, TwoLayers& net, const Tensor& x,
                                      const Tensor& y, float rate, float momentum)>;
    OwnTraining(const OwnKernels& kernels, const Dataset& images, std::size_t number,
                std::size_t epochs, const Step& step);

    // The mean losses per epoch, of both.
    void show() const;
    double first_loss() const { return own_.front(); }  // of the given step, mean of an epoch
    double last_loss() const { return own_.back(); }
    // The largest difference of a weight between both, after the last epoch.
    double difference() const { return difference_; }

private:
    std::vector<double> own_, library_;
    double difference_ = 0;
    std::string device_;
};

}  // namespace lanes
