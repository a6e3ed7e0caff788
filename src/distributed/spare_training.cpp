#include "lanes/distributed/spare_training.hpp"

#include "lanes/base/error.hpp"
#include "lanes/distributed/data_parallel.hpp"
#include "lanes/nn/losses.hpp"

#include <cstdio>
#include <fstream>

namespace lanes::spare {

void train_step(const Communicator& comm, Module& model, Optimizer& optimizer, const Tensor& x,
                const Tensor& y) {
    const std::size_t n = x.shape(0);
    const auto p = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    const std::size_t first = n * rank / p;
    const std::size_t last = n * (rank + 1) / p;
    Tensor loss = cross_entropy(model(x.slice(first, last)), y.slice(first, last));
    optimizer.zero_grad();
    loss.backward();
    average_gradients(comm, model, last - first);
    optimizer.step();
}

void average_gradients(const Communicator& comm, Module& model, std::size_t examples) {
    lanes::average_gradients(model, comm, examples);
}

void average_at_once(const Communicator& comm, Module& model, std::size_t examples) {
    const auto share = static_cast<float>(examples);
    std::vector<float> all;
    for (const Tensor& parameter : model.parameters())
        for (const float value : parameter.grad().to_vector()) all.push_back(value * share);
    all.push_back(share);
    comm.all_reduce(all);
    const float* next = all.data();
    for (const Tensor& parameter : model.parameters()) {
        Tensor gradient = parameter.grad();
        for (std::size_t i = 0; i < gradient.size(); ++i) gradient.data()[i] = *next++ / all.back();
    }
}

double send_gradients(const Communicator& comm, std::vector<float>& weights, int count,
                      const GradientAt& gradient_at) {
    double stale = 0;
    for (int i = 0; i < count; ++i) {
        const float seen = weights.back();
        comm.send(gradient_at(weights, i), 0);
        comm.receive(weights, 0);
        stale += weights.back() - seen - 1;
    }
    return stale;
}

void serve_synchronous(const Communicator& comm, std::vector<float>& weights, int steps,
                       float learning_rate) {
    std::vector<float> gradient(weights.size());
    for (int step = 0; step < steps; ++step) {
        std::vector<float> sum(weights.size(), 0.0f);
        for (int worker = 1; worker < comm.size(); ++worker) {
            comm.receive(gradient, worker);
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += gradient[i];
        }
        const float rate = learning_rate / static_cast<float>(comm.size() - 1);
        for (std::size_t i = 0; i < sum.size(); ++i) weights[i] -= rate * sum[i];
        for (int worker = 1; worker < comm.size(); ++worker) comm.send(weights, worker);
    }
}

void serve_asynchronous(const Communicator& comm, std::vector<float>& weights, int steps,
                        float learning_rate) {
    std::vector<float> gradient(weights.size());
    for (int step = 0; step < steps; ++step) {
        const int worker = comm.receive(gradient);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= learning_rate * gradient[i];
        comm.send(weights, worker);
    }
}

void save_checkpoint(const Communicator& comm, const std::string& path, int step,
                     const std::vector<float>& weights) {
    if (comm.rank() > 0) return;
    const std::string part = path + ".part";
    std::ofstream file(part, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&step), sizeof step);
    file.write(reinterpret_cast<const char*>(weights.data()),
               static_cast<std::streamsize>(weights.size() * sizeof(float)));
    file.close();
    LANES_REQUIRE(file && std::rename(part.c_str(), path.c_str()) == 0, "save_checkpoint: ", path,
                  " cannot be written. Is there such a folder, and room on the disk?");
}

int load_checkpoint(const Communicator& comm, const std::string& path,
                    std::vector<float>& weights) {
    int step = 0;
    int is_damaged = 0;
    if (comm.rank() == 0) {
        std::ifstream file(path, std::ios::binary);
        if (file) {
            file.read(reinterpret_cast<char*>(&step), sizeof step);
            file.read(reinterpret_cast<char*>(weights.data()),
                      static_cast<std::streamsize>(weights.size() * sizeof(float)));
            is_damaged = !file || file.peek() != std::ifstream::traits_type::eof();
        }
    }
    comm.broadcast(is_damaged);  // so that no rank waits for one that has thrown
    LANES_REQUIRE(is_damaged == 0, "load_checkpoint: ", path, " does not hold ", weights.size(),
                  " weights. Remove it to start again.");
    comm.broadcast(step);
    comm.broadcast(weights);
    return step;
}

}  // namespace lanes::spare
