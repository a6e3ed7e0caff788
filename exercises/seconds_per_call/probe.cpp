void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 10; ++i) {
        const int calls = static_cast<int>(probe.integer(1, 9));
        double clock = probe.uniform(-50, 50);
        int called = 0;
        std::vector<double> costs(3 * static_cast<std::size_t>(calls));
        for (double& cost : costs) cost = probe.uniform(1, 9);
        probe.put(seconds_per_call(
            calls, [&] { clock += costs[static_cast<std::size_t>(called++) % costs.size()]; },
            [&] { return clock; }));
        probe.put(called);
    }
}
