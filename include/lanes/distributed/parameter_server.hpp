// Training with a parameter server: rank 0 keeps the weights and the optimizer, all other ranks
// compute gradients.
//
//   #include "lanes/nn.hpp"
//   const auto comm = lanes::Communicator::world();
//   lanes::Sequential model{lanes::Linear(784, 10)};
//   lanes::SGD optimizer(model.parameters(), 0.1);
//   lanes::ParameterServer server(model, comm, lanes::ParameterServer::Mode::asynchronous);
//   if (comm.rank() == 0) {
//       const auto report = server.serve(optimizer);  // until all workers have finished
//   } else {
//       for (int step = 0; step < 2; ++step) {
//           auto loss = lanes::cross_entropy(model(lanes::Tensor::rand({16, 784})),
//                                            lanes::Tensor::from(std::vector<int>(16, 3)));
//           model.zero_grad();
//           loss.backward();
//           server.push();  // sends the gradients; the model has newer weights afterwards
//       }
//       server.finish();
//   }
//
// Synchronous: the server waits for a gradient of every worker, makes one step with their mean and
// sends the weights to all. The slowest worker sets the pace. Asynchronous: every gradient is a
// step of its own. Nobody waits, but a gradient may be stale: it was computed with weights that
// others have changed since.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace lanes {

struct ServerReport {
    std::size_t steps = 0;  // of the optimizer
    // How many gradients arrived that were that stale: staleness[2] of them were computed with
    // weights that were changed twice since.
    std::vector<std::size_t> staleness;

    double mean_staleness() const;
};

class ParameterServer {
public:
    enum class Mode { synchronous, asynchronous };

    // Needs two ranks or more. All ranks get the weights of rank 0.
    ParameterServer(Module& model, const Communicator& comm, Mode mode = Mode::synchronous);
    ~ParameterServer();
    ParameterServer(const ParameterServer&) = delete;
    ParameterServer& operator=(const ParameterServer&) = delete;

    // --- rank 0. on_step is called after each step, with their number.
    ServerReport serve(Optimizer& optimizer,
                       const std::function<void(std::size_t steps)>& on_step = {});

    // --- all other ranks
    void push();
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanes
