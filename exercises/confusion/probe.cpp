void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 3; ++call) {
        const std::size_t images = probe.integer(20, 90), classes = probe.integer(2, 6);
        const auto outputs = probe.random<lanes::Matrix>({images, classes}, 0, 1);
        lanes::Matrix labels = xt::zeros<float>({images, classes});
        for (std::size_t i = 0; i < images; ++i) labels(i, probe.integer(0, classes - 1)) = 1;
        probe.put(confusion(outputs, labels));
    }
}
