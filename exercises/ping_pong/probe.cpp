void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 6; ++i) {
        const int ranks = i == 0 ? 2 : static_cast<int>(probe.integer(2, 5));
        const int rounds = static_cast<int>(probe.integer(i == 1 ? 0 : 1, 6));
        const auto count = static_cast<std::size_t>(probe.integer(1, 9));
        std::vector<std::vector<float>> values(ranks, std::vector<float>(count));
        for (auto& of_rank : values)
            for (float& value : of_rank) value = static_cast<float>(probe.integer(-99, 99));
        const lanes::SimulatedNetwork network{probe.uniform(1, 2), 1e30};
        const auto program = [&](const lanes::Communicator& comm) {
            ping_pong(comm, values[comm.rank()], rounds);
        };
        const auto run = lanes::simulate_ranks(ranks, program, network);
        for (const auto& of_rank : values) probe.put(of_rank);
        for (const auto& rank : run.ranks) probe.put(static_cast<int>(rank.messages_sent));
        probe.put(run.seconds);
    }
}
