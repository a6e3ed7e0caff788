void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t weights = probe.integer(2, 9);
    const int steps = probe.integer(2, 9);
    lanes::plates::AdamState state{std::vector<double>(weights), std::vector<double>(weights),
                                   std::vector<double>(weights), 0};
    for (double& weight : state.w) weight = probe.uniform(-1, 1);
    for (int i = 0; i < steps; ++i) {
        std::vector<double> gradient(weights);
        for (double& value : gradient) value = probe.uniform(-3, 3);
        adam_step(state, gradient, probe.uniform(0.1, 0.5));
    }
    probe.put(state.w);
    probe.put(state.m);
    probe.put(state.v);
    probe.put(state.steps);
    // A gradient so small that it matters where 1e-8 is added.
    lanes::plates::AdamState small{{0}, {0}, {0}, 0};
    adam_step(small, {probe.uniform(1e-5, 1e-4)}, 0.5);
    probe.put(small.w);
}
