void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 12; ++i) {
        const int ranks = i == 0 ? 1 : static_cast<int>(probe.integer(2, 7));
        const auto count = static_cast<std::size_t>(i == 1 ? 0 : probe.integer(1, 40));
        std::vector<std::vector<float>> values(ranks, std::vector<float>(count));
        for (auto& of_rank : values)
            for (float& value : of_rank) value = static_cast<float>(probe.integer(-99, 99));
        const auto run = lanes::simulate_ranks(ranks, [&](const lanes::Communicator& comm) {
            ring_all_reduce(comm, values[comm.rank()]);
        });
        for (const auto& of_rank : values) probe.put(of_rank);
        // A ring sends 2 (p - 1) parts per rank.
        probe.put(run.most_bytes_sent() <= 8 * (ranks - 1) * ((count + ranks - 1) / ranks));
    }
}
