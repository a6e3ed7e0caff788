void lanes_probe(lanes::grading::Probe& probe) {
    for (int call = 0; call < 4; ++call) {
        const lanes::Weights<float> weights{probe.random<lanes::Matrix>({2, 3}, -1, 1),
                                            probe.random<lanes::Matrix>({3, 2}, -1, 1)};
        const auto factors = probe.random<lanes::Matrix>({2, 6}, 1, 5);
        const auto loss_of = [&](const lanes::Weights<float>& now) {
            double sum = 0;
            for (std::size_t l = 0; l < now.size(); ++l)
                for (std::size_t k = 0; k < 6; ++k)
                    sum +=
                        factors(l, k) * (std::pow(now[l].flat(k), 3) + std::pow(now[l].flat(k), 2));
            return sum;
        };
        const std::size_t l = probe.integer(0, 1), i = probe.integer(1, 1), j = probe.integer(0, 1);
        probe.put(numerical_gradient(loss_of, weights, l, i, j, call % 2 ? 0.25f : 0.5f));
    }
}
