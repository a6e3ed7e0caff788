void lanes_probe(lanes::grading::Probe& probe) {
    probe.put(accuracy_with(probe.uniform(0.05, 0.3)));
}
