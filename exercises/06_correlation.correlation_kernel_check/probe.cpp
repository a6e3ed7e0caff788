void lanes_probe(lanes::grading::Probe& probe) {
    const auto filter = probe.random<lanes::Matrix>({5, 3}, -3, 3);
    const auto image = probe.random<lanes::Matrix>({9, 13}, 0, 1);
    const lanes::Program program(simulator, correlation_text);
    const lanes::Buffer<float> weights(simulator, filter);
    const lanes::Buffer<float> from(simulator, image);
    const lanes::Buffer<float> to(simulator, image.size());
    lanes::launch(program.kernel("correlation_kernel"), {9, 13}, weights, from, to, 9, 13, 5, 3);
    probe.put(to.download<lanes::Matrix>({9, 13}));
}
