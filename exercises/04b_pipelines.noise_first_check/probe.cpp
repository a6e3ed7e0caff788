void lanes_probe(lanes::grading::Probe& probe) {
    const auto image = probe.random<lanes::Matrix>({21, 21}, 0.4, 0.6);
    const double noise = probe.uniform(0.05, 0.2);
    std::vector<lanes::Rng> rngs{lanes::Rng(probe.seed()), lanes::Rng(probe.seed()),
                                 lanes::Rng(probe.seed() + 1)};
    std::vector<std::vector<lanes::Matrix>> made(3);
    for (const std::size_t from : probe.shuffled(3, 3))
        made[from].push_back(noise_first(image, {20, 3, noise, 0.2}, rngs[from]));
    for (const auto& of_one_rng : made)
        for (const auto& one : of_one_rng) probe.put(one);
    const auto put = [&](int calls, const lanes::AugmentationBounds& bounds) {
        for (int call = 0; call < calls; ++call) probe.put(noise_first(image, bounds, rngs[0]));
    };
    put(10, {0, 4, noise, 0});
    put(4, {20, 0, 0, 0});
    put(32, {0, 0, 0, 0.2});
}
