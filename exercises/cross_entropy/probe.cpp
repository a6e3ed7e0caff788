void lanes_probe(lanes::grading::Probe& probe) {
    for (const double scale : {3.0, 1500.0}) {
        const std::size_t samples = probe.integer(2, 9);
        const std::size_t classes = probe.integer(2, 12);
        std::vector<int> labels;
        for (std::size_t i = 0; i < samples; ++i)
            labels.push_back(probe.integer(0, static_cast<int>(classes) - 1));
        probe.put(
            cross_entropy(probe.random<lanes::Matrix>({samples, classes}, -scale, scale), labels));
    }
}
