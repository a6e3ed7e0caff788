void lanes_probe(lanes::grading::Probe& probe) {
    const lanes::Device simulator = lanes::Device::simulator();
    const lanes::Program program(simulator, correlation_text);
    for (const int high : {5, 2 * static_cast<int>(probe.integer(0, 3)) + 1}) {
        const int wide = high == 5 ? 3 : 2 * static_cast<int>(probe.integer(0, 3)) + 1;
        const int rows = probe.integer(6, 14);
        const int columns = probe.integer(6, 14);
        const auto filter =
            probe.random<lanes::Matrix>({std::size_t(high), std::size_t(wide)}, -3, 3);
        const auto image =
            probe.random<lanes::Matrix>({std::size_t(rows), std::size_t(columns)}, 0, 1);
        const lanes::Buffer<float> weights(simulator, filter);
        const lanes::Buffer<float> from(simulator, image);
        const lanes::Buffer<float> to(simulator, image.size());
        lanes::launch(program.kernel("correlation_kernel"), {rows, columns}, weights, from, to,
                      rows, columns, high, wide);
        probe.put(to.download<lanes::Matrix>(image.shape()));
    }
}
