void lanes_probe(lanes::grading::Probe& probe) {
    lanes::Sizes sizes;
    for (int i = 0; i < 4; ++i) sizes.push_back(probe.integer(30, 60));
    std::vector<lanes::Rng> rngs{lanes::Rng(probe.seed()), lanes::Rng(probe.seed()),
                                 lanes::Rng(probe.seed() + 1)};
    std::vector<std::vector<lanes::Weights<float>>> drawn(3);
    for (const std::size_t from : probe.shuffled(3, 3))
        drawn[from].push_back(random_weights(sizes, rngs[from]));
    for (const auto& of_one_rng : drawn)
        for (const auto& call : of_one_rng)
            for (const auto& weights : call) probe.put(weights);
}
