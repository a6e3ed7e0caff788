void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 4; ++call) {
        const std::size_t images = probe.integer(5, 60), classes = probe.integer(2, 6);
        auto outputs = probe.random<lanes::Matrix>({images, classes}, 0, 0.7);
        lanes::Matrix labels = xt::zeros<float>({images, classes});
        for (std::size_t i = 0; i < images; ++i) labels(i, probe.integer(0, classes - 1)) = 1;
        probe.put(accuracy(outputs, labels));
        probe.put(accuracy(labels, labels));
    }
    const lanes::Matrix labels{{1, 0}, {0, 1}};
    probe.put(accuracy(lanes::Matrix{{0.5f, 0.5f}, {0.5f, 0.5f}}, labels));  // the first counts
}
