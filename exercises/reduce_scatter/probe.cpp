void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 9; ++i) {
        const int ranks = i == 0 ? 1 : i == 1 ? 5 : static_cast<int>(probe.integer(2, 7));
        const std::size_t n = i == 2 ? 0 : static_cast<std::size_t>(probe.integer(1, 40));
        std::vector<std::vector<float>> values(ranks, std::vector<float>(n));
        for (auto& of_rank : values)
            for (float& value : of_rank) value = static_cast<float>(probe.integer(-99, 99));
        const auto run = lanes::simulate_ranks(ranks, [&](const lanes::Communicator& comm) {
            reduce_scatter(comm, values[comm.rank()]);
        });
        // Right answers may leave anything in the other parts.
        for (int rank = 0; rank < ranks; ++rank) {
            const std::size_t part = (rank + 1) % ranks;
            const auto from = values[rank].begin() + n * part / ranks;
            const auto to = values[rank].begin() + n * (part + 1) / ranks;
            probe.put(std::vector<float>(from, to));
        }
        probe.put(run.most_bytes_sent() <= 4 * (ranks - 1) * ((n + ranks - 1) / ranks));
    }
}
