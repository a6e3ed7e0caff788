void lanes_probe(lanes::grading::Probe& probe) {
    for (const int epochs : {3, 0, 1}) {
        const std::size_t images = 16 * probe.integer(2, 5) + 5, m = probe.integer(3, 6);
        lanes::Parameters network{
            {probe.random<lanes::Matrix>({5, m}, -1, 1),
             probe.random<lanes::Matrix>({m, 3}, -1, 1)},
            {probe.random<lanes::Vector>({m}, -1, 1), probe.random<lanes::Vector>({3}, -1, 1)}};
        const lanes::Dataset training{probe.random<lanes::Matrix>({images, 5}, 0, 1),
                                      probe.random<lanes::Matrix>({images, 3}, 0, 1)};
        lanes::Rng rng(probe.seed());
        fit(network, training, epochs, static_cast<float>(probe.uniform(0.3, 0.6)), rng);
        for (const auto& one : network.weights) probe.put(one);
        for (const auto& one : network.biases) probe.put(one);
    }
}
