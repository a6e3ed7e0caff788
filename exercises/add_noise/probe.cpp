void lanes_probe(lanes::grading::Probe& probe) {
    const std::size_t rows = probe.integer(25, 40);
    const std::size_t columns = probe.integer(25, 40);
    const double noise = probe.uniform(0.05, 0.25);
    auto image = probe.random<lanes::Matrix>({rows, columns}, -0.2, 1.2);
    for (float& pixel : image) pixel = std::clamp(pixel, 0.0f, 1.0f);  // some are black or white
    lanes::Rng rng(probe.seed());
    lanes::Rng same(probe.seed());
    for (lanes::Rng* from : {&rng, &rng, &same}) probe.put(add_noise(image, noise, *from));
    probe.put(image);  // as the answer has left it
}
