void lanes_probe(lanes::grading::Probe& probe) {
    const auto a = probe.random<lanes::Matrix>({4, 7}, -3, 3);
    const auto b = probe.random<lanes::Matrix>({4, 7}, -3, 3);
    const auto c = probe.random<lanes::Matrix>({3, 2}, -3, 3);
    const auto d = probe.random<lanes::Matrix>({3, 2}, -3, 3);
    using Weights = lanes::Weights<float>;
    for (const auto& sum : add_elementwise(Weights{a, c}, Weights{b, d})) probe.put(sum);
}
