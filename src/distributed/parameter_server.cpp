#include "lanes/distributed/parameter_server.hpp"

#include "tensor/core/tensor_impl.hpp"

#include "lanes/distributed/data_parallel.hpp"
#include "lanes/tensor/autograd.hpp"

#include <algorithm>
#include <numeric>

namespace lanes {

namespace {

constexpr int from_worker = 7101;  // tags
constexpr int from_server = 7102;

// The first message of a worker. After a gradient, the numbers follow.
struct Announcement {
    static constexpr long long gradient = 0;
    static constexpr long long end = 1;
    std::vector<long long> numbers{end, 0};

    long long kind() const { return numbers[0]; }
    std::size_t version() const { return static_cast<std::size_t>(numbers[1]); }  // of the weights
};

std::vector<Tensor> trained(const Module& model) {
    std::vector<Tensor> parameters = model.parameters();
    parameters.erase(
        std::remove_if(parameters.begin(), parameters.end(),
                       [](const Tensor& parameter) { return !parameter.requires_grad(); }),
        parameters.end());
    return parameters;
}

}  // namespace

double ServerReport::mean_staleness() const {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t steps = 0; steps < staleness.size(); ++steps) {
        sum += static_cast<double>(steps * staleness[steps]);
        count += staleness[steps];
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

struct ParameterServer::State {
    Module& model;
    Communicator comm;
    Mode mode;
    std::vector<Tensor> parameters;
    std::size_t elements = 0;
    std::size_t version = 0;          // of the weights: steps so far
    std::vector<float> numbers = {};  // a gradient, or the weights, of all parameters

    void weights_to_numbers() {
        float* to = numbers.data();
        for (const Tensor& parameter : parameters) {
            const Tensor values = parameter.detach().cpu();
            to = std::copy(values.data(), values.data() + values.size(), to);
        }
    }

    void numbers_to_weights() {
        const NoGrad no_grad;
        const float* from = numbers.data();
        for (Tensor& parameter : parameters) {
            Tensor values = Tensor::empty(parameter.shape());
            std::copy(from, from + values.size(), values.data());
            from += values.size();
            parameter.copy_(values);
        }
    }

    void gradients_to_numbers() {
        float* to = numbers.data();
        for (const Tensor& parameter : parameters) {
            if (!parameter.has_grad()) {
                to = std::fill_n(to, parameter.size(), 0.0f);
                continue;
            }
            const Tensor values = parameter.grad().cpu();
            to = std::copy(values.data(), values.data() + values.size(), to);
        }
    }

    void numbers_to_gradients(const std::vector<float>& all) const {
        const float* from = all.data();
        for (const Tensor& parameter : parameters) {
            Tensor values = Tensor::empty(parameter.shape());
            std::copy(from, from + values.size(), values.data());
            from += values.size();
            parameter.impl()->grad = values.to(parameter.device());
        }
    }

    void send_weights(int to) const {
        comm.send(std::vector<long long>{static_cast<long long>(version)}, to, from_server);
        comm.send(numbers, to, from_server);
    }
};

ParameterServer::ParameterServer(Module& model, const Communicator& comm, Mode mode)
    : state_(new State{model, comm, mode, trained(model)}) {
    LANES_REQUIRE(comm.size() >= 2,
                  "ParameterServer: there is 1 rank. Start at least 2, one server and one worker: "
                  "mpirun -n 2.");
    broadcast_model(model, comm);
    for (const Tensor& parameter : state_->parameters) state_->elements += parameter.size();
    state_->numbers.resize(state_->elements);
}

ParameterServer::~ParameterServer() = default;

ServerReport ParameterServer::serve(Optimizer& optimizer,
                                    const std::function<void(std::size_t)>& on_step) {
    State& state = *state_;
    const Communicator& comm = state.comm;
    LANES_REQUIRE(comm.rank() == 0, "ParameterServer::serve: this is rank ", comm.rank(),
                  ". Rank 0 serves, the others call push() and finish().");
    ServerReport report;
    std::vector<float> sum(state.elements);
    std::vector<int> waiting;  // workers whose gradients are in the sum
    auto working = static_cast<std::size_t>(comm.size() - 1);

    const auto step = [&] {
        for (float& value : sum) value /= static_cast<float>(waiting.size());
        state.numbers_to_gradients(sum);
        optimizer.step();
        ++state.version;
        std::fill(sum.begin(), sum.end(), 0.0f);
        state.weights_to_numbers();
        for (const int worker : waiting) state.send_weights(worker);
        waiting.clear();
        if (on_step) on_step(state.version);
    };
    const std::size_t before = state.version;
    while (working > 0) {
        Announcement said;
        const int worker = comm.receive(said.numbers, Communicator::any_rank, from_worker);
        if (said.kind() == Announcement::end) {
            --working;
        } else {
            comm.receive(state.numbers, worker, from_worker);
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += state.numbers[i];
            const std::size_t stale = state.version - said.version();
            if (report.staleness.size() <= stale) report.staleness.resize(stale + 1);
            ++report.staleness[stale];
            waiting.push_back(worker);
        }
        const std::size_t enough = state.mode == Mode::asynchronous ? 1 : working;
        if (!waiting.empty() && waiting.size() >= enough) step();
    }
    report.steps = state.version - before;
    return report;
}

void ParameterServer::push() {
    State& state = *state_;
    LANES_REQUIRE(state.comm.rank() != 0,
                  "ParameterServer::push: rank 0 is the server. It calls serve().");
    const Announcement said{{Announcement::gradient, static_cast<long long>(state.version)}};
    state.comm.send(said.numbers, 0, from_worker);
    state.gradients_to_numbers();
    state.comm.send(state.numbers, 0, from_worker);
    std::vector<long long> version(1);
    state.comm.receive(version, 0, from_server);
    state.version = static_cast<std::size_t>(version[0]);
    state.comm.receive(state.numbers, 0, from_server);
    state.numbers_to_weights();
}

void ParameterServer::finish() {
    LANES_REQUIRE(state_->comm.rank() != 0,
                  "ParameterServer::finish: rank 0 is the server. It calls serve().");
    state_->comm.send(Announcement{}.numbers, 0, from_worker);
}

}  // namespace lanes
