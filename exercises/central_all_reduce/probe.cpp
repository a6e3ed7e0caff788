void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 8; ++i) {
        const int ranks = i == 0 ? 1 : static_cast<int>(probe.integer(2, 7));
        const auto count = static_cast<std::size_t>(probe.integer(i == 1 ? 0 : 1, 9));
        std::vector<std::vector<float>> values(ranks, std::vector<float>(count));
        for (auto& of_rank : values)
            for (float& value : of_rank) value = static_cast<float>(probe.integer(-99, 99));
        const auto run = lanes::simulate_ranks(ranks, [&](const lanes::Communicator& comm) {
            central_all_reduce(comm, values[comm.rank()]);
        });
        for (const auto& of_rank : values) probe.put(of_rank);
        for (int rank = 1; rank < ranks; ++rank)
            probe.put(static_cast<int>(run.ranks[rank].messages_sent));
    }
}
