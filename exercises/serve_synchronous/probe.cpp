void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 6; ++i) {
        const int workers = static_cast<int>(probe.integer(1, 5));
        const int steps = static_cast<int>(probe.integer(1, 4));
        const auto count = static_cast<std::size_t>(probe.integer(1, 9));
        const float learning_rate = static_cast<float>(probe.uniform(0.1, 0.9));
        std::vector<float> weights(count);
        for (float& weight : weights) weight = static_cast<float>(probe.uniform(-1, 1));
        std::vector<std::vector<float>> pull(workers, std::vector<float>(count));
        for (auto& of_worker : pull)
            for (float& value : of_worker) value = static_cast<float>(probe.uniform(-1, 1));
        std::vector<std::vector<float>> replies(workers);
        lanes::simulate_ranks(workers + 1, [&](const lanes::Communicator& comm) {
            if (comm.rank() == 0) {
                serve_synchronous(comm, weights, steps, learning_rate);
                return;
            }
            const auto worker = static_cast<std::size_t>(comm.rank() - 1);
            std::vector<float> mine(count, 0.5f), gradient(count);
            for (int step = 0; step < steps; ++step) {
                for (std::size_t k = 0; k < count; ++k) gradient[k] = mine[k] - pull[worker][k];
                comm.send(gradient, 0);
                comm.receive(mine, 0);
                replies[worker].insert(replies[worker].end(), mine.begin(), mine.end());
            }
        });
        for (const auto& of_worker : replies) probe.put(of_worker);
        probe.put(weights);
    }
}
