void lanes_probe(lanes::grading::Probe& probe) {
    const auto data = probe.random<lanes::Matrix>({23, 6}, -3, 3);
    const auto labels = probe.random<lanes::Matrix>({23, 3}, -3, 3);
    for (const auto& batch : create_batches(data, labels, probe.integer(2, 9))) {
        probe.put(batch.x);
        probe.put(batch.y);
    }
}
