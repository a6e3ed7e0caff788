void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 20; ++i) {
        const double intensity = probe.uniform(0, 40);
        const double peak = probe.uniform(100, 1000);
        probe.put(attainable(intensity, peak, probe.uniform(10, 60)));
    }
}
