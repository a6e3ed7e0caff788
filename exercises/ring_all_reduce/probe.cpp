void lanes_probe(lanes::grading::Probe& probe) {
    const auto reduce = [&](int ranks, std::size_t count) {
        std::vector<std::vector<float>> values(ranks, std::vector<float>(count));
        for (auto& of_rank : values)
            for (float& value : of_rank) value = static_cast<float>(probe.integer(-99, 99));
        const auto run = lanes::simulate_ranks(ranks, [&](const lanes::Communicator& comm) {
            ring_all_reduce(comm, values[comm.rank()]);
        });
        for (const auto& of_rank : values) probe.put(of_rank);
        // A ring sends 2 (p - 1) parts per rank.
        probe.put(run.most_bytes_sent() <= 8 * (ranks - 1) * ((count + ranks - 1) / ranks));
    };
    probe.part("equal parts for all ranks", [&] {
        for (int i = 0; i < 5; ++i) {
            const int ranks = i == 0 ? 5 : static_cast<int>(probe.integer(2, 7));
            reduce(ranks, ranks * probe.integer(2, 6));
        }
    });
    probe.part("any number of values", [&] {
        reduce(5, 13);
        reduce(1, 4);
        reduce(4, 0);
        for (int i = 0; i < 6; ++i) {
            const int ranks = static_cast<int>(probe.integer(2, 7));
            reduce(ranks, probe.integer(1, 40));
        }
    });
}
