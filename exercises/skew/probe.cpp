void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({28, 28}, 0, 1);
    probe.put(skew(image, probe.uniform(-0.4, 0.4)));
}
