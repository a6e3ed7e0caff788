void lanes_probe(lanes::grading::Probe& probe) {
    lanes::Matrix image = xt::zeros<float>({21, 21});
    for (int spot = 0; spot < 4; ++spot) {  // soft spots on black, far from the border
        const double row = probe.integer(6, 14);
        const double column = probe.integer(6, 14);
        const double height = probe.uniform(0.3, 0.9);
        for (int y = 0; y < 21; ++y)
            for (int x = 0; x < 21; ++x) {
                const double square = (y - row) * (y - row) + (x - column) * (x - column);
                image(y, x) = std::max(image(y, x), float(height * std::exp(-square / 4)));
            }
    }
    const double degrees = probe.integer(10, 34);
    const double cells = probe.integer(2, 4);
    const double noise = probe.uniform(0.05, 0.2);
    const double tilt = probe.uniform(0.1, 0.3);
    std::vector<lanes::Rng> rngs{lanes::Rng(probe.seed()), lanes::Rng(probe.seed()),
                                 lanes::Rng(probe.seed() + 1)};
    std::vector<std::vector<lanes::Matrix>> made(3);
    for (const std::size_t from : probe.shuffled(3, 3))
        made[from].push_back(process_image(image, {degrees, cells, noise, tilt}, rngs[from]));
    for (const auto& of_one_rng : made)
        for (const auto& one : of_one_rng) probe.put(one);
    const auto put = [&](int calls, const lanes::AugmentationBounds& bounds) {
        for (int call = 0; call < calls; ++call) probe.put(process_image(image, bounds, rngs[0]));
    };
    put(1, {0, 0, 0, 0});
    put(96, {0, cells, 0, 0});
    put(32, {degrees, 0, 0, 0});
    put(32, {0, 0, 0, tilt});
    put(3, {0, 0, noise, 0});
    probe.put(image);  // as the answer has left it
}
