// Bounds that help and bounds that are too wide. The same seed gives the same network.
void lanes_probe(lanes::grading::Probe& probe) {
    const std::uint64_t seed = probe.integer(2, 1000);
    probe.put(accuracy_with<lanes::Worker>({probe.uniform(8, 20), 1, 0.02, 0.1}, seed));
    const double wide = probe.uniform(40, 60);
    for (const std::uint64_t other : {seed, seed + 1})
        probe.put(accuracy_with<lanes::Worker>({wide, 3, 0.06, 0.3}, other));
}
