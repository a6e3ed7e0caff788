void lanes_probe(lanes::grading::Probe& probe) {
    const auto a = probe.random<lanes::Matrix>({9, 5}, -3, 3);
    const auto b = probe.random<lanes::Matrix>({5, 12}, -3, 3);
    probe.put(matmul(a, b));
}
