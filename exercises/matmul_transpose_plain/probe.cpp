void lanes_probe(lanes::grading::Probe& probe) {
    const auto x = probe.random<lanes::Matrix>({11, 7}, -3, 3);
    probe.put(matmul_transpose_plain(x));
}
