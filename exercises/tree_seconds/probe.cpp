void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 20; ++i) {
        const int ranks = i < 2 ? i + 1 : static_cast<int>(probe.integer(3, 2000));
        const double bytes = probe.uniform(0, 1e9);
        const double latency = probe.uniform(0, 3);
        probe.put(tree_seconds(ranks, bytes, latency, probe.uniform(1e6, 1e9)));
    }
}
