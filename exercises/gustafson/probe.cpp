void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 20; ++i) {
        const double serial = probe.uniform(0, 1);
        probe.put(gustafson(serial, static_cast<int>(probe.integer(1, 2000))));
    }
}
