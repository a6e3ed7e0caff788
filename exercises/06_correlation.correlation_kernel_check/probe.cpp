void lanes_probe(lanes::grading::Probe& probe) {
    const int rows = probe.integer(6, 14);
    const int columns = probe.integer(6, 14);
    const lanes::Device simulator = lanes::Device::simulator();
    const auto filter = probe.random<lanes::Matrix>({5, 3}, -3, 3);
    const auto image = probe.random<lanes::Matrix>({std::size_t(rows), std::size_t(columns)}, 0, 1);
    const lanes::Program program(simulator, correlation_text);
    const lanes::Buffer<float> weights(simulator, filter);
    const lanes::Buffer<float> from(simulator, image);
    const lanes::Buffer<float> to(simulator, image.size());
    lanes::launch(program.kernel("correlation_kernel"), {rows, columns}, weights, from, to, rows,
                  columns, 5, 3);
    probe.put(to.download<lanes::Matrix>(image.shape()));
}
