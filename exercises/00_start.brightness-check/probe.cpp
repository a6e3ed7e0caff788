void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 5; ++i) {
        const std::size_t rows = probe.integer(1, 40);
        const std::size_t columns = probe.integer(1, 40);
        probe.put(brightness(probe.random<lanes::Matrix>({rows, columns}, 0, 1)));
    }
}
