#include "lanes/distributed/spare_training.hpp"

#include "lanes/base/error.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/losses.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using lanes::Communicator;
using Vector = std::vector<float>;

class SpareTraining : public testing::Test {
protected:
    SpareTraining() { fs::create_directories(folder); }
    ~SpareTraining() override { fs::remove_all(folder); }

    const fs::path folder =
        fs::temp_directory_path() / ("spare_training_test." + std::to_string(getpid()));
    const std::string path = (folder / "file").string();
};

// Each worker sends its rank as gradient, `pushes` times, and keeps the last answer.
std::vector<Vector> serve(bool is_synchronous, int workers, int pushes) {
    std::vector<Vector> weights(static_cast<std::size_t>(workers) + 1, Vector(2, 8));
    lanes::simulate_ranks(workers + 1, [&](const Communicator& comm) {
        Vector& mine = weights[static_cast<std::size_t>(comm.rank())];
        if (comm.rank() > 0) {
            for (int i = 0; i < pushes; ++i) {
                comm.send(Vector(2, static_cast<float>(comm.rank())), 0);
                comm.receive(mine, 0);
            }
        } else if (is_synchronous) {
            lanes::spare::serve_synchronous(comm, mine, pushes, 0.5);
        } else {
            lanes::spare::serve_asynchronous(comm, mine, pushes * workers, 0.5);
        }
    });
    return weights;
}

TEST_F(SpareTraining, a_synchronous_step_takes_the_mean_of_all_workers) {
    // Two steps with the mean of 1, 2 and 3: 8 - 2 * 0.5 * 2.
    EXPECT_EQ(serve(true, 3, 2), std::vector<Vector>(4, Vector(2, 6)));
}

TEST_F(SpareTraining, an_asynchronous_step_takes_one_gradient) {
    const auto weights = serve(false, 2, 2);
    EXPECT_EQ(weights[0], Vector(2, 5));  // 8 - 0.5 * (1 + 2 + 1 + 2)
    EXPECT_TRUE(weights[1] == weights[0] || weights[2] == weights[0]);
    EXPECT_NE(weights[1], weights[2]);
}

TEST_F(SpareTraining, a_checkpoint_comes_back_on_all_ranks) {
    lanes::simulate_ranks(3, [&](const Communicator& comm) {
        Vector weights(4, static_cast<float>(comm.rank()));
        EXPECT_EQ(lanes::spare::load_checkpoint(comm, path, weights), 0);
        EXPECT_EQ(weights, Vector(4, 0));
        lanes::spare::save_checkpoint(comm, path, 17, Vector{1, 2, 3, 4});
        comm.barrier();
        EXPECT_EQ(lanes::spare::load_checkpoint(comm, path, weights), 17);
        EXPECT_EQ(weights, (Vector{1, 2, 3, 4}));
    });
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);  // nothing beside it
}

TEST_F(SpareTraining, a_damaged_file_is_an_error_on_all_ranks) {
    std::ofstream(path) << "too short";
    lanes::simulate_ranks(2, [&](const Communicator& comm) {
        Vector weights(4);
        EXPECT_THROW(lanes::spare::load_checkpoint(comm, path, weights), lanes::Error);
    });
    lanes::simulate_ranks(1, [&](const Communicator& comm) {
        EXPECT_THROW(lanes::spare::save_checkpoint(comm, path + "/none/file", 1, {}), lanes::Error);
    });
}

// The parameters of rank 0 after two steps with nine examples.
std::vector<float> trained(int ranks, bool at_once) {
    std::vector<float> weights;
    lanes::simulate_ranks(ranks, [&](const Communicator& comm) {
        lanes::manual_seed(3);
        lanes::Sequential model{lanes::Linear(4, 2)};
        lanes::SGD optimizer(model.parameters(), 0.5);
        lanes::manual_seed(4);
        const lanes::Tensor x = lanes::Tensor::rand({9, 4});
        const lanes::Tensor y = lanes::Tensor::from(std::vector<int>{0, 1, 1, 0, 1, 0, 0, 0, 1});
        for (int step = 0; step < 2; ++step) {
            if (!at_once) {
                lanes::spare::train_step(comm, model, optimizer, x, y);
                continue;
            }
            const auto rank = static_cast<std::size_t>(comm.rank());
            const auto p = static_cast<std::size_t>(comm.size());
            const std::size_t first = 9 * rank / p, last = 9 * (rank + 1) / p;
            auto loss = lanes::cross_entropy(model(x.slice(first, last)), y.slice(first, last));
            optimizer.zero_grad();
            loss.backward();
            lanes::spare::average_at_once(comm, model, last - first);
            optimizer.step();
        }
        if (comm.rank() > 0) return;
        for (const lanes::Tensor& parameter : model.parameters())
            for (const float value : parameter.to_vector()) weights.push_back(value);
    });
    return weights;
}

TEST_F(SpareTraining, a_step_does_not_depend_on_the_number_of_ranks) {
    const std::vector<float> one = trained(1, false);
    for (const bool at_once : {false, true})
        for (const int ranks : {2, 4}) {
            const std::vector<float> many = trained(ranks, at_once);
            ASSERT_EQ(many.size(), one.size());
            for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(many[i], one[i], 1e-5);
        }
}

TEST_F(SpareTraining, a_worker_adds_up_its_staleness) {
    std::vector<double> stale(3, 0);
    lanes::simulate_ranks(3, [&](const Communicator& comm) {
        Vector weights{5, 0};
        if (comm.rank() == 0) {
            lanes::spare::serve_asynchronous(comm, weights, 6, 0.5);
            EXPECT_EQ(weights, (Vector{2, 6}));  // the last one counts the steps
            return;
        }
        const auto rank = static_cast<std::size_t>(comm.rank());
        const auto gradient = [](const Vector&, int) { return Vector{1, -2}; };
        stale[rank] = lanes::spare::send_gradients(comm, weights, 3, gradient);
    });
    EXPECT_EQ(stale[1] + stale[2], 5);  // all but the first gradient are one step old
}

}  // namespace
