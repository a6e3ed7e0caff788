// Training on many processes: each has a copy of the model and computes gradients for its share of
// a batch; the mean of the gradients is the gradient of the whole batch, so that all copies stay
// equal.
//
//   #include "lanes/data.hpp"
//   #include "lanes/nn.hpp"
//   const auto comm = lanes::Communicator::world();
//   const auto data = lanes::load_mnist();
//   lanes::Sequential model{lanes::Linear(784, 128), lanes::ReLU(), lanes::Linear(128, 10)};
//   lanes::DataParallel parallel(model, comm);  // all ranks get the weights of rank 0
//   lanes::SGD optimizer(model.parameters(), 0.1);
//   auto options = lanes::DataLoaderOptions().batch_size(64).shuffle(true);
//   lanes::DataLoader loader(data.train, options.share(comm.rank(), comm.size()));
//   for (auto& [x, y] : loader) {
//       auto loss = lanes::cross_entropy(model(x), y);
//       optimizer.zero_grad();
//       parallel.backward(loss, x.shape(0));
//       optimizer.step();
//       break;
//   }
//
// With the same batches the weights are those of a training by one process, up to rounding.
// Running statistics of batch norm are those of each rank's own examples.
#pragma once

#include "lanes/base/option.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/distributed/communicator.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"

#include <cstddef>
#include <memory>

namespace lanes {

class DataParallelOptions {
    // Small gradients are sent together until they are that large; large ones alone, as they are.
    LANES_OPTION(DataParallelOptions, std::size_t, bucket_bytes, 1 << 20)
    // Send while backward() still computes, if there is a large gradient yet to come: computing it
    // hides the message. false: when backward() is done.
    LANES_OPTION(DataParallelOptions, bool, overlap, true)
};

class DataParallel {
public:
    // Parameters and buffers become those of rank 0. The model must live longer.
    DataParallel(Module& model, const Communicator& comm, const DataParallelOptions& options = {});
    ~DataParallel();
    DataParallel(const DataParallel&) = delete;
    DataParallel& operator=(const DataParallel&) = delete;

    // loss.backward(), then every gradient is the mean over all ranks, each weighted with the
    // number of examples that its loss is the mean of.
    void backward(Tensor& loss, std::size_t examples = 1);

    // Of the last backward(): seconds in which it did nothing but wait for other ranks.
    double seconds_waiting() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The plain version: the mean of every gradient, after backward(), one message each.
void average_gradients(Module& model, const Communicator& comm, std::size_t examples = 1);

// Every parameter and buffer becomes that of the root.
void broadcast_model(Module& model, const Communicator& comm, int root = 0);

}  // namespace lanes
