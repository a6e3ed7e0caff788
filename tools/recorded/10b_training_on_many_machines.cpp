// Records the table "ranks" of lesson 10b: the cell that calls time_batches, as a program of its
// own, because a program of the notebook leaves cells with %%run out. tools/record starts it with a
// rank on each core.
#include "lanes/distributed.hpp"
#include "lanes/lesson/digit_training.hpp"

int main() {
    const auto ten_steps = [](const lanes::Communicator& comm, std::size_t batch_size) {
        lanes::Sequential model = lanes::digits::network(512);
        lanes::SGD optimizer(model.parameters(), 0.1);
        for (std::size_t step = 0; step < 10; ++step) {
            const lanes::digits::Batch batch = lanes::digits::batch(step, batch_size);
            lanes::spare::train_step(comm, model, optimizer, batch.x, batch.y);
        }
    };
    lanes::digits::time_batches(lanes::Communicator::world(), ten_steps, "10b_scaling.csv");
}
