void lanes_probe(lanes::grading::Probe& probe) {
    const auto convolve = [&](int stride, int padding) {
        const std::size_t channels = probe.integer(2, 4);
        const std::size_t outputs = probe.integer(2, 5);
        const std::size_t rows = probe.integer(5, 12);
        const std::size_t columns = rows + probe.integer(1, 4);
        const std::size_t size = probe.integer(2, 4);
        const auto x = probe.random<lanes::Tensor3>({channels, rows, columns}, -2, 2);
        const auto filters = probe.random<lanes::Tensor4>({outputs, channels, size, size}, -1, 1);
        probe.put(convolution(x, filters, stride, padding));
    };
    probe.part("stride 1, no padding", [&] { convolve(1, 0); });
    probe.part("a stride", [&] {
        convolve(2, 0);
        convolve(3, 0);
    });
    probe.part("padding", [&] {
        convolve(1, 1);
        convolve(probe.integer(2, 3), 2);
    });
}
