void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 3; ++call) {
        const std::size_t m = probe.integer(2, 6), k = probe.integer(2, 6);
        const auto draw = [&] {
            return lanes::Parameters{
                {probe.random<lanes::Matrix>({3, m}, -1, 1),
                 probe.random<lanes::Matrix>({m, k}, -1, 1)},
                {probe.random<lanes::Vector>({m}, -1, 1), probe.random<lanes::Vector>({k}, -1, 1)}};
        };
        lanes::Parameters network = draw();
        descend(network, draw(), static_cast<float>(probe.uniform(0.1, 0.7)));
        for (const auto& one : network.weights) probe.put(one);
        for (const auto& one : network.biases) probe.put(one);
    }
}
