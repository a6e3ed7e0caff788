void lanes_probe(lanes::grading::Probe& probe) {
    for (int ranks : {2, static_cast<int>(probe.integer(3, 7)), 4, 9, 1}) {
        std::vector<std::vector<float>> got(ranks);
        const double first = probe.uniform(1, 9);
        const auto count = static_cast<std::size_t>(probe.integer(0, 5));
        const auto run = lanes::simulate_ranks(ranks,
                                               [&](const lanes::Communicator& comm) {
                                                   const std::vector<float> values(
                                                       count, first + 10 * comm.rank());
                                                   got[comm.rank()] = pass_around(comm, values);
                                               },
                                               {1, 1e30});
        for (const auto& values : got) probe.put(values);
        probe.put(run.seconds < 3.5);
    }
}
