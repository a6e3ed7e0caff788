void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t rows = probe.integer(25, 40);
    const std::size_t columns = probe.integer(25, 40);
    const double noise = probe.uniform(0.05, 0.25);
    auto image = probe.random<lanes::Matrix>({rows, columns}, -0.2, 1.2);
    for (float& pixel : image) pixel = std::clamp(pixel, 0.0f, 1.0f);  // some are black or white
    std::vector<lanes::Rng> rngs{lanes::Rng(probe.seed()), lanes::Rng(probe.seed()),
                                 lanes::Rng(probe.seed() + 1)};
    std::vector<std::vector<lanes::Matrix>> noisy(3);
    for (const std::size_t from : probe.shuffled(3, 3))
        noisy[from].push_back(add_noise(image, noise, rngs[from]));
    for (const auto& of_one_rng : noisy)
        for (const auto& one : of_one_rng) probe.put(one);
    probe.put(image);  // as the answer has left it
}
