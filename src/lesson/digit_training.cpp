#include "lanes/lesson/digit_training.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/distributed/data_parallel.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/tensor/ops.hpp"

#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <thread>

namespace lanes::digits {

namespace {

constexpr float rate = 0.125;       // of the parameter servers; -1 / rate is exact
constexpr std::size_t hidden = 16;  // of their network

const SplitDataset& mnist() {
    static const SplitDataset data = load_mnist();
    return data;
}

Batch range(const Dataset& set, std::size_t first, std::size_t last) {
    return {Tensor::from(xt::view(set.x, xt::range(first, last))),
            Tensor::from(xt::argmax(xt::view(set.y, xt::range(first, last)), 1))};
}

// All parameters and one more number, which counts the steps of the server.
std::vector<float> counted_weights() {
    std::vector<float> weights = weights_of(network(hidden));
    weights.push_back(0);
    return weights;
}

// A worker's batches are every comm.size() - 1 th one. The last element of the gradient is such
// that each step adds 1 to the last weight.
GradientAt gradients_of(const Communicator& comm, Sequential& model, double pause) {
    return [&comm, &model, pause](const std::vector<float>& weights, int i) {
        set_weights(model, weights);
        const int number = i * (comm.size() - 1) + comm.rank() - 1;
        const Batch mine = batch(static_cast<std::size_t>(number), 32);
        Tensor loss = cross_entropy(model(mine.x), mine.y);
        model.zero_grad();
        loss.backward();
        std::vector<float> gradient;
        for (const Tensor& parameter : model.parameters())
            for (const float value : parameter.grad().to_vector()) gradient.push_back(value);
        gradient.push_back(-1 / rate);
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        return gradient;
    };
}

double work(const Communicator& comm, int count, double pause) {
    Sequential model = network(hidden);
    std::vector<float> weights = counted_weights();
    return spare::send_gradients(comm, weights, count, gradients_of(comm, model, pause));
}

struct Trained {
    std::string accuracy;
    double staleness = 0;  // mean
};

Trained train_with(int workers, int steps, const Serve& serve) {
    constexpr int gradients = 512;
    Trained result;
    simulate_ranks(workers + 1, [&](const Communicator& comm) {
        if (comm.rank() > 0) {
            result.staleness += work(comm, gradients / workers, 0) / gradients;
            return;
        }
        std::vector<float> weights = counted_weights();
        serve(comm, weights, steps, rate);
        Sequential model = network(hidden);
        set_weights(model, weights);
        result.accuracy = accuracy(model);
    });
    return result;
}

// Of the fastest of ten steps; in each of them the slowest rank counts, and the one that waits
// longest.
struct StepTimes {
    double whole = 1e9;
    double waiting = 1e9;
};

StepTimes step_times(const Communicator& comm, Sequential& model,
                     const std::function<double(Tensor& loss)>& backward) {
    const Batch mine = batch(static_cast<std::size_t>(comm.rank()), 128);
    StepTimes best;
    for (int step = 0; step < 10; ++step) {
        Tensor loss = cross_entropy(model(mine.x), mine.y);
        model.zero_grad();
        comm.barrier();
        const Timer timer;
        const double waiting = backward(loss);
        std::vector<double> most{timer.seconds(), waiting};
        comm.all_reduce(most, Reduce::max);
        if (most[0] < best.whole) best = {most[0], most[1]};
    }
    return best;
}

double percent_right(Module& model) {
    const Batch test = range(mnist().test, 0, 2000);
    return 100 * lanes::accuracy(model(test.x), test.y);
}

std::string ms(double seconds) { return with_unit(1e3 * seconds, "ms"); }

}  // namespace

Batch batch(std::size_t number, std::size_t count) {
    const std::size_t first = number % (mnist().train.x.shape(0) / count) * count;
    return range(mnist().train, first, first + count);
}

Sequential network(std::size_t hidden_neurons, int layers) {
    manual_seed(10);
    if (layers == 1)
        return Sequential{Linear(784, hidden_neurons), ReLU(), Linear(hidden_neurons, 10)};
    return Sequential{Linear(784, hidden_neurons), ReLU(), Linear(hidden_neurons, hidden_neurons),
                      ReLU(), Linear(hidden_neurons, 10)};
}

std::string accuracy(Module& model) { return with_unit(percent_right(model), "%"); }

std::vector<float> weights_of(const Module& model) {
    std::vector<float> all;
    for (const Tensor& parameter : model.parameters())
        for (const float weight : parameter.to_vector()) all.push_back(weight);
    return all;
}

void set_weights(Module& model, const std::vector<float>& weights) {
    const float* next = weights.data();
    for (Tensor& parameter : model.parameters()) {
        std::copy(next, next + parameter.size(), parameter.data());
        next += parameter.size();
    }
}

double compare_ranks(const TrainNetwork& train) {
    Table table({"ranks", "accuracy", "weights as with 1 rank, to rounding"});
    std::vector<float> of_one;
    std::vector<double> accuracies;
    for (const int p : {1, 2, 3, 4})
        simulate_ranks(p, [&](const Communicator& comm) {
            Sequential model = network();
            train(comm, model);
            if (comm.rank() > 0) return;
            const std::vector<float> weights = weights_of(model);
            if (p == 1) of_one = weights;
            float difference = 0;
            for (std::size_t i = 0; i < weights.size(); ++i)
                difference = std::max(difference, std::abs(weights[i] - of_one[i]));
            accuracies.push_back(percent_right(model));
            table.row(p, with_unit(accuracies.back(), "%"), difference < 1e-4F);
        });
    table.show();
    return std::abs(accuracies.back() - accuracies.front());
}

double compare_averages(const Communicator& comm, const Average& average, const Average& at_once) {
    Table table({"gradients are averaged", "backward and average", "of it waiting"});
    std::vector<StepTimes> rows;
    const auto add = [&](const char* name, const StepTimes& times) {
        rows.push_back(times);
        table.row(name, ms(times.whole), ms(times.waiting));
    };
    const auto plain = [&](const char* name, const Average& way) {
        Sequential model = network(1024, 2);
        add(name, step_times(comm, model, [&](Tensor& loss) {
                loss.backward();
                const Timer timer;
                way(comm, model, 128);
                return timer.seconds();
            }));
    };
    plain("one message per tensor", average);
    plain("all at once", at_once);
    for (const bool overlap : {false, true}) {
        Sequential model = network(1024, 2);
        DataParallel parallel(model, comm, DataParallelOptions().overlap(overlap));
        add(overlap ? "buckets, with overlap" : "buckets, without overlap",
            step_times(comm, model, [&](Tensor& loss) {
                parallel.backward(loss, 128);
                return parallel.seconds_waiting();
            }));
    }
    const double ratio = rows[3].waiting / rows[2].waiting;
    if (comm.rank() > 0) return ratio;
    table.show();
    std::cout << "On this machine: one message for all tensors is "
              << (rows[1].whole < rows[0].whole ? "faster" : "slower")
              << " than one per tensor; overlap makes the waiting "
              << (ratio < 1 ? "shorter" : "longer") << " and the whole step "
              << (rows[3].whole < rows[2].whole ? "faster" : "slower") << ".\n";
    return ratio;
}

double compare_servers(const Serve& synchronous, const Serve& asynchronous) {
    Table table({"workers", "synchronous: steps", "accuracy", "asynchronous: steps",
                 "mean staleness", "accuracy"});
    double stale_16 = 0;
    for (const int workers : {1, 2, 4, 8, 16, 32}) {
        const Trained one = train_with(workers, 512 / workers, synchronous);
        const Trained other = train_with(workers, 512, asynchronous);
        if (workers == 16) stale_16 = other.staleness;
        table.row(workers, 512 / workers, one.accuracy, 512, other.staleness, other.accuracy);
    }
    table.show();
    return stale_16;
}

std::pair<double, double> time_slow_worker(const Communicator& comm, const Serve& synchronous,
                                           const Serve& asynchronous) {
    LANES_REQUIRE(comm.size() == 3, "time_slow_worker: ", comm.size(),
                  " ranks. Start it with mpirun -n 3.");
    batch(0, 32);  // all ranks have read the data before the time is taken
    const auto seconds = [&](bool waits) {
        comm.barrier();
        const Timer timer;
        comm.barrier();  // no worker begins before the time does
        std::vector<float> weights = counted_weights();
        const bool is_slow = comm.rank() == 1;
        if (comm.rank() > 0)
            work(comm, waits ? 30 : is_slow ? 10 : 50, is_slow ? 0.02 : 0);
        else if (waits)
            synchronous(comm, weights, 30, rate);
        else
            asynchronous(comm, weights, 60, rate);
        double taken = timer.seconds();
        comm.broadcast(taken);  // that of rank 0
        return taken;
    };
    const double waiting = seconds(true), answering = seconds(false);
    if (comm.rank() == 0)
        std::cout << "On this machine: the asynchronous server takes " << with_unit(answering, "s")
                  << ", the synchronous one " << with_unit(waiting, "s")
                  << (answering < waiting ? ".\n" : ". Do other programs use the cores?\n");
    return {waiting, answering};
}

}  // namespace lanes::digits
