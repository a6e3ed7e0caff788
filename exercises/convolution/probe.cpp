void lanes_probe(lanes::grading::Probe& probe) {
    for (int i = 0; i < 3; ++i) {
        const std::size_t channels = probe.integer(1, 4);
        const std::size_t outputs = probe.integer(1, 5);
        const std::size_t rows = probe.integer(5, 12);
        const std::size_t columns = probe.integer(5, 12);
        const std::size_t size = probe.integer(1, 4);
        const auto x = probe.random<lanes::Tensor3>({channels, rows, columns}, -2, 2);
        const auto filters = probe.random<lanes::Tensor4>({outputs, channels, size, size}, -1, 1);
        const int stride = probe.integer(1, 3);
        probe.put(convolution(x, filters, stride, probe.integer(0, 2)));
    }
}
