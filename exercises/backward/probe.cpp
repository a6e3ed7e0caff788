// The pass is made of any numbers: the derivatives follow from it, whatever they are.
void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 3; ++call) {
        const std::size_t rows = probe.integer(2, 7);
        const std::vector<std::size_t> sizes{3, std::size_t(probe.integer(2, 6)),
                                             std::size_t(probe.integer(2, 6)), 4};
        lanes::Weights<float> weights;
        lanes::Pass pass{{}, {probe.random<lanes::Matrix>({rows, 3}, -1, 1)}};
        for (std::size_t l = 0; l < 3; ++l) {
            weights.push_back(probe.random<lanes::Matrix>({sizes[l], sizes[l + 1]}, -1, 1));
            pass.z.push_back(probe.random<lanes::Matrix>({rows, sizes[l + 1]}, -3, 3));
            pass.a.push_back(sigmoid(pass.z[l]));
        }
        const lanes::Parameters d =
            backward(pass, probe.random<lanes::Matrix>({rows, 4}, 0, 1), weights);
        for (const auto& one : d.weights) probe.put(one);
        for (const auto& one : d.biases) probe.put(one);
    }
}
