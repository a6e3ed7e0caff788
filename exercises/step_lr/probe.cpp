void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 20; ++i) {
        const double initial = probe.uniform(1, 1000);
        const int epoch = probe.integer(0, 30);
        const int step_size = probe.integer(1, 9);
        probe.put(step_lr(initial, epoch, step_size, probe.uniform(0.3, 0.9)));
    }
}
