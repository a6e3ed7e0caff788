void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 20; ++i) {
        const double before = probe.uniform(10, 1000);
        const double k = probe.uniform(2, 100);
        const double share = probe.uniform(0, 1);
        probe.put(amdahl_share(before, before * (1 - share + share / k), k));
    }
}
