// Rates that are too small, useful and too large. The same seed gives the same network.
void lanes_probe(lanes::grading::Probe& probe) {
    const std::uint64_t seed = probe.integer(2, 1000);
    probe.put(accuracy_with(probe.uniform(0.008, 0.02), seed));
    probe.put(accuracy_with(probe.uniform(0.05, 0.3), seed));
    probe.put(accuracy_with(probe.uniform(2, 4), seed));
}
