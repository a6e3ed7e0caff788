void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t batch_size = probe.integer(2, 9);
    // The last batch is full, is not, and is the only one.
    for (const std::size_t rows : {3 * batch_size, 3 * batch_size + 1, batch_size - 1}) {
        const auto data = probe.random<lanes::Matrix>({rows, 6}, -3, 3);
        const auto labels = probe.random<lanes::Matrix>({rows, 3}, -3, 3);
        for (const auto& batch : create_batches(data, labels, batch_size)) {
            probe.put(batch.x);
            probe.put(batch.y);
        }
    }
}
