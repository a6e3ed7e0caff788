void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 4; ++i) {
        const std::size_t channels = probe.integer(1, 4);
        const std::size_t rows = probe.integer(5, 12);
        const std::size_t columns = probe.integer(5, 12);
        const auto x = probe.random<lanes::Tensor3>({channels, rows, columns}, -2, 2);
        const int size = probe.integer(1, 5);
        const int stride = probe.integer(1, 3);
        probe.put(im2col(x, size, stride, probe.integer(0, 2)));
    }
}
