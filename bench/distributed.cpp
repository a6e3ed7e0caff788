// Times of messages and of training on several ranks. Called by distributed.py through mpirun; rank
// 0 prints.
//
//   distributed all_reduce FLOATS TIMES
//       milliseconds per call: MPI's all-reduce, ring_all_reduce
//   distributed train HIDDEN LAYERS BATCH STEPS TURNS
//       images per second of all ranks together, the best of TURNS: independent (no messages),
//       gradients averaged afterwards (average_gradients), DataParallel without overlap,
//       DataParallel
#include "lanes/distributed.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/nn.hpp"
#include "lanes/tensor.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

double median_ms(const lanes::Communicator& comm, int times, const std::function<void()>& call) {
    std::vector<double> ms;
    for (int i = 0; i < times + 1; ++i) {
        comm.barrier();
        const lanes::Timer timer;
        call();
        if (i > 0) ms.push_back(comm.all_reduce(timer.seconds() * 1e3, lanes::Reduce::max));
    }
    std::nth_element(ms.begin(), ms.begin() + times / 2, ms.end());
    return ms[static_cast<std::size_t>(times / 2)];
}

void all_reduce(const lanes::Communicator& comm, std::size_t count, int times) {
    std::vector<float> values(count, 1);
    double mpi = 1e300, ring = 1e300;
    for (int turn = 0; turn < 3; ++turn) {  // in turns: other load affects both
        mpi = std::min(mpi, median_ms(comm, times, [&] { comm.start_all_reduce(values).wait(); }));
        mpi = std::min(mpi, median_ms(comm, times, [&] { comm.all_reduce(values); }));
        std::fill(values.begin(), values.end(), 1.0f);
        ring =
            std::min(ring, median_ms(comm, times, [&] { lanes::ring_all_reduce(comm, values); }));
        std::fill(values.begin(), values.end(), 1.0f);
    }
    if (comm.rank() == 0) std::printf("%.6f %.6f\n", mpi, ring);
}

void train(const lanes::Communicator& comm, std::size_t hidden, int layers, std::size_t batch,
           int steps, int turns) {
    lanes::manual_seed(1);
    lanes::Sequential model;
    std::size_t inputs = 784;
    for (int i = 0; i < layers; ++i) {
        model.append(lanes::Linear(inputs, hidden));
        model.append(lanes::ReLU());
        inputs = hidden;
    }
    model.append(lanes::Linear(inputs, 10));
    lanes::DataParallel afterwards(model, comm, lanes::DataParallelOptions().overlap(false));
    lanes::DataParallel overlapped(model, comm);
    lanes::SGD optimizer(model.parameters(), 0.01);
    const std::size_t share = batch / static_cast<std::size_t>(comm.size());
    const auto x = lanes::Tensor::rand({share, 784});
    const auto labels = lanes::Tensor::from(std::vector<int>(share, 3));
    const auto average = [&](lanes::Tensor& loss) {
        loss.backward();
        lanes::average_gradients(model, comm, share);
    };
    const std::vector<std::function<void(lanes::Tensor&)>> modes{
        [](lanes::Tensor& loss) { loss.backward(); }, average,
        [&](lanes::Tensor& loss) { afterwards.backward(loss, share); },
        [&](lanes::Tensor& loss) { overlapped.backward(loss, share); }};
    std::vector<double> best(modes.size(), 1e300);
    for (int turn = 0; turn < turns + 1;
         ++turn)  // in turns: other load affects all; one to warm up
        for (std::size_t mode = 0; mode < modes.size(); ++mode) {
            comm.barrier();
            const lanes::Timer timer;
            for (int i = 0; i < (turn == 0 ? 2 : steps); ++i) {
                lanes::Tensor loss = lanes::cross_entropy(model(x), labels);
                optimizer.zero_grad();
                modes[mode](loss);
                optimizer.step();
            }
            const double seconds = comm.all_reduce(timer.seconds(), lanes::Reduce::max);
            if (turn > 0) best[mode] = std::min(best[mode], seconds);
        }
    if (comm.rank() != 0) return;
    for (const double seconds : best)
        std::printf("%.3f\n", static_cast<double>(share) * comm.size() * steps / seconds);
}

}  // namespace

int main(int argc, char** argv) {
    const auto comm = lanes::Communicator::world();
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "all_reduce") {
        all_reduce(comm, std::stoul(words[1]), std::stoi(words[2]));
    } else if (words.size() == 6 && words[0] == "train") {
        train(comm, std::stoul(words[1]), std::stoi(words[2]), std::stoul(words[3]),
              std::stoi(words[4]), std::stoi(words[5]));
    } else {
        std::fprintf(stderr, "see the head of distributed.cpp\n");
        return 2;
    }
}
