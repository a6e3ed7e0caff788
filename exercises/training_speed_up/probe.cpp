void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 20; ++i) {
        const int gpus = i == 0 ? 1 : static_cast<int>(probe.integer(2, 2000));
        const double computing = probe.uniform(0.01, 3);
        const double bytes = probe.uniform(0, 1e9);
        const double latency = probe.uniform(0, 0.01);
        probe.put(training_speed_up(gpus, computing, bytes, latency, probe.uniform(1e8, 1e10)));
    }
}
