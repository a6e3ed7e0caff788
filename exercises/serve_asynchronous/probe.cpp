// In which order the gradients are received may differ between right answers. What holds for all
// of them: the weights in the end, that each answer holds its own gradient, and that the answers
// hold 1, 2, 3, … gradients.
void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 6; ++i) {
        const int workers = static_cast<int>(probe.integer(i == 0 ? 1 : 2, 5));
        const float learning_rate = 1.0f / static_cast<float>(1 << probe.integer(0, 4));
        std::vector<int> pushes, first;
        int steps = 0;
        for (int worker = 0; worker < workers; ++worker) {
            first.push_back(steps);
            pushes.push_back(static_cast<int>(probe.integer(worker == 0 ? 3 : 0, 4)));
            steps += pushes.back();
        }
        const auto start = static_cast<float>(probe.integer(1, 9));
        std::vector<float> weights(steps, start);
        std::vector<std::size_t> in_replies;
        bool own = true;
        lanes::simulate_ranks(workers + 1, [&](const lanes::Communicator& comm) {
            if (comm.rank() == 0) {
                serve_asynchronous(comm, weights, steps, learning_rate);
                return;
            }
            for (int push = 0; push < pushes[comm.rank() - 1]; ++push) {
                const auto mine = static_cast<std::size_t>(first[comm.rank() - 1] + push);
                std::vector<float> gradient(steps, 0.0f);
                gradient[mine] = 1;
                comm.send(gradient, 0);
                comm.receive(gradient, 0);
                own = own && gradient[mine] == start - learning_rate;
                std::size_t count = 0;
                for (float value : gradient) count += value != start ? 1 : 0;
                in_replies.push_back(count);
            }
        });
        std::sort(in_replies.begin(), in_replies.end());
        probe.put(in_replies);
        probe.put(own);
        probe.put(weights);
    }
}
