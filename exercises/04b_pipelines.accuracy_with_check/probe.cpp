void lanes_probe(lanes::grading::Probe& probe) {
    probe.put(accuracy_with<lanes::Worker>({probe.uniform(8, 20), 1, 0.02, 0.1}));
}
